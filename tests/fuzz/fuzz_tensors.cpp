// SageMaker Debugger's files: the first byte says which.
#include "fuzz.h"
#include "ingest/tensors/collections_reader.h"
#include "ingest/tensors/index_reader.h"
#include "ingest/tensors/tensor_event.h"
#include "util/pattern.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace debrief;
  if (size == 0) return 0;
  const std::string_view rest{reinterpret_cast<const char*>(data) + 1, size - 1};
  switch (data[0] % 4) {
  case 0:
    return fuzz::read_with(ingest::TensorIndexReader{},
                           "index/000000000/000000000007_worker_0.json", data + 1, size - 1);
  case 1:
    return fuzz::read_with(ingest::TensorCollectionsReader{},
                           "collections/000000000/worker_0_collections.json", data + 1, size - 1);
  case 2: {
    job::TensorData tensor;
    ingest::tensors::decode_tensor(rest, "w", job::Reduction::none, tensor);
    return 0;
  }
  default: {
    // A pattern, and after a line's end the text that it is searched in.
    const std::size_t line = std::min(rest.find('\n'), rest.size());
    if (const auto pattern = Pattern::parse(rest.substr(0, line)))
      pattern->search(rest.substr(std::min(line + 1, rest.size())));
    return 0;
  }
  }
}
