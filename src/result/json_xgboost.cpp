// What is known about an XGBoost model, as JSON.
#include "result/json_io.h"

#include <algorithm>

namespace debrief::result {

template <typename Io>
void describe(Io& io, Ref<Io, EvalLoss> loss) {
  io("set", loss.set);
  io("scalar", loss.scalar);
  io.digits("first", loss.first);
  io.digits("last", loss.last);
  io.digits("best", loss.best);
  io("best_round", loss.best_round);
  io("last_round", loss.last_round);
}

template <typename Io>
void describe(Io& io, Ref<Io, FeatureImportance> feature) {
  io("name", feature.name);
  io.digits("weight", feature.weight);
  io.digits("gain", feature.gain);
  io.digits("cover", feature.cover);
  io.digits("total_gain", feature.total_gain);
  io.digits("total_cover", feature.total_cover);
}

template <typename Io>
void describe(Io& io, Ref<Io, SavedModel> model) {
  io("file", model.file);
  io.text_or_null("version", model.version);
  io.text_or_null("booster", model.booster);
  io("trees", model.trees);
  io("rounds", model.rounds);
  io("best_round", model.best_round);
  io("features", model.features);
  io("classes", model.classes);
  io("splits", model.splits);
  io("leaves", model.leaves);
  io("trees_by_depth", model.trees_by_depth);
}

template <typename Io>
void describe(Io& io, Ref<Io, ClassRow> row) {
  io("label", row.label);
  io("rows", row.rows);
  io("predicted", row.predicted);
  io("right", row.right);
  io("precision", row.precision);
  io("recall", row.recall);
  io("f1", row.f1);
}

template <typename Io>
void describe(Io& io, Ref<Io, ClassAverage> average) {
  io("precision", average.precision);
  io("recall", average.recall);
  io("f1", average.f1);
}

template <typename Io>
void describe(Io& io, Ref<Io, Mistake> mistake) {
  io("label", mistake.label);
  io("predicted", mistake.predicted);
  io("rows", mistake.rows);
}

template <typename Io>
void describe(Io& io, Ref<Io, ClassAccuracy> accuracy) {
  io("label", accuracy.label);
  io("values", accuracy.values);
}

template <typename Io>
void describe(Io& io, Ref<Io, Classification> classes) {
  io("classes", classes.classes);
  io("matrix", classes.matrix);
  io("mistakes", classes.mistakes);
  io("accuracy", classes.accuracy);
  io("micro", classes.micro);
  io("macro", classes.macro);
  io("weighted", classes.weighted);
  io("accuracy_over_rounds", classes.over_rounds);
  if constexpr (!Io::kWrites) {
    const std::size_t size = classes.classes.size();
    const bool square = classes.matrix.size() == size &&
                        std::all_of(classes.matrix.begin(), classes.matrix.end(),
                                    [&](const auto& row) { return row.size() == size; });
    if (!square) classes.matrix.clear();
  }
}

template <typename Io>
void describe(Io& io, Ref<Io, RocPoint> point) {
  io.digits("threshold", point.threshold);
  io("false_positive_rate", point.false_positives);
  io("true_positive_rate", point.true_positives);
}

template <typename Io>
void describe(Io& io, Ref<Io, Roc> roc) {
  io("auc", roc.auc);
  io("positives", roc.positives);
  io("negatives", roc.negatives);
  io("used", roc.used);
  io("best", roc.best);
  io("points", roc.points);
}

template <typename Io>
void describe(Io& io, Ref<Io, Distribution> values) {
  io("count", values.count);
  io.digits("mean", values.mean);
  io.digits("stddev", values.stddev);
  io.digits("skewness", values.skewness);
  io.digits("min", values.min);
  io.digits("p05", values.p05);
  io.digits("p50", values.p50);
  io.digits("p95", values.p95);
  io.digits("max", values.max);
  io.group("histogram", [&](Io& histogram) {
    histogram.digits("edges", values.histogram.edges);
    histogram("counts", values.histogram.counts);
  });
}

template <typename Io>
void describe(Io& io, Ref<Io, LabelBin> bin) {
  io.digits("from", bin.from);
  io.digits("to", bin.to);
  io("rows", bin.rows);
  io.digits("errors", bin.errors);
}

template <typename Io>
void describe(Io& io, Ref<Io, Regression> regression) {
  io.digits("rmse", regression.rmse);
  io.digits("mae", regression.mae);
  io.digits("r2", regression.r2);
  io("residuals", regression.residuals);
  io("label_bins", regression.bins);
}

template <typename Io>
void describe(Io& io, Ref<Io, Xgboost> report) {
  io("problem", report.problem);
  io.text_or_null("objective", report.objective);
  io("gaps", report.gaps);
  io("model", report.model);
  io.text_or_null("loss", report.loss);
  io("losses", report.losses);
  io.text_or_null("importance_source", report.importance_source);
  io("importance_round", report.importance_round);
  io("importance", report.importance);
  io("features_left_out", report.features_left_out);
  io("round", report.round);
  io("rows", report.rows);
  io("rows_left_out", report.rows_left_out);
  io("workers", report.workers);
  io("saved_rounds", report.saved_rounds);
  io("rounds", report.rounds);
  io.unless_empty("labels", report.labels);
  io.unless_empty("classification", report.classification);
  io.unless_empty("roc", report.roc);
  io.unless_empty("regression", report.regression);
}

template <typename Io>
void describe_xgboost(Io& io, Ref<Io, Result> result) {
  io.unless_empty("xgboost", result.xgboost);
}

template void describe_xgboost(Writer& io, const Result& result);
template void describe_xgboost(Reader& io, Result& result);

} // namespace debrief::result
