// SPDX-License-Identifier: Apache-2.0
// The pins of the Verilated port unit, scheduler and router (docs/fault.md §5, §6, §6.2).
#pragma once

#include "tb/fault/link_block.h"
#include "tb/fault/port_block.h"
#include "tb/fault/router_block.h"
#include "tb/fault/scheduler_block.h"
#include "tb/fault/shared_block.h"
#include "tb/harness/verilated_device.h"

namespace odonata::cosim {

/// `width` (at most 64) bits of an output from bit `lsb` on; outputs above 64 bits are arrays of 32-bit words.
template <class Pin>
uint64_t bits_of(const Pin& pin, int lsb, int width) {
  const uint64_t mask = width == 64 ? ~0ull : (1ull << width) - 1;
  if constexpr (std::is_integral_v<Pin>) {
    return static_cast<uint64_t>(pin) >> lsb & mask;
  } else if (width <= 57 && static_cast<size_t>(lsb / 8) + 8 <= sizeof(Pin)) {
    uint64_t value = 0;
    std::memcpy(&value, reinterpret_cast<const char*>(&pin) + lsb / 8, 8);
    return value >> lsb % 8 & mask;
  } else {
    constexpr int kWords = sizeof(Pin) / 4;
    uint64_t value = 0;
    for (int done = 0, word = lsb / 32, shift = lsb % 32; done < width && word < kWords; ++word) {
      value |= static_cast<uint64_t>(pin[word] >> shift) << done;
      done += 32 - shift;
      shift = 0;
    }
    return value & mask;
  }
}

/// Puts `width` (at most 32) bits at bit `lsb` of an input.
template <class Pin>
void put_bits(Pin& pin, int lsb, int width, uint64_t value) {
  if constexpr (std::is_integral_v<Pin>) {
    const uint64_t mask = ((1ull << width) - 1) << lsb;
    pin = static_cast<Pin>((pin & ~mask) | (value << lsb & mask));
  } else {
    const uint64_t mask = ((1ull << width) - 1) << lsb % 32;
    value <<= lsb % 32;
    for (int word = lsb / 32, half = 0; half < 2; ++half, ++word) {
      const uint32_t m = static_cast<uint32_t>(mask >> 32 * half);
      if (m != 0) pin[word] = (pin[word] & ~m) | (static_cast<uint32_t>(value >> 32 * half) & m);
    }
  }
}

/// The pins of the port unit that every device around it has.
template <class Model, int NumPorts, int Banks>
struct FaultPortCommonPins {
  static void drive(Model& m, const fault::PortInputs& in) {
    m.rst_ni = !in.reset;
    m.own_gid_i = in.own_gid;
    m.own_bid_i = in.own_bid;
    m.own_port_i = in.own_port;
    m.class_i = in.port_class;
    m.safe_i = in.safe;
    m.port_level_i = in.port_level;
    m.cfg_valid_i = in.cfg_valid;
    m.cfg_row_i = in.cfg_row;
    m.cfg_has_a_i = in.cfg_has_a;
    m.cfg_a_i = in.cfg_a;
    drive_wide(m.cfg_b_i, &in.cfg_b);
    m.cmd_valid_i = in.cmd_valid;
    m.cmd_kind_i = in.cmd_kind;
    m.cmd_port_i = in.cmd_port;
    m.cmd_message_i = in.cmd_message;
    m.cmd_isolated_i = in.cmd_isolated;
    m.out_ready_i = in.out_ready;
  }
  static void sample(const Model& m, fault::PortOutputs& out) {
    out.busy = m.busy_o;
    out.msg_valid = m.msg_valid_o;
    out.msg = m.msg_o;
    out.write = m.write_o;
    out.write_row = m.write_row_o;
    out.write_level_a = m.write_level_a_o;
    for (int lane = 0; lane < Banks; ++lane) {
      out.write_lost[lane] = bits_of(m.write_lost_o, lane * NumPorts, NumPorts);
      out.write_partial[lane] = bits_of(m.write_partial_o, lane * NumPorts, NumPorts);
    }
    out.cfg_ack = m.cfg_ack_o;
    out.fd_count = m.fd_count_o;
    out.fr_count = m.fr_count_o;
    out.wait_ram = m.wait_ram_o;
    out.wait_queue = m.wait_queue_o;
    out.probe = m.probe_o;
  }
};

template <class Model, int NumPorts, int Banks>
struct FaultPortPins {
  using In = fault::PortInputs;
  using Out = fault::PortOutputs;
  using Common = FaultPortCommonPins<Model, NumPorts, Banks>;
  static void drive(Model& m, const In& in) {
    Common::drive(m, in);
    m.route_read_i = in.route_read;
    // Any row will do: what route compute reads must not matter to the unit.
    m.route_row_i = (in.cmd_message + in.cfg_row) % NumPorts;
  }
  static void sample(const Model& m, Out& out) {
    Common::sample(m, out);
    out.late = m.late_o;
  }
};

template <class Model, int NumPorts>
struct FaultSharedPins {
  using In = SharedInputs;
  using Out = SharedOutputs;
  using Common = FaultPortCommonPins<Model, NumPorts, 1>;
  static void drive(Model& m, const In& in) {
    Common::drive(m, in.port);
    m.req_valid_i = in.req_valid;
    m.req_dest_i = in.dest;
    m.req_src_gid_i = in.src_gid;
    m.req_vc_i = in.vc;
    m.port_mask_i = in.mask;
  }
  static void sample(const Model& m, Out& out) {
    Common::sample(m, out.port);
    out.resp_valid = m.resp_valid_o;
    out.a = m.resp_a_o;
    out.b = m.resp_b_o;
  }
};

template <class Model, int NumPorts>
struct FaultSchedulerPins {
  using In = fault::SchedulerInputs;
  using Out = fault::SchedulerOutputs;
  static constexpr uint64_t kPorts = NumPorts == 64 ? ~0ull : (1ull << NumPorts) - 1;
  static void drive(Model& m, const In& in) {
    m.rst_ni = !in.reset;
    m.link_up_i = in.link_up & kPorts;
    m.queue_valid_i = in.queue_valid & kPorts;
    m.unit_busy_i = in.unit_busy & kPorts;
    m.unit_late_i = in.unit_late & kPorts;
  }
  static void sample(const Model& m, Out& out) {
    out.cmd_valid = m.cmd_valid_o;
    out.cmd_kind = m.cmd_kind_o;
    out.cmd_port = m.cmd_port_o;
    out.cmd_isolated = m.cmd_isolated_o;
    out.pop = m.pop_o;
    out.working = m.working_o;
    out.pointer = m.pointer_o;
    out.port_mask = m.port_mask_o;
  }
};

template <class Model, int NumPorts>
struct FaultLinkPins {
  using In = fault::LinkInputs;
  using Out = fault::LinkOutputs;
  static void drive(Model& m, const In& in) {
    m.rst_ni = !in.reset;
    m.link_up_i = in.link_up;
    m.port_level_i = in.port_level;
    m.msg_valid_i = in.msg_valid;
    m.msg_i = in.msg;
    m.in_ready_i = in.in_ready;
    m.frame_valid_i = in.frame_valid;
    m.frame_i = in.frame;
  }
  static void sample(const Model& m, Out& out) {
    out.ready = m.ready_o;
    out.in_valid = m.in_valid_o;
    out.in_message = m.in_message_o;
    out.frame_valid = m.frame_valid_o;
    out.frame = m.frame_o;
    out.dropped = m.dropped_o;
    out.malformed = m.malformed_o;
    out.again = m.again_o;
  }
};

template <class Model, int NumPorts, int Banks>
struct FaultRouterPins {
  using In = fault::RouterInputs;
  using Out = fault::RouterOutputs;
  static constexpr uint64_t kPorts = NumPorts == 64 ? ~0ull : (1ull << NumPorts) - 1;
  static void drive(Model& m, const In& in) {
    m.rst_ni = !in.reset;
    m.own_gid_i = in.own_gid;
    m.own_bid_i = in.own_bid;
    m.safe_i = in.safe;
    m.port_level_i = in.port_level;
    m.link_up_i = in.link_up & kPorts;
    m.in_valid_i = in.in_valid & kPorts;
    for (int k = 0; k < NumPorts; ++k) {
      if (in.in_valid >> k & 1) put_bits(m.in_message_i, 22 * k, 22, in.in_message[k]);
    }
    m.out_ready_i = in.out_ready & kPorts;
    m.route_read_i = in.route_read & kPorts;
    m.cfg_valid_i = in.cfg_valid;
    m.cfg_port_i = in.cfg_port;
    m.cfg_row_i = in.cfg_row;
    m.cfg_has_a_i = in.cfg_has_a;
    m.cfg_a_i = in.cfg_a;
    m.cfg_b_i = in.cfg_b;
  }
  static void sample(const Model& m, Out& out) {
    out.in_ready = m.in_ready_o;
    out.out_valid = m.out_valid_o;
    out.busy = m.busy_o;
    out.late = m.late_o;
    out.port_mask = m.port_mask_o;
    out.serve = m.serve_o;
    out.serve_kind = m.serve_kind_o;
    out.serve_port = m.serve_port_o;
    out.serve_message = m.serve_message_o;
    out.serve_isolated = m.serve_isolated_o;
    out.working = m.working_o;
    out.pointer = m.pointer_o;
    out.cfg_ack = m.cfg_ack_o;
    out.unit.resize(NumPorts);
    for (int k = 0; k < NumPorts; ++k) sample_unit(m, k, out);
  }

