// SPDX-License-Identifier: Apache-2.0
// A set of vectors: what a unit is driven with and what it has to show, cycle by cycle, as text that $readmemh reads.
//
//   stimulus.hex   a line a cycle: bit 0 rst_ni, then the inputs in the order of vectors.json, the first one lowest
//   expected.hex   a line a cycle: the outputs after the edge that sampled the line of stimulus.hex, likewise
//   vectors.json   block, size, parameters, pins with their places, CRC-32 of both files, how the set was made
//   replay.sv      a bench in plain SystemVerilog: plays the stimulus, compares, writes what it saw to result.hex
#pragma once

#include <string>
#include <vector>

#include "sim/common/output.h"
#include "tb/harness/campaign.h"
#include "tb/harness/word_bench.h"

namespace odonata::cli {

/// How a set is made.
struct VectorRequest {
  std::string block;
  cosim::CampaignRequest campaign;  ///< size, traffic, load, seed, parameters
  uint64_t cycles = 1000;
};

/// The lines of stimulus.hex and expected.hex.
struct VectorLines {
  uint64_t cycles = 0;
  std::string stimulus, expected;
};
/// The first cycles of a bench's stimulus, and the golden unit's answers.
VectorLines vector_lines(const cosim::WordBench& bench, uint64_t cycles);

/// Writes a set into a folder, which is made. Throws Error.
void write_vector_set(const cosim::WordBench& bench, const VectorRequest& request, const VectorLines& lines,
                      const std::string& folder);

/// What a simulator wrote against a set.
struct VectorVerdict {
  uint64_t cycles = 0;  ///< compared
  std::vector<std::string>
      words;  ///< the first difference, pin by pin, with the golden unit's reasons; empty: there is none
};

/// Compares a file of another simulator (a line a cycle, as expected.hex) with the set in a folder. Throws Error when
/// one of them is no such file, or the result is of another set.
VectorVerdict check_result(const std::string& result, const std::string& folder);

/// The bench replay.sv.
std::string replay_bench(const cosim::UnitPins& pins, uint64_t cycles, const std::string& crc);

}  // namespace odonata::cli
