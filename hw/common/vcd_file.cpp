// SPDX-License-Identifier: Apache-2.0
#include "hw/common/vcd_file.h"

#include <cstdio>

#include "models/common/error.h"

namespace odonata::hw {

namespace {

constexpr std::string_view kSuffix = ".vcd";  // SystemC appends it

std::string without_suffix(const std::string& path) {
  return path.ends_with(kSuffix) ? path.substr(0, path.size() - kSuffix.size()) : path;
}

void require_writable(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "w");
  if (file == nullptr) throw Error("waveform '" + path + "' cannot be written");
  std::fclose(file);
}

/// One picosecond, without SystemC's message (I703) about it on standard output.
void set_time_unit(sc_core::sc_trace_file* file) {
  using sc_core::sc_report_handler;
  constexpr const char* kMessage = "tracing timescale unit set";
  const sc_core::sc_actions before = sc_report_handler::set_actions(kMessage, sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  file->set_time_unit(1, sc_core::SC_PS);
  sc_report_handler::set_actions(kMessage, sc_core::SC_INFO, before);
}

}  // namespace

sc_core::sc_trace_file* open_vcd(const std::string& path) {
  const std::string stem = without_suffix(path);
  require_writable(stem + std::string(kSuffix));
  sc_core::sc_trace_file* file = sc_core::sc_create_vcd_trace_file(stem.c_str());
  set_time_unit(file);
  return file;
}

}  // namespace odonata::hw
