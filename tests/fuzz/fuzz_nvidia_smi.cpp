#include "fuzz.h"
#include "ingest/trackers/nvidia_smi_dmon_reader.h"
#include "ingest/trackers/nvidia_smi_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace debrief;
  if (size > 0 && data[0] == '#')
    return fuzz::read_with(ingest::NvidiaSmiDmonReader{}, "dmon.log", data, size);
  return fuzz::read_with(ingest::NvidiaSmiReader{}, "gpu.csv", data, size);
}
