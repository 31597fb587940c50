// SPDX-License-Identifier: Apache-2.0
#include "hw/common/memory_map.h"

#include <cstring>

namespace odonata::hw {

tlm::tlm_response_status check_access(const tlm::tlm_generic_payload& payload, uint64_t map_bytes, unsigned length) {
  if (!payload.is_read() && !payload.is_write()) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  if (payload.get_byte_enable_ptr() != nullptr) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  const uint64_t address = payload.get_address();
  if (address % kWordBytes != 0 || address >= map_bytes) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  if (payload.get_data_length() != length || payload.get_streaming_width() < length)
    return tlm::TLM_BURST_ERROR_RESPONSE;
  if (length > map_bytes - address) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  return payload.get_data_ptr() != nullptr ? tlm::TLM_OK_RESPONSE : tlm::TLM_GENERIC_ERROR_RESPONSE;
}

uint64_t load_word(const tlm::tlm_generic_payload& payload, unsigned index) {
  uint64_t word = 0;
  std::memcpy(&word, payload.get_data_ptr() + index * kWordBytes, kWordBytes);
  return word;
}

void store_word(tlm::tlm_generic_payload& payload, uint64_t word, unsigned index) {
  std::memcpy(payload.get_data_ptr() + index * kWordBytes, &word, kWordBytes);
}

unsigned debug_words(tlm::tlm_generic_payload& payload, uint64_t map_bytes, const DebugAccess& access) {
  const uint64_t address = payload.get_address();
  const bool write = payload.is_write();
  if ((!write && !payload.is_read()) || address % kWordBytes != 0 || payload.get_data_ptr() == nullptr) return 0;
  unsigned done = 0;
  while (payload.get_data_length() - done >= kWordBytes && address + done < map_bytes) {
    uint64_t word = write ? load_word(payload, done / kWordBytes) : 0;
    if (!access(write, static_cast<uint32_t>((address + done) / kWordBytes), word)) break;
    if (!write) store_word(payload, word, done / kWordBytes);
    done += kWordBytes;
  }
  return done;
}

void synchronise(sc_core::sc_time& delay) {
  if (delay != sc_core::SC_ZERO_TIME) sc_core::wait(delay);
  delay = sc_core::SC_ZERO_TIME;
}

}  // namespace odonata::hw
