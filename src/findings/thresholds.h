// Every threshold of the diagnosis, with where it comes from. docs/findings.md repeats them for
// readers; a test holds the two against each other.
#pragma once

#include "result/main_curves.h"
#include "result/timeline.h"
#include "util/time.h"

#include <cstddef>
#include <cstdint>

namespace debrief::findings::thresholds {

// How much a finding has to cost. XProf calls an input share below 5 % of the step unproblematic
// and one of 20 % high; TraceML warns at 10 % and is critical at 20 %.
inline constexpr double kMinReportedShare = 0.03; ///< below it nothing is said
inline constexpr double kWarning = 0.10;
inline constexpr double kCritical = 0.20;

// A rule is a symptom of a finding where this share of the rule's time lies in the finding's.
inline constexpr double kExplainedShare = 0.80;

// A job that loses more than this is not healthy, however many causes share in it.
inline constexpr double kMaxHealthyLoss = 0.25; ///< of what was measured

// What has no sample is not known to be well spent.
inline constexpr double kMuchUnmeasured = 0.10; ///< of what was paid: more lowers confidence
inline constexpr double kMaxUnmeasured = 0.50;  ///< more leaves nothing to say

// A share of low utilization that nothing explains. tb_plugin warns below 50 % busy, SageMaker's
// LowGPUUtilization below 70 % at p95, TraceML calls below 30 % low and up to 70 % moderate. Idle
// time between kernels is normal up to a point, so this one needs more than the causes above.
inline constexpr double kUnexplainedWarning = 0.30;  ///< of the loop's GPU time: 70 % busy
inline constexpr double kUnexplainedCritical = 0.50; ///< 50 % busy

// Utilization says that some kernel ran, SM activity how much of the GPU it filled. A training job
// that is well fed has both above 80 %; two small processes that take turns on an H200 were seen at
// 90 % and 0.3 %.
inline constexpr double kBusyUtilization = 50; ///< percent, at least: below it is idle anyway
inline constexpr double kHardlyFilled = 0.33;  ///< SM activity, below this share of utilization

// The host at a moment. SageMaker's CPUBottleneck takes 90 % of the cores as saturated and its
// LowGPUUtilization 70 % as well used: a GPU above that is not waiting.
inline constexpr double kSaturatedCpu = 90; ///< percent, mean over the node's cores
inline constexpr double kWaitingGpu = 70; ///< percent; above it no cause on the host is looked for

// I/O wait is idle time of a core with a read outstanding, so it can never pass the number of
// processes that read: it is counted in cores, and against the cores that compute. SageMaker's
// IOBottleneck takes 50 % of all cores, which a loader with few workers never reaches.
inline constexpr double kWaitingCores = 0.8;    ///< cores in I/O wait, at least
inline constexpr double kWaitAgainstWork = 0.8; ///< times the cores at work, at least

// A GPU is idle where it computed at hardly any sample. 1 % of a day is a quarter of an hour.
inline constexpr double kUsedPercent = 1;    ///< a sample at or above it has been used
inline constexpr double kUsedSamples = 0.01; ///< share of samples of a GPU that counts as used

// Steps that stall. A step twice as long as the median is no noise; garbage collection and clocks
// stay below it.
inline constexpr double kStallFactor = 2;
inline constexpr Microseconds kMinStall = kSecond / 10;
inline constexpr std::size_t kMinStepsForMedian = 5; ///< fewer steps have no usual duration
inline constexpr double kMaxPeriodSpread = 1.3; ///< p90 of their distances to the median: regular
/// Ends of the steps of ranks that train together, median, of an iteration.
inline constexpr double kMaxApartInStep = 0.1;
inline constexpr std::size_t kFewStalls = 20; ///< up to here "a few steps" stall

// When the training loop ran, as GPUs tell: work goes on if this many moments of it come soon one
// after the other. Libraries touch a GPU once while they are loaded.
inline constexpr std::size_t kMinMomentsOfWork = 3;
inline constexpr Microseconds kMaxPauseOfWork = 10 * kSecond;

// When a cause holds: if it takes more than this share of a window.
inline constexpr double kMinWindowShare = 0.25;

// Metrics are not always sampled at the same moments, nor as often: how far from a sample of the
// GPU one of the host may lie.
inline constexpr Microseconds kMaxHostSampleDistance = 5 * kSecond;

// Pauses of a GPU, if only samples are known: it is idle at or below this share.
inline constexpr double kPausedGpu = result::kIdleGpuPercent;
inline constexpr Microseconds kLongPause = 5 * kSecond; ///< longer ones are stalls, one by one
inline constexpr double kMinLongPauses = 0.5; ///< of paused time is in long ones: they are stalls
inline constexpr double kMaxStallShare = 0.8; ///< of the loop's pauses are stalls only up to here
inline constexpr double kWorkingGpu =
    50; ///< percent, mean outside of pauses: below it they are no cause
inline constexpr double kLoaderCores =
    1.75; ///< cores at work in pauses: more than the one of a loop

// A start or end that is worth repairing: an import of a framework and a CUDA context take tens of
// seconds on any machine.
inline constexpr double kMinPhase = 60; ///< seconds
/// Seconds of the training loop. A shorter one is a trial of a job to come: what it took to start
/// is set aside, unless that took as long itself.
inline constexpr double kLongLoop = 600;

// How much GPUs have to differ: SageMaker's LoadBalancing is about distributions; a difference of
// means of ten points is one that a person sees.
inline constexpr double kImbalance = 0.10; ///< of a GPU's time, between the busiest and the mean

// Memory. SageMaker's GPUMemoryIncrease takes 5 points; tb_plugin warns above 90 % of the GPU's
// memory, TraceML calls 80 % high and 90 % very high.
inline constexpr double kGrowth = 5;         ///< points of percent over the loop
inline constexpr double kGrowthSteady = 0.8; ///< of the tenths of the loop rise
inline constexpr double kGrowthLate = 0.25;  ///< of it in the second half: a cache fills early
inline constexpr double kPressure = 90;      ///< percent
inline constexpr double kPressureCritical = 97;
inline constexpr double kOccupied = 2;        ///< occupied memory varies less than this many points
inline constexpr double kOccupiedSpread = 10; ///< the same, within a tenth of the loop
inline constexpr std::size_t kMemoryParts = 10;
inline constexpr std::size_t kMinSamplesInPart = 3;

// How a job ended. What a counter says of it is of its last minute. Memory that climbs to a failure
// does so steadily: without falling, without one jump that explains it, in both halves of the time.
inline constexpr Microseconds kJustBeforeEnd = kMinute;
inline constexpr double kFullMemory = 97;       ///< percent of a GPU: the next tensor may not fit
inline constexpr double kClimbFoot = 0.02;      ///< of its top: less is a GPU that is not used yet
inline constexpr double kClimbSlack = 0.01;     ///< of its top: so much may be given back
inline constexpr double kClimbJump = 0.30;      ///< of the climb in one sample: a model is loaded
inline constexpr double kClimbLeast = 0.10;     ///< of its top
inline constexpr double kClimbHalf = 0.25;      ///< of the climb in each half of its time
inline constexpr double kClimbWhole = 0.80;     ///< of the time in which the GPU was used
inline constexpr std::size_t kClimbSamples = 8; ///< fewer show no course

// Throttling, of the training loop. A GPU at full work is near its power limit by design: only
// clocks far below their maximum are worth a word.
inline constexpr double kThermalThrottled = 0.05; ///< of a GPU's samples
inline constexpr double kMostlyThrottled = 0.50;  ///< of the samples or periods: critical
inline constexpr double kPowerThrottled = 0.25;   ///< of a GPU's samples
inline constexpr double kLowClock = 0.85;         ///< of the maximum, mean while throttled
inline constexpr double kVeryLowClock = 0.70;     ///< the same: a warning
inline constexpr double kCoresThrottled = 0.10;   ///< of the scheduler's periods, mean

// Collectives on the wire: they send as much as they receive, which reading of data does not.
inline constexpr double kSymmetry = 0.5;     ///< of the larger direction, at least
inline constexpr double kNetworkBusy = 10e6; ///< B/s in each direction, at least
inline constexpr double kNetworkMore = 2;    ///< times what goes over while GPUs work, at least
inline constexpr double kNetworkHigh = 0.3;  ///< of the highest rate seen (p99)

// A rank that others wait for: later than a millisecond, and than twice the next.
inline constexpr double kMinLatenessUs = 1000;
inline constexpr double kMinLatenessRatio = 2;
inline constexpr double kMostlyWaiting = 0.5; ///< of collectives' time: bytes are not the problem

// Sampled Python stacks, of the main threads.
inline constexpr double kMinStackSeconds = 3; ///< of the loop: fewer are no share of it
inline constexpr double kMinLineShare = 0.30; ///< of a finding's time in one function: worth naming
inline constexpr double kMinSampledShare = 0.25; ///< of a finding's time, sampled at all
/// Of the loop, on top of what any script does between its calls of PyTorch.
inline constexpr double kMuchPython = 0.30;

// What is added to a finding's text.
inline constexpr double kMinGain = 1.1;      ///< times faster: less is not worth a promise
inline constexpr double kMaxGain = 20;       ///< times faster: the estimate is not checked beyond
inline constexpr double kMostlyLate = 0.5;   ///< of the idle time the host is late with launches
inline constexpr double kHostHalfIdle = 0.5; ///< of the cores at work: the rest could help

// The model, by its losses. SageMaker's Overfit and Overtraining wait for 10 evaluations without a
// better one, its LossNotDecreasing for a decrease of 0.1 %; both look at single values, which
// noise moves, so levels here are medians of stretches, and a trend has to pass Mann and Kendall's
// test.
inline constexpr std::size_t kMaxStretches = 20;  ///< that a curve is judged by
inline constexpr double kSureTrend = 1.96;        ///< z: one chance in forty
inline constexpr double kSureNoise = 3;           ///< standard deviations
inline constexpr std::int64_t kMinSavedSteps = 5; ///< of tensors, before they tell anything
inline constexpr double kMostLayers = 0.5;        ///< of which vanish: the model does not learn
inline constexpr std::size_t kMinLossPoints = result::kMinLossPoints;
inline constexpr double kMostlyBroken = 0.9;      ///< of the values up to the end are not finite
inline constexpr double kExploded = 3;            ///< times the loss at the start
inline constexpr double kLearned = 0.8;           ///< of the loss at the start: it had learned
inline constexpr double kLostMost = 0.5;          ///< of what it had learned
inline constexpr double kFarAbove = 2;            ///< times the best level, the same
inline constexpr double kRegained = 0.25;         ///< of what was lost: it is coming back
inline constexpr std::size_t kFewFlatPoints = 10; ///< before a flat loss means anything
inline constexpr std::size_t kMinFlatPoints = 50; ///< the same, with noise
inline constexpr double kMinDescent = 0.01;       ///< of the loss at the start
inline constexpr double kNoDescent = 0.002;       ///< of it, with a sure trend
inline constexpr double kVisibleDescent = 0.15;   ///< of the loss: noise may not hide more
inline constexpr double kMaxFirstStep = 0.05;     ///< of the last step: else it was resumed
inline constexpr std::size_t kMinEvaluations = result::kMinEvaluations;
inline constexpr std::size_t kMinEvaluationsAfter = 4; ///< after the best one
inline constexpr std::size_t kFewAfter = 3;            ///< the same, if each is worse than the last
inline constexpr double kSteadyRise = 0.10;            ///< of the best: what these few have to rise
inline constexpr std::size_t kPatientEvaluations = 10; ///< without a better one
inline constexpr double kLongAgo = 0.5;                ///< of the evaluations came after the best
inline constexpr double kMinRise = 0.05;               ///< of the best evaluation
inline constexpr double kMinGained = 0.05; ///< of an accuracy, or of what it lacks, if that is less
inline constexpr double kConstant = 1e-6;  ///< of an evaluation: a float's resolution
inline constexpr double kFarFromZero = 0.01; ///< of the median: a loss that is 0 beside is none
inline constexpr double kWarmUpStart = 0.5; ///< of the highest learning rate, at most, at the start

// A language model begins with a guess among all tokens, whose loss is the logarithm of their
// number (8,000 to 440,000), and first learns how frequent each is, at a loss of 7 to 7.7 (Zipf's
// law).
inline constexpr double kLeastVocabulary = 9;
inline constexpr double kMostVocabulary = 13;
inline constexpr double kFrequenciesOnly = 6.5;

// How much data stands behind a conclusion. jobstats is silent below ten samples; TraceML is never
// critical below twenty steps.
inline constexpr double kMinSamples = 10;
inline constexpr std::int64_t kMinSteps = 2; ///< enough to say something, where samples are few
inline constexpr double kMinSeconds = 20; ///< of the loop, measured: what is not found is not there
inline constexpr double kManySamples = 100;
inline constexpr double kManySteps = 20;

/// Seconds lost per GPU. Less is what any short run loses here or there. Traces are milliseconds
/// that stand for hours.
inline constexpr double kMinLostSeconds = 1;

/// A trace with less work of the GPU than this and without marked steps is of one call, not of a
/// job. Microseconds.
inline constexpr double kMinTracedWork = 1000;

/// A trace of which this share is set-up, in so few steps, says nothing of the steps to come.
inline constexpr double kMostlySetup = 0.5;
inline constexpr std::size_t kSetupSteps = 3;

} // namespace debrief::findings::thresholds
