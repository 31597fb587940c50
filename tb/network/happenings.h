// SPDX-License-Identifier: Apache-2.0
// What happens in a cycle at routers: the same words for every network that is compared (docs/crosscheck.md §2).
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

namespace odonata::cosim {

/// A step of a flit, or something that a fault plane does.
struct Happening {
  enum class Kind : uint8_t { granted, delivered, lost, served, sent, arrived, written };
  uint32_t router = 0;
  Kind kind = Kind::granted;
  uint8_t in_port = 0, in_vc = 0;    ///< served: kind of the service at port; written: port
  uint8_t out_port = 0, out_vc = 0;  ///< sent: port
  int credits = 0;                   ///< of the output VC before the grant
  uint32_t source = 0;               ///< number of the packet's node; of the fault plane: message, or row
  uint32_t born = 0;
  uint8_t flit = 0;                                    ///< of the packet; 255: the poisoned tail
  auto operator<=>(const Happening&) const = default;  // NOLINT(modernize-use-nullptr): a comparison with 0

  bool of_packet() const { return kind <= Kind::lost; }
  /// A flit of a packet, by its node, cycle of creation and place.
  struct Name {
    uint32_t source = 0, born = 0;
    uint8_t flit = 0;
  };
  static Happening grant(uint32_t router, int in_port, int in_vc, int out_port, int out_vc, int credits,
                         const Name& name) {
    return {router,         Kind::granted, narrow(in_port), narrow(in_vc), narrow(out_port),
            narrow(out_vc), credits,       name.source,     name.born,     name.flit};
  }
  static Happening delivered(uint32_t router, const Name& name) {
    return {router, Kind::delivered, 0, 0, 0, 0, 0, name.source, name.born, name.flit};
  }
  /// Where is not told by every side.
  static Happening lost(const Name& name) { return {0, Kind::lost, 0, 0, 0, 0, 0, name.source, name.born, name.flit}; }
  static Happening service(uint32_t router, int kind, int port, uint32_t message) {
    return {router, Kind::served, narrow(port), narrow(kind), 0, 0, 0, kind >= 2 ? message : 0, 0, 0};
  }
  static Happening message(Kind kind, uint32_t router, int port, uint32_t message) {
    return {
        router, kind, narrow(kind == Kind::sent ? 0 : port), 0, narrow(kind == Kind::sent ? port : 0), 0, 0, message,
        0,      0};
  }
  static Happening write(uint32_t router, int port, int row) {
    return {router, Kind::written, narrow(port), 0, 0, 0, 0, static_cast<uint32_t>(row), 0, 0};
  }

 private:
  static uint8_t narrow(int x) { return static_cast<uint8_t>(x); }
};

using Happenings = std::vector<Happening>;

}  // namespace odonata::cosim