 private:
  static void sample_unit(const Model& m, int k, Out& out) {
    fault::PortOutputs& u = out.unit[k];
    out.out_message[k] = static_cast<uint32_t>(bits_of(m.out_message_o, 22 * k, 22));
    u.busy = out.busy >> k & 1;
    u.late = out.late >> k & 1;
    u.msg_valid = out.out_valid >> k & 1;
    u.msg = out.out_message[k];
    u.write = static_cast<uint8_t>(bits_of(m.write_o, Banks * k, Banks));
    u.write_row = static_cast<uint16_t>(bits_of(m.write_row_o, 10 * k, 10));
    u.write_level_a = static_cast<uint16_t>(bits_of(m.write_level_a_o, 2 * Banks * k, 2 * Banks));
    for (int lane = 0; lane < Banks; ++lane) {
      u.write_lost[lane] = bits_of(m.write_lost_o, NumPorts * (Banks * k + lane), NumPorts);
      u.write_partial[lane] = bits_of(m.write_partial_o, NumPorts * (Banks * k + lane), NumPorts);
    }
    u.fd_count = static_cast<uint16_t>(bits_of(m.fd_count_o, 16 * k, 16));
    u.fr_count = static_cast<uint16_t>(bits_of(m.fr_count_o, 16 * k, 16));
    u.wait_ram = static_cast<uint16_t>(bits_of(m.wait_ram_o, 16 * k, 16));
    u.wait_queue = static_cast<uint16_t>(bits_of(m.wait_queue_o, 16 * k, 16));
    u.probe = static_cast<uint16_t>(bits_of(m.probe_o, 13 * k, 13));
  }
};

}  // namespace odonata::cosim
