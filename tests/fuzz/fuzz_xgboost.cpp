// XGBoost's files: the first byte says which.
#include "fuzz.h"
#include "ingest/xgboost/evals_reader.h"
#include "ingest/xgboost/model_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace debrief;
  if (size == 0) return 0;
  if (data[0] % 3 == 0)
    return fuzz::read_with(ingest::EvalsResultReader{}, "evals_result.json", data + 1, size - 1);
  return fuzz::read_with(ingest::XgboostModelReader{}, "model.json", data + 1, size - 1);
}
