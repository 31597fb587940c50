// SPDX-License-Identifier: Apache-2.0
#include "tb/arb_request/block.h"

#include "tb/harness/trace_file.h"

namespace odonata::cosim {

using arb_request::LogicInputs;
using arb_request::LogicOutputs;
using arb_request::PortInputs;
using arb_request::PortOutputs;

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

}  // namespace odonata::cosim
