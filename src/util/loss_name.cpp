#include "util/loss_name.h"

#include "util/scalar_key.h"

#include <algorithm>
#include <array>

namespace debrief {

namespace {

using Words = std::vector<std::string>;

/// Say which data a loss is of, or how its values were made of those of batches; none says that it
/// is of a part of the model.
constexpr auto kNeutral = std::to_array<std::string_view>(
    {"train",   "training",  "eval",     "evaluation", "val",      "valid", "validation",
     "test",    "dev",       "heldout",  "epoch",      "step",     "steps", "batch",
     "iter",    "iteration", "avg",      "average",    "mean",     "total", "overall",
     "global",  "running",   "smoothed", "smooth",     "ema",      "lm",    "metric",
     "metrics", "losses",    "all",      "sum",        "combined", "final", "token",
     "tokens",  "per",       "sample",   "micro",      "log",      "logs",  "scalar",
     "scalars", "main",      "training", "full"});

/// Of reinforcement learning, of adversaries, of regularizers and of what is learned on the side:
/// none falls because the model learns.
constexpr auto kParts = std::to_array<std::string_view>({"entropy",
                                                         "kl",
                                                         "kld",
                                                         "kldiv",
                                                         "policy",
                                                         "value",
                                                         "critic",
                                                         "actor",
                                                         "vf",
                                                         "pg",
                                                         "q",
                                                         "qf",
                                                         "td",
                                                         "alpha",
                                                         "temperature",
                                                         "surrogate",
                                                         "ppo",
                                                         "advantage",
                                                         "d",
                                                         "g",
                                                         "dis",
                                                         "disc",
                                                         "discriminator",
                                                         "gen",
                                                         "generator",
                                                         "adv",
                                                         "adversarial",
                                                         "adversary",
                                                         "gan",
                                                         "real",
                                                         "fake",
                                                         "cycle",
                                                         "identity",
                                                         "idt",
                                                         "gp",
                                                         "penalty",
                                                         "feature",
                                                         "features",
                                                         "perceptual",
                                                         "lpips",
                                                         "style",
                                                         "content",
                                                         "tv",
                                                         "commit",
                                                         "commitment",
                                                         "codebook",
                                                         "vq",
                                                         "quantizer",
                                                         "aux",
                                                         "auxiliary",
                                                         "router",
                                                         "balance",
                                                         "balancing",
                                                         "z",
                                                         "moe",
                                                         "expert",
                                                         "experts",
                                                         "reg",
                                                         "regularization",
                                                         "regularizer",
                                                         "orthogonality",
                                                         "sparsity",
                                                         "decay",
                                                         "head",
                                                         "heads",
                                                         "distill",
                                                         "distillation",
                                                         "kd",
                                                         "task",
                                                         "reward",
                                                         "dyn",
                                                         "rep"});

bool is_among(std::string_view word, const auto& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// "qf1" and "head_2" are of the first and the second of several.
std::string_view without_number(std::string_view word) {
  while (!word.empty() && word.back() >= '0' && word.back() <= '9')
    word.remove_suffix(1);
  return word;
}

bool ends_in_loss(std::string_view word) {
  return word.ends_with("loss");
}

/// The first output of a module ("CrossEntropyLoss_output_0") and of an operation ("loss:0").
std::string_view without_output(std::string_view name) {
  for (const std::string_view end : {"_output_0", ":0"})
    if (name.ends_with(end)) name.remove_suffix(end.size());
  return name;
}

/// What stands in a loss's name beside "loss": "klloss" has "kl".
Words qualifiers_of(const Words& words) {
  Words out;
  for (std::size_t at = 0; at < words.size(); ++at) {
    std::string word = words[at];
    if (ends_in_loss(word)) word.resize(word.size() - 4);
    if (word.empty()) continue;
    // A cross entropy is what most models are trained by.
    if (word == "entropy" && at > 0 && words[at - 1] == "cross") {
      out.back() = "crossentropy";
      continue;
    }
    out.push_back(std::move(word));
  }
  return out;
}

bool all_neutral(const Words& qualifiers) {
  return std::all_of(qualifiers.begin(), qualifiers.end(),
                     [](const std::string& word) { return is_among(word, kNeutral); });
}

/// The scale of a loss is none, and neither are its gradient, its weight or its perplexity.
bool is_about_loss(const Words& words) {
  constexpr auto kOthers = std::to_array<std::string_view>(
      {"scale", "scaling", "grad", "weight", "coef", "coefficient", "ppl", "perplexity", "std"});
  return std::none_of(words.begin(), words.end(),
                      [&](const std::string& word) { return is_among(word, kOthers); });
}

} // namespace

std::vector<std::string> name_words(std::string_view name) {
  Words words;
  std::string word;
  for (const char c : scalar_key(name)) {
    if (c != ' ' && c != ':' && c != '@') { // "acc@1"
      word += c;
      continue;
    }
    if (!word.empty()) words.push_back(std::move(word));
    word.clear();
  }
  if (!word.empty()) words.push_back(std::move(word));
  return words;
}

LossName loss_name(std::string_view name) {
  name = without_output(name);
  const Words words = name_words(name);
  if (std::none_of(words.begin(), words.end(), ends_in_loss) || !is_about_loss(words))
    return LossName::none;
  const Words qualifiers = qualifiers_of(words);
  const Words last = name_words(name.substr(name.rfind('/') + 1)); // npos + 1 is 0
  const bool is_numbered = std::any_of(last.begin(), last.end(), [](const std::string& word) {
    return without_number(word).empty();
  });
  if (is_numbered || std::any_of(qualifiers.begin(), qualifiers.end(), [](const std::string& word) {
        return is_among(without_number(word), kParts);
      }))
    return LossName::part;
  if (all_neutral(qualifiers)) return LossName::whole;
  return std::any_of(last.begin(), last.end(), ends_in_loss) && all_neutral(qualifiers_of(last))
             ? LossName::in_group
             : LossName::qualified;
}

std::string loss_stem(std::string_view name) {
  std::string stem;
  for (const std::string& word : qualifiers_of(name_words(without_output(name)))) {
    if (is_among(word, kNeutral)) continue;
    if (!stem.empty()) stem += ' ';
    stem += word;
  }
  return stem;
}

} // namespace debrief
