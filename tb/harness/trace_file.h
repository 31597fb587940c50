// SPDX-License-Identifier: Apache-2.0
// Stimulus traces as text: recorded, shrunk, replayed, read by people.
//
//   odonata-trace 1
//   block route_compute
//   meta dragonfly 2,4,2,8
//   fields reset:1 req_valid:1 ...
//   1 0 ...            one line a cycle, hexadecimal, "=" for a field that is as in the line before
//   end 123 crc32 0a1b2c3d   number of cycles; CRC-32 (IEEE 802.3) of everything before this line
#pragma once

#include <map>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "models/common/error.h"
#include "tb/harness/probe.h"

namespace odonata::cosim {

/// Writes a whole file (tb/harness/files.h). Throws Error when the path cannot be written.
void write_file(const std::string& path, const std::string& text);
/// The whole of a file. Throws Error.
std::string read_file(const std::string& path);

/// A trace without its cycles: what they are for.
struct TraceHeader {
  std::string block;
  std::map<std::string, std::string> meta;  ///< keys without blanks
};

/// Checks frame, version, block, fields and CRC; returns the lines of the cycles, each split into fields, and where
/// they start.
struct TraceText {
  TraceHeader header;
  std::vector<std::vector<std::string>> rows;  ///< "=" already replaced
  size_t first_line = 0;
};
/// Throws Error "NAME:LINE: ... expected ...".
TraceText parse_trace(const std::string& name, const std::string& text, const std::string& block,
                      const std::string& fields);
/// Reads the header only (to learn which block and size a trace is for).
TraceHeader parse_trace_header(const std::string& name, const std::string& text);
std::string format_trace(const TraceHeader& header, const std::string& fields,
                         const std::vector<std::vector<std::string>>& rows);

template <class In>
std::string field_list(std::span<const Field<In>> fields) {
  std::string out;
  for (const Field<In>& f : fields)
    out += (out.empty() ? "" : " ") + std::string(f.name) + ":" + std::to_string(f.bits);
  return out;
}

template <class Block>
std::string write_trace(const std::map<std::string, std::string>& meta,
                        const std::vector<typename Block::Inputs>& cycles) {
  std::vector<std::vector<std::string>> rows;
  rows.reserve(cycles.size());
  for (const auto& in : cycles) {
    std::vector<std::string> row;
    for (const auto& f : Block::fields()) row.push_back(f.get(in));
    rows.push_back(std::move(row));
  }
  return format_trace({std::string(Block::kName), meta}, field_list<typename Block::Inputs>(Block::fields()), rows);
}

/// Throws Error that names file, line and field.
template <class Block>
std::vector<typename Block::Inputs> read_trace(const std::string& name, const std::string& text) {
  const TraceText trace =
      parse_trace(name, text, std::string(Block::kName), field_list<typename Block::Inputs>(Block::fields()));
  std::vector<typename Block::Inputs> cycles(trace.rows.size());
  const auto fields = Block::fields();
  for (size_t i = 0; i < cycles.size(); ++i) {
    for (size_t k = 0; k < fields.size(); ++k) {
      if (fields[k].set(cycles[i], trace.rows[i][k])) continue;
      throw Error(name + ":" + std::to_string(trace.first_line + i) + ": field " + fields[k].name + " = '" +
                  trace.rows[i][k] + "', expected a hexadecimal number of at most " + std::to_string(fields[k].bits) +
                  " bits");
    }
  }
  return cycles;
}

// Helpers for Field::get and Field::set.
std::string to_hex(uint64_t value);
bool from_hex(const std::string& hex, int bits, uint64_t& value);

}  // namespace odonata::cosim
