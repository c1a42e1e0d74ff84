#include "util/loss_name.h"

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <vector>

namespace test_loss_name {

using namespace debrief;

TEST_CASE("the usual names are those of the loss") {
  for (const char* name :
       {"loss", "train/loss", "train_loss", "total_loss", "Loss/train", "val_loss", "eval/loss",
        "epoch_loss", "train_loss_epoch", "val_loss_step", "lm loss", "trainLoss", "train-logloss",
        "loss_metrics/global_avg_loss", "Loss", "loss:0", "running_loss"})
    CHECK((loss_name(name) == LossName::whole ? std::string{} : std::string{name}).empty());
}

TEST_CASE("parts of a loss are known by their words") {
  for (const char* name :
       {"train/entropy_loss", "kl_loss", "train/policy_gradient_loss", "value_loss",
        "losses/qf1_loss", "actor/loss", "d_loss", "loss_G", "discriminator_loss", "aux/loss",
        "loss_0", "head2_loss", "commitment_loss", "perceptual_loss", "klloss", "z_loss",
        "moe/balance_loss"})
    CHECK((loss_name(name) == LossName::part ? std::string{} : std::string{name}).empty());
}

TEST_CASE("a cross entropy is what most models are trained by") {
  CHECK(loss_name("cross_entropy_loss") == LossName::qualified);
  CHECK(loss_name("train/CrossEntropyLoss_output_0") == LossName::qualified);
  CHECK(loss_name("bert/loss") == LossName::in_group);
}

TEST_CASE("what is about a loss is none") {
  for (const char* name :
       {"loss_scale", "lr", "lm loss ppl", "loss_weight", "grad_norm", "glossary"})
    CHECK(loss_name(name) == LossName::none);
}

TEST_CASE("a stem is what a loss is of, whatever its data") {
  CHECK(loss_stem("eval/mlm_loss") == loss_stem("train/mlm_loss_epoch"));
  CHECK(loss_stem("mlm_loss") != loss_stem("nsp_loss"));
  CHECK(loss_stem("train_loss").empty());
}

namespace {

/// The name that is chosen of these, each with as many values as its place says; empty: none.
std::string chosen(const std::vector<std::string>& names) {
  LossChoice<std::string> choice;
  std::size_t values = 1;
  for (const std::string& name : names) {
    if (loss_name(name) == LossName::part)
      choice.add_part();
    else
      choice.add(name, name, values++);
  }
  return choice.best() == nullptr ? "" : *choice.best();
}

} // namespace

TEST_CASE("the whole goes before others, and of several the longest") {
  CHECK(chosen({"loss", "recon_loss", "kl_loss"}) == "loss");
  CHECK(chosen({"mse_loss", "train/loss"}) == "train/loss");
  CHECK(chosen({"loss", "train_loss"}) == "train_loss");
  CHECK(chosen({"mlm_loss"}) == "mlm_loss");
}

TEST_CASE("of parts alone none is the loss") {
  CHECK(chosen({"d_loss", "g_loss"}).empty());
  CHECK(chosen({"box_loss", "cls_loss", "dfl_loss"}).empty());
  CHECK(chosen({"recon_loss", "kl_loss"}).empty());
  CHECK(chosen({"a/loss", "b/loss"}).empty());
  CHECK(chosen({}).empty());
}

} // namespace test_loss_name
