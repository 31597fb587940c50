// SPDX-License-Identifier: Apache-2.0
// A Verilated model made with --savable, whose state is kept in memory. Include the model's header first.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>

#include "models/common/savable.h"
#include "verilated_save.h"

namespace odonata::cosim {

/// What Verilator writes to a file, in a string.
class StateWriter final : public VerilatedSerialize {
 public:
  void flush() override {
    bytes_.append(reinterpret_cast<const char*>(m_bufp), static_cast<size_t>(m_cp - m_bufp));
    m_cp = m_bufp;
  }
  std::string take() {
    flush();
    return std::move(bytes_);
  }

 private:
  std::string bytes_;
};

class StateReader final : public VerilatedDeserialize {
 public:
  explicit StateReader(const std::string& bytes) : bytes_(bytes) {
    m_cp = m_endp = m_bufp;
    fill();
  }

 private:
  /// Moves what is left to the front of the buffer and fills it; behind the end come zeros, which nobody reads.
  void fill() override {
    const auto left = static_cast<size_t>(m_endp - m_cp), room = bufferSize() - left,
               more = std::min(room, bytes_.size() - at_);
    std::memmove(m_bufp, m_cp, left);
    std::memcpy(m_bufp + left, bytes_.data() + at_, more);
    std::memset(m_bufp + left + more, 0, room - more);
    at_ += more;
    m_cp = m_bufp;
    m_endp = m_bufp + bufferSize();
  }

  const std::string& bytes_;
  size_t at_ = 0;
};

#ifdef ODONATA_RTL_COVERAGE  // Verilator saves no model that counts
template <class Device>
using SavableDevice = Device;
#else
template <class Device>
class SavableDevice : public Device, public Savable {
 public:
  using Device::Device;
  std::string save() override {
    StateWriter out;
    out << Device::model();
    return out.take();
  }
  void restore(const std::string& state) override {
    StateReader in(state);
    in >> Device::model();
  }
};
#endif

}  // namespace odonata::cosim
