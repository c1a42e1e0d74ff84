// Models that XGBoost saved: model.json, and model.ubj (UBJSON), which has the same content.
#pragma once

#include "ingest/reader.h"

namespace debrief::ingest {

class XgboostModelReader final : public Reader {
public:
  std::string_view name() const override { return "XGBoost model"; }

  bool recognizes(const InputFile& file) const override;
  void read(InputFile& file, FileReading& reading, job::SourceCounts& counts) const override;
};

} // namespace debrief::ingest
