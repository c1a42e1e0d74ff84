// TensorBoard's event files: scalars in both encodings, and the least, most and mean of histograms.
//
// Every file of a folder belongs to one run; a run that was resumed has several. Graphs, images,
// sounds and texts are passed over.
#pragma once

#include "ingest/reader.h"

namespace debrief::ingest {

class TensorBoardReader final : public Reader {
public:
  std::string_view name() const override { return "TensorBoard events"; }

  bool recognizes(const InputFile& file) const override;
  void read(InputFile& file, FileReading& reading, job::SourceCounts& counts) const override;
};

} // namespace debrief::ingest
