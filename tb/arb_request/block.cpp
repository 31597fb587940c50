// SPDX-License-Identifier: Apache-2.0
#include "tb/arb_request/block.h"

#include "tb/harness/trace_file.h"

namespace odonata::cosim {

using arb_request::LogicInputs;
using arb_request::LogicOutputs;
using arb_request::PortInputs;
using arb_request::PortOutputs;
using arb_request::PortRequest;
using arb_request::SwitchInputs;
using arb_request::SwitchOutputs;

namespace {

/// A member from hexadecimal text.
template <class T>
bool read_hex(const std::string& hex, int bits, T& member) {
  uint64_t value = 0;
  if (!from_hex(hex, bits, value)) return false;
  member = static_cast<T>(value);
  return true;
}

/// A field of an input structure that is an integer, a bool or an enumeration.
#define ODONATA_FIELD(In, name, member, bits)                                          \
  {                                                                                    \
    name, bits, [](const In& in) { return to_hex(static_cast<uint64_t>(in.member)); }, \
        [](In& in, const std::string& hex) { return read_hex(hex, bits, in.member); }  \
  }

}  // namespace

std::span<const Probe<PortOutputs>> ArbPortBlock::probes() {
  using enum ProbeKind;
  using Out = PortOutputs;
  static constexpr Probe<Out> kProbes[] = {
      {"ready", "sub-queues", cycle_exact, [](const Out& o) -> uint64_t { return o.in_ready; }},
      {"credit", "sub-queues", cycle_exact, [](const Out& o) -> uint64_t { return o.credit; }},
      {"window", "rotating subset", cycle_exact, [](const Out& o) -> uint64_t { return o.probe >> 36 & 15; }},
      {"sub-queues that ask", "request logic", cycle_exact, [](const Out& o) -> uint64_t { return o.probe >> 40 & 0xFFFF; }},
      {"remaining", "request logic (r)", cycle_exact, [](const Out& o) -> uint64_t { return o.probe & 0xFF; }},
      {"high", "request logic (class)", cycle_exact, [](const Out& o) -> uint64_t { return o.probe >> 8 & 0xFF; }},
      {"low", "request logic (class)", cycle_exact, [](const Out& o) -> uint64_t { return o.probe >> 16 & 0xFF; }},
      {"plus", "request logic (direction)", cycle_exact, [](const Out& o) -> uint64_t { return o.probe >> 24 & 0xFF; }},
      {"z", "request logic (z)", cycle_exact, [](const Out& o) -> uint64_t { return o.probe >> 32 & 15; }},
      {"zero bits", "probe", cycle_exact, [](const Out& o) -> uint64_t { return o.probe >> 56; }},
      {"request valid", "input arbitration", cycle_exact, [](const Out& o) -> uint64_t { return o.request.valid; }},
      {"request queue", "input arbitration", cycle_exact, [](const Out& o) -> uint64_t { return o.request.queue; }},
      {"request eject", "request logic", cycle_exact, [](const Out& o) -> uint64_t { return o.request.eject; }},
      {"request dimension", "selection", cycle_exact, [](const Out& o) -> uint64_t { return o.request.dimension; }},
      {"request minus", "selection", cycle_exact, [](const Out& o) -> uint64_t { return o.request.minus; }},
      {"request high", "selection", cycle_exact, [](const Out& o) -> uint64_t { return o.request.high; }},
      {"request need", "selection", cycle_exact, [](const Out& o) -> uint64_t { return o.request.need; }},
  };
  return kProbes;
}

std::span<const Field<PortInputs>> ArbPortBlock::fields() {
  using In = PortInputs;
  static constexpr Field<In> kFields[] = {
      ODONATA_FIELD(In, "reset_n", reset_n, 1),
      ODONATA_FIELD(In, "at", at, 64),
      ODONATA_FIELD(In, "scheme", scheme, 2),
      ODONATA_FIELD(In, "policy", policy, 2),
      ODONATA_FIELD(In, "credit_plus", credit_plus, 64),
      ODONATA_FIELD(In, "credit_minus", credit_minus, 64),
      ODONATA_FIELD(In, "in_valid", in_valid, 1),
      ODONATA_FIELD(In, "in_dest", in_dest, 64),
      ODONATA_FIELD(In, "grant", grant, 1),
  };
  return kFields;
}

PortInputs ArbPortBlock::idle(const PortInputs& in) {
  PortInputs quiet = in;
  quiet.in_valid = quiet.grant = false;
  quiet.in_dest = 0;
  return quiet;
}

std::vector<PortInputs> ArbPortBlock::preload(const Reference&) {
  PortInputs reset;
  reset.reset_n = false;
  return {reset};
}

std::span<const Probe<LogicOutputs>> ArbLogicBlock::probes() {
  using enum ProbeKind;
  using Out = LogicOutputs;
  static constexpr Probe<Out> kProbes[] = {
      {"valid", "registers", cycle_exact, [](const Out& o) -> uint64_t { return o.valid; }},
      {"eject", "z", cycle_exact, [](const Out& o) -> uint64_t { return o.eject; }},
      {"remaining", "comparators u != v", cycle_exact, [](const Out& o) -> uint64_t { return o.remaining; }},
      {"plus", "direction", cycle_exact, [](const Out& o) -> uint64_t { return o.plus; }},
      {"high", "class", cycle_exact, [](const Out& o) -> uint64_t { return o.high; }},
      {"low", "class", cycle_exact, [](const Out& o) -> uint64_t { return o.low; }},
      {"dbra", "circuit (a)", cycle_exact, [](const Out& o) -> uint64_t { return o.dbra; }},
      {"z", "z", cycle_exact, [](const Out& o) -> uint64_t { return o.z; }},
  };
  return kProbes;
}

std::span<const Field<LogicInputs>> ArbLogicBlock::fields() {
  using In = LogicInputs;
  static constexpr Field<In> kFields[] = {
      ODONATA_FIELD(In, "reset_n", reset_n, 1),
      ODONATA_FIELD(In, "valid", valid, 1),
      ODONATA_FIELD(In, "scheme", scheme, 2),
      ODONATA_FIELD(In, "at", query.at, 64),
      ODONATA_FIELD(In, "dest", query.dest, 64),
      ODONATA_FIELD(In, "credit_plus", query.credit_plus, 64),
      ODONATA_FIELD(In, "credit_minus", query.credit_minus, 64),
  };
  return kFields;
}

LogicInputs ArbLogicBlock::idle(const LogicInputs& in) {
  LogicInputs quiet = in;
  quiet.valid = false;
  return quiet;
}

std::vector<LogicInputs> ArbLogicBlock::preload(const Reference&) {
  LogicInputs reset;
  reset.reset_n = false;
  return {reset};
}

std::span<const Probe<SwitchOutputs>> ArbSwitchBlock::probes() {
  using enum ProbeKind;
  using Out = SwitchOutputs;
  static constexpr auto eight = [](const Out& o, size_t first) {
    uint64_t word = 0;
    for (size_t k = 0; k < 8; ++k) word |= static_cast<uint64_t>(o.credit[first + k]) << (8 * k);
    return word;
  };
  static constexpr Probe<Out> kProbes[] = {
      {"granted", "output arbitration", cycle_exact, [](const Out& o) -> uint64_t { return o.granted; }},
      {"credits of outputs 0 to 7", "credit counters", cycle_exact, [](const Out& o) { return eight(o, 0); }},
      {"credits of outputs 8 to 15", "credit counters", cycle_exact, [](const Out& o) { return eight(o, 8); }},
  };
  return kProbes;
}

namespace {

// A request in bits: need, dimension, minus, eject, valid.
uint64_t pack(const PortRequest& r) { return r.need | r.dimension << 4 | r.minus << 7 | r.eject << 8 | r.valid << 9; }

PortRequest unpack(uint64_t bits) {
  PortRequest r;
  r.need = bits & 15;
  r.dimension = bits >> 4 & 7;
  r.minus = bits >> 7 & 1;
  r.eject = bits >> 8 & 1;
  r.valid = bits >> 9 & 1;
  return r;
}

template <size_t P>
constexpr Field<SwitchInputs> request_field(const char* name) {
  return {name, 10, [](const SwitchInputs& in) { return to_hex(pack(in.request[P])); },
          [](SwitchInputs& in, const std::string& hex) {
            uint64_t bits = 0;
            if (!from_hex(hex, 10, bits)) return false;
            in.request[P] = unpack(bits);
            return true;
          }};
}

}  // namespace

std::span<const Field<SwitchInputs>> ArbSwitchBlock::fields() {
  using In = SwitchInputs;
  static constexpr Field<In> kFields[] = {
      ODONATA_FIELD(In, "reset_n", reset_n, 1),
      ODONATA_FIELD(In, "returned", returned, 16),
      request_field<0>("request_0"),
      request_field<1>("request_1"),
      request_field<2>("request_2"),
      request_field<3>("request_3"),
      request_field<4>("request_4"),
      request_field<5>("request_5"),
      request_field<6>("request_6"),
      request_field<7>("request_7"),
      request_field<8>("request_8"),
      request_field<9>("request_9"),
      request_field<10>("request_10"),
      request_field<11>("request_11"),
      request_field<12>("request_12"),
      request_field<13>("request_13"),
      request_field<14>("request_14"),
      request_field<15>("request_15"),
      request_field<16>("request_16"),
  };
  return kFields;
}

SwitchInputs ArbSwitchBlock::idle(const SwitchInputs& in) {
  SwitchInputs quiet;
  quiet.reset_n = in.reset_n;
  return quiet;
}

std::vector<SwitchInputs> ArbSwitchBlock::preload(const Reference&) {
  SwitchInputs reset;
  reset.reset_n = false;
  return {reset};
}

}  // namespace odonata::cosim
