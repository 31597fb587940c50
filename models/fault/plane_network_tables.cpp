// SPDX-License-Identifier: Apache-2.0
// The tables as they stand.
#include "models/fault/plane_network_parts.h"

#include <bit>

#include "models/common/random.h"

namespace odonata::fault {

Marks* FaultPlaneNetwork::stored(int router, int row) {
  Router& r = routers_[router];
  return r.rows.empty() ? nullptr : r.rows[row].get();
}
const Marks* FaultPlaneNetwork::stored(int router, int row) const {
  const Router& r = routers_[router];
  return r.rows.empty() ? nullptr : r.rows[row].get();
}
Marks* FaultPlaneNetwork::store(int router, int row) {
  Router& r = routers_[router];
  if (r.rows.empty()) r.rows.resize(num_rows(d_));
  r.rows[row] = std::make_unique<Marks[]>(num_slots());
  return r.rows[row].get();
}
void FaultPlaneNetwork::drop_clean_row(int router, int row) {
  const Marks* m = stored(router, row);
  if (m == nullptr) return;
  for (int s = 0; s < num_slots(); ++s) {
    if (!(m[s] == Marks{})) return;
  }
  routers_[router].rows[row].reset();
}

RowConfig FaultPlaneNetwork::config(int router, int row) const {
  return row_config(d_, d_.router(router), entry_of_row(d_, row), p_.mode, p_.policy);
}
Marks FaultPlaneNetwork::marks(int router, int row, int port) const {
  const Marks* m = stored(router, row);
  const Marks marks = m == nullptr ? Marks{} : m[slot(port)];
  const PortMap unheard = routers_[router].unheard;
  return unheard == 0 ? marks : without_unheard(cached_config(router, row).at(d_, port), marks, unheard);
}
PortMap FaultPlaneNetwork::unheard(int router) const { return routers_[router].unheard; }
void FaultPlaneNetwork::plant_marks(int router, int row, int port, const Marks& marks) {
  Marks* m = stored(router, row);
  if (m == nullptr) m = store(router, row);
  m[slot(port)] = marks;
}
bool FaultPlaneNetwork::row_stored(int router, int row) const { return stored(router, row) != nullptr; }
Options FaultPlaneNetwork::effective_options(int router, int row, int port, bool transit) const {
  const RowConfig c = config(router, row);
  const PortClass at = d_.port_class(port);
  return effective(c, at, c.at(d_, port), marks(router, row, port), transit, 0);
}

uint64_t FaultPlaneNetwork::invalid_options() const {
  uint64_t n = 0;
  for (int router = 0; router < d_.num_routers(); ++router) {
    if (!here(router) || !alive_[router]) continue;
    for (int row = 0; row < num_rows(d_); ++row) {
      if (!row_marked(router, row)) continue;
      for (int s = 0; s < num_slots(); ++s) {
        const Marks m = marks(router, row, port_of_slot(s));
        const int marked = std::popcount(m.lost_b | m.partial_b) + (m.a != Level::full ? 1 : 0);
        n += static_cast<uint64_t>(marked);
      }
    }
  }
  return n;
}

uint64_t FaultPlaneNetwork::stored_rows() const {
  uint64_t n = 0;
  for (const Router& r : routers_) {
    for (const auto& row : r.rows) n += row != nullptr;
  }
  return n;
}

bool FaultPlaneNetwork::restored() const {
  for (const Router& r : routers_) {
    if (r.unheard != 0) return false;
    for (const auto& row : r.rows) {
      for (int s = 0; row != nullptr && s < num_slots(); ++s) {
        if (!(row[s] == Marks{})) return false;
      }
    }
  }
  return true;
}

uint64_t FaultPlaneNetwork::table_hash() const {
  uint64_t hash = 0x0D0A7A;
  for (int router = 0; router < d_.num_routers(); ++router) {
    for (int row = 0; here(router) && alive_[router] && row < num_rows(d_); ++row) {
      for (int s = 0; row_marked(router, row) && s < num_slots(); ++s) {
        const Marks m = marks(router, row, port_of_slot(s));
        if (m.lost_b == 0 && m.partial_b == 0 && m.a == Level::full) continue;
        hash = mix_seed(hash, mix_seed(router, row, s), mix_seed(m.lost_b, m.partial_b), static_cast<uint64_t>(m.a));
      }
    }
  }
  return hash;
}

}  // namespace odonata::fault
