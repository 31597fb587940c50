// SPDX-License-Identifier: Apache-2.0
#include "tb/congestion/blocks.h"

#include "tb/harness/trace_file.h"

namespace odonata::cosim {

using namespace congestion;
using enum ProbeKind;

namespace {

/// A pin of up to 64 bits; `get` gives a reference to it in (const) inputs.
template <class In, int Bits, auto Get>
constexpr Field<In> pin(const char* name) {
  return {name, Bits, [](const In& in) { return to_hex(static_cast<uint64_t>(Get(in))); },
          [](In& in, const std::string& hex) {
            uint64_t value = 0;
            if (!from_hex(hex, Bits, value)) return false;
            auto& pin = Get(in);
            pin = static_cast<std::remove_reference_t<decltype(pin)>>(value);
            return true;
          }};
}
template <class In, auto Member, int Bits>
constexpr Field<In> field(const char* name) {
  return pin < In, Bits, [](auto& in) -> auto& { return in.*Member; }
  > (name);
}
template <auto Member, int Bits>
constexpr Field<PcsInputs> frame_field(const char* name) {
  return pin < PcsInputs, Bits, [](auto& in) -> auto& { return in.frame.*Member; }
  > (name);
}

/// An array pin: four hexadecimal digits an element, the first element last; at most 31 x 16 bits.
template <class In, auto Member>
constexpr Field<In> array_field(const char* name) {
  return {name, 496,
          [](const In& in) {
            std::string out;
            for (auto value = (in.*Member).rbegin(); value != (in.*Member).rend(); ++value) {
              std::string hex = to_hex(*value);
              if (!out.empty()) hex.insert(0, 4 - hex.size(), '0');
              if (!out.empty() || hex != "0") out += hex;
            }
            return out.empty() ? "0" : out;
          },
          [](In& in, const std::string& text) {
            auto& array = in.*Member;
            const size_t digits = 4 * array.size();
            if (text.empty() || text.size() > digits) return false;
            const std::string hex = std::string(digits - text.size(), '0') + text;
            for (size_t k = 0; k < array.size(); ++k) {
              uint64_t value = 0;
              if (!from_hex(hex.substr(digits - 4 * (k + 1), 4), 8 * sizeof(array[k]), value)) return false;
              array[k] = static_cast<std::remove_reference_t<decltype(array[k])>>(value);
            }
            return true;
          }};
}

/// All 64 maps folded into one word, so that a difference anywhere shows.
uint64_t fold(const CollectorOutputs& o) {
  uint64_t x = 0;
  for (const GroupMap& m : o.map) {
    for (uint64_t w : m.word) x = (x ^ w) * 0x9E3779B97F4A7C15ull + 1;
  }
  return x;
}

}  // namespace

std::span<const Probe<MonitorOutputs>> CreditMonitorBlock::probes() {
  using O = MonitorOutputs;
  static constexpr Probe<O> kProbes[] = {
      {"credits in use", "rank 1 (counters)", cycle_exact, [](const O& o) -> uint64_t { return o.in_use; }},
      {"occupancy", "rank 1 (counters)", cycle_exact, [](const O& o) -> uint64_t { return o.occupancy; }},
      {"underflow", "rank 1 (counters)", cycle_exact, [](const O& o) -> uint64_t { return o.underflow; }},
      {"overflow", "rank 1 (counters)", cycle_exact, [](const O& o) -> uint64_t { return o.overflow; }},
      {"window", "rank 1 (history)", cycle_exact, [](const O& o) -> uint64_t { return o.window; }},
      {"corrected occupancy", "rank 2 (compare)", cycle_exact, [](const O& o) -> uint64_t { return o.corrected; }},
      {"congested", "rank 2 (compare)", cycle_exact, [](const O& o) -> uint64_t { return o.congested; }},
  };
  return kProbes;
}
std::span<const Field<MonitorInputs>> CreditMonitorBlock::fields() {
  using In = MonitorInputs;
  static constexpr Field<In> kFields[] = {
      field<In, &In::reset, 1>("reset"),          field<In, &In::sent, 4>("sent"),
      field<In, &In::credit, 4>("credit"),        field<In, &In::failed, 1>("failed"),
      field<In, &In::departed, 1>("departed"),    field<In, &In::capacity, 9>("capacity"),
      field<In, &In::window, 10>("window"),       field<In, &In::window_enable, 1>("enable"),
      field<In, &In::threshold, 16>("threshold"),
  };
  return kFields;
}
MonitorInputs CreditMonitorBlock::idle(const MonitorInputs& in) {
  MonitorInputs out = in;
  out.reset = out.failed = out.departed = false;
  out.sent = out.credit = 0;
  return out;
}
std::vector<MonitorInputs> CreditMonitorBlock::preload(const Reference&) { return {{.reset = true}}; }

std::span<const Probe<SenderOutputs>> BitmapSenderBlock::probes() {
  using O = SenderOutputs;
  static constexpr Probe<O> kProbes[] = {
      {"latch", "interval", cycle_exact, [](const O& o) -> uint64_t { return o.latch; }},
      {"frame valid", "send", cycle_exact, [](const O& o) -> uint64_t { return o.valid; }},
      {"idle frame", "send", cycle_exact, [](const O& o) -> uint64_t { return o.idle; }},
      {"stolen slot", "send", cycle_exact, [](const O& o) -> uint64_t { return o.stolen; }},
      {"bitmap", "latch", cycle_exact, [](const O& o) -> uint64_t { return o.bits; }},
      {"CRC", "latch", cycle_exact, [](const O& o) -> uint64_t { return o.crc; }},
  };
  return kProbes;
}
std::span<const Field<SenderInputs>> BitmapSenderBlock::fields() {
  using In = SenderInputs;
  static constexpr Field<In> kFields[] = {
      field<In, &In::reset, 1>("reset"), field<In, &In::congested, 16>("congested"), field<In, &In::flit, 31>("flit"),
      field<In, &In::tail, 31>("tail"),  field<In, &In::interval, 8>("interval"),    field<In, &In::own_bid, 5>("own_bid"),
  };
  return kFields;
}
SenderInputs BitmapSenderBlock::idle(const SenderInputs& in) {
  SenderInputs out = in;
  out.reset = false;
  out.flit = out.tail = 0;
  return out;
}
std::vector<SenderInputs> BitmapSenderBlock::preload(const Reference&) { return {{.reset = true}}; }

std::span<const Probe<CollectorOutputs>> BitmapCollectorBlock::probes() {
  using O = CollectorOutputs;
  static constexpr Probe<O> kProbes[] = {
      {"good frames", "store (CRC)", cycle_exact, [](const O& o) -> uint64_t { return o.good; }},
      {"bad frames", "store (CRC)", cycle_exact, [](const O& o) -> uint64_t { return o.bad; }},
      {"silent neighbours", "staleness", cycle_exact, [](const O& o) -> uint64_t { return o.stale; }},
      {"map at stop 0, bits 0..63", "ring stop 0", cycle_exact, [](const O& o) -> uint64_t { return o.map[0].word[0]; }},
      {"all maps (folded)", "ring", cycle_exact, fold},
  };
  return kProbes;
}
std::span<const Field<CollectorInputs>> BitmapCollectorBlock::fields() {
  using In = CollectorInputs;
  static constexpr Field<In> kFields[] = {
      field<In, &In::reset, 1>("reset"),
      field<In, &In::valid, 31>("rx_valid"),
      array_field<In, &In::bits>("rx_bits"),
      array_field<In, &In::crc>("rx_crc"),
      field<In, &In::own_bits, 16>("own_bits"),
      field<In, &In::failed, 31>("failed"),
      array_field<In, &In::neighbour>("neighbour"),
      field<In, &In::own_bid, 5>("own_bid"),
      field<In, &In::interval, 8>("interval"),
      field<In, &In::stale_enable, 1>("stale_enable"),
      field<In, &In::stale_limit, 8>("stale_limit"),
  };
  return kFields;
}
CollectorInputs BitmapCollectorBlock::idle(const CollectorInputs& in) {
  CollectorInputs out = in;
  out.reset = false;
  out.valid = out.failed = 0;
  return out;
}
std::vector<CollectorInputs> BitmapCollectorBlock::preload(const Reference&) {
  CollectorInputs in;
  in.reset = true;
  return {in};
}

std::span<const Probe<Frame>> PcsTransportBlock::probes() {
  static constexpr Probe<Frame> kProbes[] = {
      {"frame valid", "last rank", cycle_exact, [](const Frame& f) -> uint64_t { return f.valid; }},
      {"bitmap", "last rank", cycle_exact, [](const Frame& f) -> uint64_t { return f.bits; }},
      {"CRC", "last rank", cycle_exact, [](const Frame& f) -> uint64_t { return f.crc; }},
  };
  return kProbes;
}
std::span<const Field<PcsInputs>> PcsTransportBlock::fields() {
  static constexpr Field<PcsInputs> kFields[] = {
      field<PcsInputs, &PcsInputs::reset, 1>("reset"),
      frame_field<&Frame::valid, 1>("valid"),
      frame_field<&Frame::bits, 16>("bits"),
      frame_field<&Frame::crc, 8>("crc"),
  };
  return kFields;
}
std::vector<PcsInputs> PcsTransportBlock::preload(const Reference&) { return {{.reset = true, .frame = {}}}; }

std::span<const Probe<PlaneOutputs>> CongestionPlaneBlock::probes() {
  using O = PlaneOutputs;
  static constexpr Probe<O> kProbes[] = {
      {"local congestion", "monitors", cycle_exact, [](const O& o) -> uint64_t { return o.cong_local; }},
      {"error", "monitors", cycle_exact, [](const O& o) -> uint64_t { return o.error; }},
      {"frame valid", "sender", cycle_exact, [](const O& o) -> uint64_t { return o.sender.valid; }},
      {"idle frame", "sender", cycle_exact, [](const O& o) -> uint64_t { return o.sender.idle; }},
      {"stolen slot", "sender", cycle_exact, [](const O& o) -> uint64_t { return o.sender.stolen; }},
      {"bitmap", "sender", cycle_exact, [](const O& o) -> uint64_t { return o.sender.bits; }},
      {"CRC", "sender", cycle_exact, [](const O& o) -> uint64_t { return o.sender.crc; }},
      {"latch", "sender", cycle_exact, [](const O& o) -> uint64_t { return o.sender.latch; }},
      {"good frames", "collector", cycle_exact, [](const O& o) -> uint64_t { return o.collector.good; }},
      {"bad frames", "collector", cycle_exact, [](const O& o) -> uint64_t { return o.collector.bad; }},
      {"silent neighbours", "collector", cycle_exact, [](const O& o) -> uint64_t { return o.collector.stale; }},
      {"all maps (folded)", "ring", cycle_exact, [](const O& o) -> uint64_t { return fold(o.collector); }},
      {"configuration ready", "configuration", cycle_exact, [](const O& o) -> uint64_t { return o.cfg_ready; }},
      {"configuration acknowledge", "configuration", cycle_exact, [](const O& o) -> uint64_t { return o.cfg_ack; }},
      {"configuration error", "configuration", cycle_exact, [](const O& o) -> uint64_t { return o.cfg_err; }},
      {"configuration read data", "configuration", cycle_exact, [](const O& o) -> uint64_t { return o.cfg_rdata; }},
  };
  return kProbes;
}

}  // namespace odonata::cosim
