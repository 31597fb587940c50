// SPDX-License-Identifier: Apache-2.0
// The pins of the Verilated arbitration-request RTL (docs/arb_request.md §4). Include the model's header first.
#pragma once

#include "models/arb_request/golden_device.h"
#include "tb/harness/verilated_device.h"

namespace odonata::cosim {

/// Lanes (a byte a dimension) as a flat vector of N fields of `Bits` bits.
template <int N, int Bits>
constexpr uint64_t flat(arb_request::Lanes lanes) {
  if constexpr (Bits == 8) return N == 8 ? lanes : lanes & ((1ull << (8 * (N % 8))) - 1);
  uint64_t word = 0;
  for (int i = 0; i < N; ++i) word |= static_cast<uint64_t>(arb_request::lane(lanes, i) & ((1 << Bits) - 1)) << (i * Bits);
  return word;
}

template <class Model, int N, int CW, int KW>
struct ArbPortPins {
  using In = arb_request::PortInputs;
  using Out = arb_request::PortOutputs;
  static void drive(Model& m, const In& in) {
    m.rst_ni = in.reset_n;
    m.at_i = flat<N, CW>(in.at);
    m.scheme_i = static_cast<uint8_t>(in.scheme);
    m.policy_i = static_cast<uint8_t>(in.policy);
    m.credit_plus_i = flat<N, KW>(in.credit_plus);
    m.credit_minus_i = flat<N, KW>(in.credit_minus);
    m.in_valid_i = in.in_valid;
    m.in_dest_i = flat<N, CW>(in.in_dest);
    m.grant_i = in.grant;
  }
  static void sample(const Model& m, Out& out) {
    out.in_ready = m.in_ready_o;
    out.request = {static_cast<bool>(m.req_valid_o), m.req_queue_o, static_cast<bool>(m.req_eject_o), m.req_dim_o, static_cast<bool>(m.req_minus_o),
                   static_cast<bool>(m.req_high_o),  m.req_need_o};
    out.credit = m.credit_o;
    out.probe = m.probe_o;
  }
};

template <class Model, int N, int CW, int KW>
struct ArbLogicPins {
  using In = arb_request::LogicInputs;
  using Out = arb_request::LogicOutputs;
  static void drive(Model& m, const In& in) {
    m.rst_ni = in.reset_n;
    m.valid_i = in.valid;
    m.scheme_i = static_cast<uint8_t>(in.scheme);
    m.at_i = flat<N, CW>(in.query.at);
    m.dest_i = flat<N, CW>(in.query.dest);
    m.credit_plus_i = flat<N, KW>(in.query.credit_plus);
    m.credit_minus_i = flat<N, KW>(in.query.credit_minus);
  }
  static void sample(const Model& m, Out& out) {
    out = {static_cast<bool>(m.valid_o), static_cast<bool>(m.eject_o), m.remaining_o, m.plus_o, m.high_o, m.low_o, m.dbra_o, m.z_o};
  }
};

template <class Model, int N, int CW, int KW>
struct ArbSwitchPins {
  using In = arb_request::SwitchInputs;
  using Out = arb_request::SwitchOutputs;
  static constexpr int kPorts = 2 * N + 1;
  static_assert(4 * kPorts <= 64 && 2 * N * KW <= 64, "wider pins are arrays in a Verilated model");
  static void drive(Model& m, const In& in) {
    uint32_t valid = 0, eject = 0, minus = 0;
    uint64_t dim = 0, need = 0;
    for (int p = 0; p < kPorts; ++p) {
      const arb_request::PortRequest& r = in.request[p];
      valid |= static_cast<uint32_t>(r.valid) << p;
      eject |= static_cast<uint32_t>(r.eject) << p;
      minus |= static_cast<uint32_t>(r.minus) << p;
      dim |= static_cast<uint64_t>(r.dimension) << (3 * p);
      need |= static_cast<uint64_t>(r.need) << (4 * p);
    }
    m.rst_ni = in.reset_n;
    m.req_valid_i = valid;
    m.req_eject_i = eject;
    m.req_minus_i = minus;
    m.req_dim_i = dim;
    m.req_need_i = need;
    m.return_i = in.returned;
  }
  static void sample(const Model& m, Out& out) {
    out = Out{};
    out.granted = m.grant_o;
    for (int o = 0; o < 2 * N; ++o) out.credit[o] = static_cast<uint64_t>(m.credit_o) >> (o * KW) & ((1 << KW) - 1);
  }
};

}  // namespace odonata::cosim
