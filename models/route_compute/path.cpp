// SPDX-License-Identifier: Apache-2.0
#include "models/route_compute/path.h"

#include "models/common/random.h"

namespace odonata::route_compute {

using table::EntryC;
using table::GlobalEntryA;
using table::GlobalEntryB;

NetworkTables::Slot& NetworkTables::slot(RouterId router, int port) {
  if (slots_.empty()) slots_.resize(d_.num_routers());
  auto& ports = slots_[d_.router_index(router)];
  if (ports.empty()) ports.resize(d_.num_ports());
  const int key = d_.port_class(port) == PortClass::node ? 0 : port;
  if (!ports[key]) {
    ports[key] = std::make_unique<Slot>(Slot{table::configure(d_, router, key, policy_), UnitConfig(d_)});
    Slot& s = *ports[key];
    for (PortMap left = failed_ports(router); left != 0; left &= left - 1) {
      remove_option(d_, d_.port_class(port), std::countr_zero(left), s.tables);
    }
    s.config.set_own(router);
    s.config.set_port(d_.port_class(port), d_.arrangement() == Arrangement::absolute);
    for (int r = 0; r < d_.a(); ++r) s.config.set_table_c(r, s.tables.c[r]);
  }
  return *ports[key];
}

const table::PortTables& NetworkTables::tables(RouterId router, int port) { return slot(router, port).tables; }
const UnitConfig& NetworkTables::config(RouterId router, int port) { return slot(router, port).config; }

Entries NetworkTables::entries(RouterId router, int port, const Decoded& decoded) {
  const table::PortTables& t = tables(router, port);
  if (decoded.zone == table::Zone::invalid) return {};
  return {t.a[decoded.index_a], decoded.zone == table::Zone::node ? 0 : t.b[decoded.index_b]};
}

PortMap NetworkTables::failed_ports(RouterId router) const {
  return failed_.empty() ? 0 : failed_[d_.router_index(router)];
}

void NetworkTables::fail_link(RouterId router, int port) {
  const Dragonfly::Peer other = d_.peer(router, port);
  if (!other.connected) {
    throw Error("failed link: port " + std::to_string(port) + " of group " + std::to_string(router.gid) + ", router " +
                std::to_string(router.bid) + " has no link to another router");
  }
  failed_.resize(d_.num_routers());
  failed_[d_.router_index(router)] |= 1ull << port;
  failed_[d_.router_index(other.router)] |= 1ull << other.port;
  if (slots_.empty()) return;
  slots_[d_.router_index(router)].clear();
  slots_[d_.router_index(other.router)].clear();
}

namespace {

void remove_from_global_entries(const Dragonfly& d, int failed_port, table::PortTables& t) {
  const bool global = d.port_class(failed_port) == PortClass::global;
  const uint32_t keep = global ? ~(1u << (failed_port - d.first_global())) : ~0u;
  for (int to = 0; to < d.g(); ++to) {
    uint64_t& word_a = t.a[d.p() + d.a() + to];
    GlobalEntryA a = GlobalEntryA::decode(word_a);
    if (a.own_router) a.global_ports &= keep;
    if (a.port == failed_port || (a.own_router && a.global_ports == 0)) a = {};
    word_a = a.encode();
    uint64_t& word_b = t.b[d.a() + to];
    GlobalEntryB b = GlobalEntryB::decode(word_b);
    b.own_global_ports &= keep;
    for (int& port : b.port) {
      if (port == failed_port) port = kNoPort;
    }
    word_b = b.encode();
  }
}

}  // namespace

void remove_option(const Dragonfly& d, PortClass in_class, int failed_port, table::PortTables& t) {
  const bool node = in_class == PortClass::node;
  const int default_a = node ? d.p() + d.a() : table::size_a(d), default_b = node ? d.a() : table::size_b(d);
  for (int i = 0; i < default_a; ++i) t.a[i] &= ~(1ull << failed_port);
  for (int i = 0; i < default_b; ++i) t.b[i] &= ~(1ull << failed_port);
  if (node) remove_from_global_entries(d, failed_port, t);
  for (uint64_t& word : t.c) {
    EntryC c = EntryC::decode(word);
    for (int& port : c.port) {
      if (port == failed_port) port = -1;
    }
    word = c.encode();
  }
}

std::string Path::shape(const Dragonfly& d) const {
  std::string links;
  for (size_t i = 0; i + 1 < hops.size(); ++i) {
    links += d.port_class(hops[i].record.decision.port) == PortClass::global ? 'G' : 'L';
  }
  const size_t first = links.find('G'), last = links.rfind('G');
  std::string out;
  for (size_t i = 0; i < links.size(); ++i) {
    // The paper writes non-minimal paths as LG-LL-GL (source group, intermediate group, destination group), others link
    // by link.
    const bool nonminimal = first != last;
    if (i > 0 && (!nonminimal || i == first + 1 || (i == last && last > first + 1))) out += '-';
    out += links[i];
  }
  return out;
}

Path follow(NetworkTables& network, const Address& from, const Address& to, const CongestionSource& congestion,
            uint64_t seed) {
  const Dragonfly& d = network.dragonfly();
  Random random(seed);
  Path path;
  RouterId router = from.router();
  int port = from.nid, vc = 0;
  while (path.links() <= kMaxHops + 1) {
    const UnitConfig& config = network.config(router, port);
    const Request request{to, from.gid, vc};
    const Decoded decoded = decode(config, request);
    const uint16_t lfsr = static_cast<uint16_t>(random.below(65535) + 1);
    path.hops.push_back(
        {router, port, vc, explain(config, request, network.entries(router, port, decoded), congestion(router), lfsr)});
    const Decision& decision = path.hops.back().record.decision;
    if (decision.hop_class == HopClass::unroutable) {
      path.outcome = Outcome::unroutable;
      return path;
    }
    if (d.port_class(decision.port) == PortClass::node) {
      path.outcome = Outcome::delivered;
      return path;
    }
    if (network.failed(router, decision.port)) {
      path.outcome = Outcome::lost_on_failed_link;
      return path;
    }
    const Dragonfly::Peer next = d.peer(router, decision.port);
    vc = decision.vc;
    router = next.router;
    port = next.port;
  }
  path.outcome = Outcome::too_long;
  return path;
}

}  // namespace odonata::route_compute
