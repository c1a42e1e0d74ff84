// Which of the losses that a script logs is the loss: by its name, and by what else was logged.
//
// A training logs "loss" and parts of it: an entropy, a discriminator's, an auxiliary head's. Parts
// go their own ways while the model learns, so only the whole is judged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace debrief {

/// A scalar's words, lower-case: "train/loss_epoch" -> "loss", "epoch".
std::vector<std::string> name_words(std::string_view name);

/// Ordered by how sure it is that this is the loss.
enum class LossName : std::uint8_t {
  none,      ///< no loss at all
  part,      ///< of a loss: "entropy_loss", "d_loss", "aux/loss"
  qualified, ///< "mlm_loss": the loss where it is the only one
  in_group,  ///< "bert/loss": the same, before qualified ones
  whole      ///< "loss", "train/loss", "total_loss", "val_loss_epoch"
};

LossName loss_name(std::string_view name);

/// What a loss is of, without words for its data and for how it was averaged: "eval/mlm_loss" and
/// "mlm_loss_epoch" -> "mlm". Empty for the whole.
std::string loss_stem(std::string_view name);

/// The loss among some that were logged: the whole before others, the one with the most values of
/// several. Several losses without a whole, and one among parts, are parts of one that was not
/// logged: then there is none.
template <typename Series>
class LossChoice {
public:
  /// A loss that is a part, by what it is called or by its run.
  void add_part() { has_parts_ = true; }

  void add(const Series& series, std::string_view name, std::size_t values) {
    const LossName kind = loss_name(name);
    if (kind < LossName::qualified || kind < kind_) return;
    std::string stem = loss_stem(name);
    if (kind > kind_) {
      kind_ = kind;
      best_ = nullptr;
      is_ambiguous_ = false;
    } else if (kind != LossName::whole && stem != stem_) {
      is_ambiguous_ = true;
      return;
    }
    if (best_ == nullptr || values > values_) {
      best_ = &series;
      values_ = values;
    }
    stem_ = std::move(stem);
  }

  /// Null where there is none.
  const Series* best() const {
    const bool is_part = is_ambiguous_ || (has_parts_ && kind_ == LossName::qualified);
    return is_part ? nullptr : best_;
  }

private:
  LossName kind_ = LossName::none;
  std::string stem_;
  const Series* best_ = nullptr;
  std::size_t values_ = 0;
  bool is_ambiguous_ = false;
  bool has_parts_ = false;
};

} // namespace debrief
