// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>
#include <tlm>

#include "hw/common/memory_map.h"

namespace odonata::hw {

/// An 8-byte write that takes no time. Returns whether it was taken.
template <class Socket>
bool write_word(Socket& socket, uint64_t word) {
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_WRITE_COMMAND);
  payload.set_address(0);
  payload.set_data_ptr(reinterpret_cast<unsigned char*>(&word));
  payload.set_data_length(kWordBytes);
  payload.set_streaming_width(kWordBytes);
  sc_core::sc_time delay;
  socket->b_transport(payload, delay);
  return payload.get_response_status() == tlm::TLM_OK_RESPONSE;
}

}  // namespace odonata::hw
