// SPDX-License-Identifier: Apache-2.0
// Golden units behind DPI-C: what the generated functions of libodonata_dpi.so call.
#pragma once

#include <cstdint>
#include <vector>

namespace odonata::dpi {

/// A pin as DPI-C passes it: a bit, or a vector in words of 32 bits, the lowest first.
class Argument {
 public:
  Argument(unsigned char value, int bits) : value_(value), bits_(bits) {}
  Argument(const uint32_t* words, int bits) : words_(const_cast<uint32_t*>(words)), bits_(bits) {}
  Argument(unsigned char* bit, int bits) : bit_(bit), bits_(bits) {}
  Argument(uint32_t* words, int bits) : words_(words), bits_(bits) {}
  int words() const { return (bits_ + 63) / 64; }
  uint64_t get(int word) const;  ///< 64 bits; 0 above the vector
  void set(int word, uint64_t value) const;

 private:
  unsigned char value_ = 0;
  unsigned char* bit_ = nullptr;
  uint32_t* words_ = nullptr;
  int bits_;
};

/// A new golden unit; null, with a line on stderr, when there is none of this size. `setting`: KEY=VALUE that chooses a
/// part of it, or nothing.
void* create(const char* unit, const char* size, const char* setting) noexcept;
void step(void* unit, bool rst_n, const std::vector<Argument>& in, const std::vector<Argument>& out) noexcept;

}  // namespace odonata::dpi
