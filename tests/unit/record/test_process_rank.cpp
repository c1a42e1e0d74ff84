#include "record/process_rank.h"

#include <catch2/catch_test_macros.hpp>

#include <unistd.h>

#include <string>

namespace test_process_rank {

using namespace debrief;

namespace {

record::ProcessRank of(std::string lines) {
  for (char& c : lines)
    if (c == '\n') c = '\0';
  return record::rank_in(lines);
}

} // namespace

TEST_CASE("a launcher's variables say rank and world size") {
  const auto torchrun = of("PATH=/bin\nRANK=3\nLOCAL_RANK=1\nWORLD_SIZE=8\nSLURM_PROCID=0\n");
  CHECK(torchrun.rank == 3);
  CHECK(torchrun.world_size == 8);
  const auto slurm = of("SLURM_PROCID=2\nSLURM_NTASKS=4\n");
  CHECK(slurm.rank == 2);
  CHECK(slurm.world_size == 4);
  CHECK(of("OMPI_COMM_WORLD_RANK=1\nOMPI_COMM_WORLD_SIZE=2").rank == 1);
}

TEST_CASE("what is no rank is none") {
  CHECK_FALSE(of("").rank);
  CHECK_FALSE(of("RANK=\n").rank);
  CHECK_FALSE(of("RANK=-1\nWORLD_SIZE=2\n").rank);
  CHECK_FALSE(of("RANK=2\nWORLD_SIZE=2\n").rank);
  CHECK_FALSE(of("RANK=1x\n").rank);
  CHECK_FALSE(of("MY_RANK=1\nRANKS=1\n").rank);
  CHECK_FALSE(of("RANK=99999999999999999999\n").rank);
  CHECK_FALSE(record::rank_of(-1).rank);
}

} // namespace test_process_rank
