// SPDX-License-Identifier: Apache-2.0
#include "models/fault/plane_parameters.h"

#include <algorithm>
#include <charconv>

#include "models/common/random.h"
#include "models/fault/entry.h"

namespace odonata::fault {

Timing Timing::native(const Dragonfly& d) {
  Timing t;
  t.stations = d.num_ports();
  t.base_b = d.p();
  t.base_g = d.p() + d.a();
  t.entries = num_rows(d);
  return t;
}

namespace {

constexpr int kMostStations = 64, kMostRows = 1024;  // the port and row pins of the units

/// "64,560": two numbers with a comma between; false when it is something else.
bool parse_pair(std::string_view text, int& first, int& second) {
  const char* end = text.data() + text.size();
  const auto [comma, bad] = std::from_chars(text.data(), end, first);
  if (bad != std::errc{} || comma == end || *comma != ',') return false;
  const auto [rest, error] = std::from_chars(comma + 1, end, second);
  return error == std::errc{} && rest == end;
}

}  // namespace

Timing Timing::of(const Dragonfly& d, std::string_view hardware) {
  const Timing full, own = native(d);
  if (hardware == "full") return full;
  if (hardware == "native") return own;
  Timing t = own;
  const bool pair = parse_pair(hardware, t.stations, t.entries);
  const bool fits = pair && t.stations >= own.stations && t.stations <= kMostStations && t.entries >= own.entries &&
                    t.entries <= kMostRows;
  if (!fits) {
    throw Error("'" + std::string(hardware) + "' is " + (pair ? "out of range" : "unknown") +
                ", expected full, native or STATIONS,ROWS with " + std::to_string(own.stations) + ".." +
                std::to_string(kMostStations) + " stations and " + std::to_string(own.entries) + ".." +
                std::to_string(kMostRows) + " rows for " + d.name());
  }
  return t.stations == full.stations && t.entries == full.entries ? full : t;
}

int64_t Timing::service(int ports, int64_t work) const {
  const int64_t through_ring = int64_t{stations - 1} * ring_hop,
                through_unit = int64_t{ports - 1} * ring_hop + work - 1;
  return 1 + std::max(through_ring, through_unit) + 2;
}

double Timing::mean_poll() const {
  int64_t sum = 0;
  for (int way = 0; way < stations; ++way) sum += 1 + way / poll_width;
  return static_cast<double>(sum) / stations;
}

std::string to_string(const Timing& t) {
  if (t.ideal)
    return "constant service times: t_ld " + std::to_string(t.ideal_local) + ", t_gd " +
           std::to_string(t.ideal_message) + ", t_r " + std::to_string(t.ideal_recovery);
  std::string load = std::to_string(t.load);
  load.erase(load.find_last_not_of('0') + 1);
  if (load.back() == '.') load.pop_back();
  return std::to_string(t.stations) + " stations, " + std::to_string(t.entries) + " rows, poll width " +
         std::to_string(t.poll_width) + ", ring hop " + std::to_string(t.ring_hop) + ", " + std::to_string(t.banks) +
         (t.banks == 1 ? " bank, " : " banks, ") + (t.pipelined ? "pipelined" : "one command at a time") + ", load " +
         load;
}

bool route_reads(const Timing& timing, int router, int port, int64_t cycle) {
  if (timing.load <= 0) return false;
  const auto threshold = static_cast<uint64_t>(timing.load * 0x1.0p53);
  return mix_seed(timing.seed, static_cast<uint64_t>(router) * 64 + port, static_cast<uint64_t>(cycle)) >> 11 <
         threshold;
}

}  // namespace odonata::fault
