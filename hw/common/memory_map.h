// SPDX-License-Identifier: Apache-2.0
// Memory-mapped sockets: what every block checks before it serves a transaction, and the byte order of its words.
#pragma once

#include <cstdint>
#include <functional>
#include <tlm>

namespace odonata::hw {

/// Data bus of the hardware models' sockets in bits; a word of a payload is in the order of the host (TLM-2.0 §17).
inline constexpr unsigned kBusWidth = 64;
inline constexpr unsigned kWordBytes = kBusWidth / 8;

/// TLM_OK_RESPONSE when the transaction is a plain read or write of `length` bytes inside a map of `map_bytes` bytes,
/// on a word boundary, without byte enables or streaming; else the error response of TLM-2.0 that names what is wrong.
tlm::tlm_response_status check_access(const tlm::tlm_generic_payload& payload, uint64_t map_bytes,
                                      unsigned length = kWordBytes);

uint64_t load_word(const tlm::tlm_generic_payload& payload, unsigned index = 0);
void store_word(tlm::tlm_generic_payload& payload, uint64_t word, unsigned index = 0);

/// One access without time: false when it is not possible.
using DebugAccess = std::function<bool(bool write, uint32_t word_address, uint64_t& data)>;
/// transport_dbg over whole words: any number of them from a word boundary on, up to the first that is refused.
/// Returns the number of bytes transferred.
unsigned debug_words(tlm::tlm_generic_payload& payload, uint64_t map_bytes, const DebugAccess& access);

/// Puts an absolute wait in place of an initiator's local time offset: the caller's thread reaches the time of its
/// transaction.
void synchronise(sc_core::sc_time& delay);

}  // namespace odonata::hw
