// SPDX-License-Identifier: Apache-2.0
#include "tb/route_compute/directed.h"

#include <algorithm>
#include <utility>

#include "models/table/configuration.h"
#include "tb/route_compute/operations.h"

namespace odonata::cosim {

using route_compute::Congestion;
using route_compute::Unit;
using route_compute::UnitInputs;
using table::EntryC;
using table::GlobalEntryA;
using table::GlobalEntryB;
namespace reg = route_compute::reg;

namespace {

using Cycles = std::vector<UnitInputs>;

/// Writes a sequence down cycle by cycle. A golden unit runs along, because operations are held until they are taken.
class Script {
 public:
  explicit Script(const Dragonfly& d) : d_(d), unit_(d), routers_{d.a()} {
    reset(2);
    const std::vector<route_compute::RegisterWrite> writes =
        route_compute::configuration_writes(d, own_, 0, table::configure(d, own_, 0), 1);
    for (const auto& w : writes) write(w.address, w.data);
    identity(own_, PortClass::node);
  }
  const Dragonfly& d() const { return d_; }
  RouterId own() const { return own_; }
  Cycles take() { return std::move(cycles_); }
  const route_compute::UnitOutputs& out() const { return unit_.out(); }

  void reset(int n) {
    for (int i = 0; i < n; ++i) {
      UnitInputs in = base();
      in.reset = true;
      step(in);
    }
  }
  /// n cycles without anything new.
  void idle(int n) {
    for (int i = 0; i < n; ++i) step(base());
  }
  /// One cycle with a request.
  void request(const Address& to, int src_gid = 0, int vc = 0) { step(with_request(base(), to, src_gid, vc)); }
  /// An operation without requests, held until taken.
  void operation(const ConfigOperation& op) {
    while (unit_.out().cfg_ready == 0) step(with_operation(base(), op));
    step(with_operation(base(), op));
  }
  void write(uint32_t address, uint64_t data) { operation({true, address, data}); }
  void read(uint32_t address) { operation({false, address, 0}); }
  /// One cycle with a request and an operation; the unit has to be ready.
  void both(const Address& to, const ConfigOperation& op, int src_gid = 0) {
    step(with_operation(with_request(base(), to, src_gid, 0), op));
  }

  /// ROUTER_ID, PORT and one port for every entry of table C.
  void identity(RouterId own, PortClass port_class) {
    identity(own, port_class, d_.arrangement() == Arrangement::absolute);
  }
  void identity(RouterId own, PortClass port_class, bool absolute) {
    own_ = own;
    write(reg::kRouterId, static_cast<uint64_t>(own.gid << 5 | own.bid));
    write(reg::kPort, static_cast<uint64_t>(port_class) | (absolute ? 4 : 0));
    for (int r = 0; r < d_.a(); ++r) {
      EntryC c;
      if (r != own.bid) c.port[0] = d_.local_port(own.bid, r);
      write(reg::kTableC + 8 * static_cast<uint32_t>(r), c.encode());
    }
  }
  void entry_a(const Address& to, uint64_t word) {
    const int index = table::index_a(d_, table::zone_of(d_, own_, to), to);
    write(reg::kTableA + 8 * static_cast<uint32_t>(index), word);
  }
  void entry_b(const Address& to, uint64_t word) {
    const int index = table::index_b(d_, table::zone_of(d_, own_, to), to);
    if (index >= 0) write(reg::kTableB + 8 * static_cast<uint32_t>(index), word);
  }
  /// The router n places after the own one, and another group.
  int router_after(int n) const { return (own_.bid + n) % d_.a(); }
  int group_after(int n) const { return (own_.gid + n) % d_.g(); }
  Congestion& congestion() { return congestion_; }
  void clear_congestion() { congestion_ = {}; }
  void congest_all() {
    congestion_.local = low_mask(d_.num_ports());
    congestion_.global = GroupMap::low(d_.group_ports());
  }

 private:
  UnitInputs base() const {
    UnitInputs in;
    in.congestion = congestion_;
    return in;
  }
  static UnitInputs with_request(UnitInputs in, const Address& to, int src_gid, int vc) {
    in.req_valid = true;
    in.req_dest = route_compute::pack_address(to);
    in.req_src_gid = static_cast<uint16_t>(src_gid);
    in.req_vc = static_cast<uint8_t>(vc);
    return in;
  }
  static UnitInputs with_operation(UnitInputs in, const ConfigOperation& op) {
    in.cfg_valid = true;
    in.cfg_write = op.write;
    in.cfg_addr = static_cast<uint16_t>(op.address / 8);
    in.cfg_wdata = op.data;
    return in;
  }
  void step(const UnitInputs& in) {
    cycles_.push_back(in);
    unit_.step(in);
  }

  Dragonfly d_;
  Unit unit_;
  int routers_;
  RouterId own_{1, 1};
  Congestion congestion_;
  Cycles cycles_;
};

/// Both filter sides, all VCs; the congestion is held long enough for the requests.
void all_headers(Script& s, const Address& to, int repeat) {
  for (int n = 0; n < repeat; ++n) {
    for (int src : {s.own().gid, s.group_after(1)}) {
      for (int vc = 0; vc < route_compute::kNumVcs; ++vc) s.request(to, src, vc);
    }
  }
  s.idle(3);
}

/// RTB: one zone, options of A and B with outputs of one level, free, A congested, all congested.
void local_decisions(Script& s, const Address& to, PortClass level, int options) {
  const Dragonfly& d = s.d();
  const int first[] = {0, d.first_local(), d.first_global()};
  const uint64_t a = 1ull << first[static_cast<int>(level)];
  const bool zone_g = to.gid != s.own().gid;
  const uint64_t b = zone_g ? 1ull << (d.first_global() - 1) | 1ull << (d.num_ports() - 1) : a << 1;
  s.entry_a(to, options & 1 ? a : 0);
  s.entry_b(to, options & 2 ? b : 0);
  s.idle(2);
  s.clear_congestion();
  all_headers(s, to, 1);
  s.congestion().local = a;
  all_headers(s, to, 1);
  s.congest_all();
  all_headers(s, to, 8);
}

/// RTA: minimal through one remote router, non-minimal through another one and the own one.
void global_decisions(Script& s, int options) {
  const Dragonfly& d = s.d();
  const int gid = s.group_after(2), near = s.router_after(1), far = s.router_after(2);
  const uint32_t all = static_cast<uint32_t>(low_mask(d.h()));
  GlobalEntryA a;
  GlobalEntryB b;
  if (options & 1) {
    a.port = d.local_port(s.own().bid, near);
    a.global_ports = all;
  }
  if (options & 2) {
    b.port[3] = d.local_port(s.own().bid, far);
    b.own_global_ports = all;
  }
  for (int bid : {s.own().bid, far, s.router_after(3)}) {
    const Address to{gid, bid, 0};
    s.entry_a(to, a.encode());
    s.entry_b(to, b.encode());
    for (int blocked = 0; blocked < 4; ++blocked) {
      s.clear_congestion();
      if (blocked >= 1) s.congestion().global.put(near * d.h(), d.h(), all);
      if (blocked == 2) s.congestion().global.put(s.own().bid * d.h(), d.h(), all);
      if (blocked == 3) s.congest_all();
      all_headers(s, to, 1);
    }
  }
  // The table names routers that table C does not reach, and no own port: unroutable in spite of options.
  b.own_global_ports = 0;
  const Address to{gid, far, 0};
  s.entry_b(to, b.encode());
  for (int r : {near, far}) s.write(reg::kTableC + 8 * static_cast<uint32_t>(r), 0);
  all_headers(s, to, 1);
  s.identity(s.own(), PortClass::node);
}

Cycles every_decision(const Dragonfly& d) {
  Script s(d);
  const RouterId own{1, 1};
  for (const PortClass port_class : {PortClass::node, PortClass::local, PortClass::global}) {
    s.identity(own, port_class);
    const Address zones[] = {{own.gid, own.bid, 0}, {own.gid, s.router_after(1), 0}, {s.group_after(2), 0, 0}};
    for (int options = 0; options < 4; ++options) {
      for (const Address& to : zones) {
        if (to.gid != own.gid && port_class == PortClass::node) continue;
        for (const PortClass level : {PortClass::node, PortClass::local, PortClass::global})
          local_decisions(s, to, level, options);
      }
      if (port_class == PortClass::node) global_decisions(s, options);
    }
    s.clear_congestion();
    for (const Address& outside : {Address{511, 0, 0}, Address{0, 31, 0}, Address{0, 0, 15}})
      all_headers(s, outside, 1);
  }
  return s.take();
}

/// Each group-wide port once as the minimal port, free and congested, and once as the own router's winner.
Cycles every_global_port(const Dragonfly& d) {
  Script s(d);
  s.identity({0, 0}, PortClass::node);
  for (int j = 0; j < d.group_ports() && j < d.g(); ++j) {
    const int bid = j / d.h(), gid = (j + 1) % d.g();
    const bool direct = j >= d.g() - 1 || d.arrangement() == Arrangement::direct;
    if (s.own().bid != bid || s.own().gid != gid) s.identity({gid, bid}, PortClass::node, !direct);
    const Address to{s.group_after(1), bid, 0};
    GlobalEntryA a;
    a.own_router = true;
    a.global_ports = 1u << (j % d.h());
    s.entry_a(to, a.encode());
    s.entry_b(to, GlobalEntryB{}.encode());
    s.clear_congestion();
    s.request(to, gid);
    s.idle(4);
    s.congestion().global.set(j);
    s.request(to, gid);
    s.idle(4);
  }
  return s.take();
}

/// Every entry of the tables read by RTB and, in zone G, by RTA; back to back.
Cycles every_entry(const Dragonfly& d) {
  Script s(d);
  for (const PortClass port_class : {PortClass::local, PortClass::node}) {
    s.identity({0, 0}, port_class);
    for (const RouterId own : {RouterId{0, 0}, RouterId{1, 1}}) {
      s.write(reg::kRouterId, static_cast<uint64_t>(own.gid << 5 | own.bid));
      for (int n = 0; n < d.p(); ++n) s.request({own.gid, own.bid, n});
      for (int r = 0; r < d.a(); ++r) s.request({own.gid, r, 0});
      for (int g = 0; g < d.g(); ++g) s.request({g, own.bid, 0});
    }
  }
  s.idle(5);
  return s.take();
}

/// Every output port from RTB and RTA, every remote router and every byte of table C as the winner.
Cycles every_output(const Dragonfly& d) {
  Script s(d);
  s.identity({1, 1}, PortClass::local);
  const Address here{1, 1, 0};
  for (int port = 0; port < d.num_ports(); ++port) {
    s.entry_a(here, 1ull << port);
    s.request(here, 1);
    s.idle(2);
  }
  for (int own = 0; own < 2; ++own) {
    s.identity({1, own}, PortClass::node);
    for (int r = 0; r < d.a(); ++r) {
      if (r == own) continue;
      for (int byte = 0; byte < table::kPortsC; ++byte) {
        const Address to{s.group_after(2), r, 0};
        EntryC c;
        c.port[byte] = d.local_port(own, r);
        s.write(reg::kTableC + 8 * static_cast<uint32_t>(r), c.encode());
        s.entry_a(to, GlobalEntryA{}.encode());
        GlobalEntryB b;
        b.port[(byte + r) % table::kNeighboursB] = d.local_port(own, r);
        s.entry_b(to, b.encode());
        s.request(to, 1);
        s.idle(4);
      }
    }
  }
  return s.take();
}

/// Every operation on every target, immediate and after a wait; every refusal.
Cycles every_operation(const Dragonfly& d) {
  Script s(d);
  Random random(1);
  for (const PortClass port_class : {PortClass::node, PortClass::local}) {
    s.identity({1, 1}, port_class);
    const uint32_t last_a = reg::kTableA + 8 * static_cast<uint32_t>(table::size_a(d) - 1);
    const uint32_t last_b = reg::kTableB + 8 * static_cast<uint32_t>(table::size_b(d) - 1);
    const bool node = port_class == PortClass::node;
    const ConfigOperation writes[] = {{true, reg::kTableA, 1},
                                      {true, last_a, node ? random_global_a(d, random) : 2},
                                      {true, reg::kTableB, 1},
                                      {true, last_b, node ? random_global_b(d, random) : 2},
                                      {true, reg::kTableC, 0},
                                      {true, reg::kRouterId, 1 << 5 | 1},
                                      {true, reg::kPort, static_cast<uint64_t>(port_class)},
                                      {true, reg::kThreshold, 0xFFFFFFFF},
                                      {true, reg::kLfsr, 0xFFFF},
                                      {true, reg::kRule, 5}};
    for (const ConfigOperation& op : writes) {
      const ConfigOperation read{false, op.address, 0};
      for (const ConfigOperation& o : {op, read}) {
        for (const int requests : {0, 1, 2, 3, 5, 9, 17, 40}) {
          // The operation is taken in the first cycle of the burst, or before its end.
          for (int k = 0; k < requests; ++k) k == 1 ? s.both({0, 0, 0}, o) : s.request({0, 0, 0});
          s.idle(requests == 0 ? 6 : 1);
          s.operation(o);
          s.idle(3);
        }
      }
    }
    for (int kind = 0; kind < kRefusals; ++kind) {
      for (int n = 0; n < 4; ++n) s.operation(refused_operation(d, kind, port_class, random));
    }
  }
  for (uint32_t k = 0; k < reg::kNumCounters; ++k) s.read(reg::kCounters + 8 * k);
  s.read(reg::kId);
  s.read(reg::kSize);
  s.idle(4);
  return s.take();
}

/// Table entries written one and two cycles before, and one cycle after, the cycle in which a request reads them.
Cycles fresh_entries(const Dragonfly& d) {
  Script s(d);
  s.identity({1, 1}, PortClass::node);
  const Address to{s.group_after(2), 2 % d.a(), 0};
  GlobalEntryB b;
  b.port[0] = d.local_port(1, 2 % d.a());
  const uint32_t a_at = reg::kTableA + 8 * static_cast<uint32_t>(d.p() + d.a() + to.gid);
  const uint32_t b_at = reg::kTableB + 8 * static_cast<uint32_t>(d.a() + to.gid);
  const uint32_t c_at = reg::kTableC + 8 * static_cast<uint32_t>(2 % d.a());
  EntryC c;
  for (int k = 0; k < 2; ++k) {
    c.port[k] = d.local_port(1, 2 % d.a());
    const ConfigOperation writes[] = {
        {true, a_at, GlobalEntryA{}.encode()}, {true, b_at, b.encode()}, {true, c_at, c.encode()}};
    for (const ConfigOperation& op : writes) {
      for (int offset = -4; offset <= 4; ++offset) {
        s.idle(8);
        if (offset < 0) {
          s.operation(op);
          s.idle(-offset - 1);
          s.request(to, 1);
        } else if (offset == 0) {
          s.both(to, op, 1);
        } else {
          s.request(to, 1);
          s.idle(offset - 1);
          s.operation(op);
        }
      }
    }
  }
  s.idle(8);
  return s.take();
}

/// Reset in every stage of a request and of an operation, waiting or not; a write that reset drops must leave no trace.
Cycles reset_everywhere(const Dragonfly& d) {
  Script s(d);
  uint64_t data = 0;
  for (int delay = 0; delay < 7; ++delay) {
    for (int kind = 0; kind < 3; ++kind) {
      for (const uint32_t target : {reg::kTableA, reg::kTableB}) {
        data = data % low_mask(d.num_ports()) + 1;  // never what is there
        s.identity({1, 1}, PortClass::node);
        s.idle(6);
        for (int k = 0; k < (kind == 2 ? 4 : 1); ++k) {
          kind != 0 && k == 0 ? s.both({0, 0, 0}, {true, target, data}, 1) : s.request({0, 0, 0}, 1);
        }
        s.idle(delay);
        s.reset(1 + kind);
        s.read(target);
      }
    }
  }
  s.idle(4);
  return s.take();
}

/// Every bit of every kind of configuration word flipped, every value of every port field: accepted or refused, then
/// read back.
Cycles every_word(const Dragonfly& d) {
  Script s(d);
  Random random(2);
  const uint32_t last_a = reg::kTableA + 8 * static_cast<uint32_t>(table::size_a(d) - 1);
  const uint32_t last_b = reg::kTableB + 8 * static_cast<uint32_t>(table::size_b(d) - 1);
  const uint32_t last_c = reg::kTableC + 8 * static_cast<uint32_t>(d.a() - 1);
  for (const PortClass port_class : {PortClass::node, PortClass::local}) {
    s.identity({1, 1}, port_class);
    const bool node = port_class == PortClass::node;
    const uint64_t word_a = node ? GlobalEntryA{}.encode() : 0, word_b = node ? GlobalEntryB{}.encode() : 0;
    const ConfigOperation words[] = {{true, reg::kTableA, 0},
                                     {true, reg::kTableA, low_mask(d.num_ports())},
                                     {true, reg::kTableB, random_default_entry(d, random)},
                                     {true, last_a, word_a},
                                     {true, last_a, node ? random_global_a(d, random) : low_mask(d.num_ports())},
                                     {true, last_b, word_b},
                                     {true, last_b, node ? random_global_b(d, random) : low_mask(d.num_ports())},
                                     {true, last_c, 0},
                                     {true, last_c, random_entry_c(d, random)},
                                     {true, reg::kRouterId, 1 << 5 | 1},
                                     {true, reg::kPort, static_cast<uint64_t>(port_class)},
                                     {true, reg::kThreshold, 0},
                                     {true, reg::kThreshold, 0xFFFFFFFF},
                                     {true, reg::kLfsr, 0},
                                     {true, reg::kLfsr, 0xFFFF},
                                     {true, reg::kRule, 7},
                                     {true, reg::kRule, 0}};
    for (const ConfigOperation& word : words) {
      for (int bit = 0; bit < 64; ++bit) {
        s.write(word.address, word.data ^ 1ull << bit);
        s.read(word.address);
        s.write(word.address, word.data);  // so that PORT and ROUTER_ID do not stay changed
      }
    }
    if (!node) continue;
    for (uint64_t port = 0; port < 64; ++port) {
      GlobalEntryA a;
      a.port = static_cast<int>(port);
      s.write(last_a, a.encode());
      for (int k = 0; k < table::kNeighboursB; ++k) {
        GlobalEntryB b;
        b.port[k] = static_cast<int>(port);
        s.write(last_b, b.encode());
      }
    }
  }
  for (int k = 0; k < table::kPortsC; ++k) {
    for (uint64_t byte = 0; byte < 256; ++byte) s.write(last_c, byte << 8 * k);
  }
  for (uint32_t address = 0; address < reg::kEnd; address += 8) s.read(address);
  s.idle(4);
  return s.take();
}

/// Random tables; then every port in turn is the only free one, globally, then locally. The flags of the non-empty
/// classes say which class each port is in.
Cycles one_free_port(const Dragonfly& d) {
  Script s(d);
  Random random(3);
  const auto below = [&random](int n) { return static_cast<int>(random.below(static_cast<uint32_t>(n))); };
  const int shown = std::min(d.group_ports(), 32);
  for (int table = 0; table < 40'000 / (shown + 3 * d.a() + 40); ++table) {
    const bool node = table % 8 != 0, absolute = below(2) == 0;
    s.identity({below(d.g()), below(d.a())}, node ? PortClass::node : static_cast<PortClass>(1 + below(2)), absolute);
    if (below(2) == 0) {
      for (int r = 0; r < d.a(); ++r) s.write(reg::kTableC + 8 * static_cast<uint32_t>(r), random_entry_c(d, random));
    }
    Address to{below(d.g()), below(d.a()), below(d.p())};
    if (node && to.gid == s.own().gid) to.gid = s.group_after(1);
    s.entry_a(to, !node           ? random_default_entry(d, random)
                  : below(2) == 0 ? GlobalEntryA{}.encode()
                                  : random_global_a(d, random));
    s.entry_b(to, node ? random_global_b(d, random) : random_default_entry(d, random));
    s.write(reg::kLfsr, 1 + random.below(65535));
    const int first = below(d.group_ports());
    for (int n = 0; n < shown; ++n) {
      s.congest_all();
      s.congestion().local = 0;
      s.congestion().global.clear((first + n) % d.group_ports());
      s.request(to, below(2) == 0 ? s.own().gid : below(d.g()), below(4));
    }
    for (int k = 0; k < std::min(d.num_ports(), 32); ++k) {
      s.congest_all();
      s.congestion().global = {};
      s.congestion().local &= ~(1ull << (table + k) % d.num_ports());
      s.request(to, below(2) == 0 ? s.own().gid : below(d.g()), below(4));
    }
    s.clear_congestion();
    s.idle(3);
  }
  return s.take();
}

/// Every source group, every destination group, router and node number that the header can hold.
Cycles every_header(const Dragonfly& d) {
  Script s(d);
  for (const PortClass port_class : {PortClass::local, PortClass::node}) {
    s.identity({1, 1}, port_class);
    const Address far{s.group_after(2), 0, 0};
    if (port_class == PortClass::local) {
      s.entry_a(far, 0);
      s.entry_b(far, low_mask(d.num_ports()));
    }
    s.idle(3);
    for (int gid = 0; gid < 512; ++gid) {
      s.request(far, gid);
      s.request({gid, 1, 0}, 1);
      s.request({gid, 1, 0}, gid);
    }
    for (int gid : {1, far.gid}) {
      for (int bid = 0; bid < 32; ++bid) s.request({gid, bid, 0}, 1);
      for (int nid = 0; nid < 16; ++nid) s.request({gid, 1, nid}, 1);
    }
  }
  s.idle(5);
  return s.take();
}

/// PORT from every class and arrangement to every other one; requests between the writes.
Cycles identity_changes(const Dragonfly& d) {
  Script s(d);
  for (int from = 0; from < 6; ++from) {
    for (int to = 0; to < 6; ++to) {
      for (const int state : {from, to}) {
        s.write(reg::kPort, static_cast<uint64_t>(state / 2) | static_cast<uint64_t>(state % 2) << 2);
        for (int k = 0; k < 3; ++k) s.request({(k + 2) % d.g(), k % d.a(), 0}, 1);
      }
    }
  }
  s.idle(5);
  return s.take();
}

/// The same request under LFSR values that pick every one of its options.
Cycles even_picks(const Dragonfly& d) {
  Script s(d);
  s.identity({1, 1}, PortClass::node);
  const Address to{s.group_after(2), 0, 0};
  GlobalEntryA a;
  GlobalEntryB b;
  b.own_global_ports = 1u << (d.h() / 2);
  for (int k = 0; k < 2; ++k) b.port[k] = d.local_port(1, s.router_after(k + 1));
  EntryC c;
  c.port[2] = d.first_local();
  c.port[3] = d.first_local() + (d.a() > 2 ? 1 : 0);
  for (int r = 0; r < d.a(); ++r) s.write(reg::kTableC + 8 * static_cast<uint32_t>(r), c.encode());
  s.entry_a(to, a.encode());
  const Address here{1, 1, 0};
  s.entry_a(here, 1ull << (d.num_ports() / 2) | 2);
  for (int own_only = 0; own_only < 2; ++own_only) {
    if (own_only) b.port.fill(kNoPort);
    s.entry_b(to, b.encode());
    for (uint32_t lfsr = 1; lfsr < 65536; lfsr += 769) {
      s.write(reg::kLfsr, lfsr);
      s.request(to, 1);
      s.request(here, 1);
      s.idle(2);
    }
  }
  return s.take();
}

/// Nothing, a part and everything congested, in both maps; the minimal option and the own ports stay the same.
Cycles congestion_extremes(const Dragonfly& d) {
  Script s(d);
  s.identity({1, 1}, PortClass::node);
  const Address to{s.group_after(2), 0, 0};
  const Congestion none;
  s.congest_all();
  const Congestion all = s.congestion();
  Congestion some;
  some.local = 1ull << d.first_local();
  some.global.set(0);
  for (const Congestion* global : {&none, &std::as_const(some), &all}) {
    for (const Congestion* local : {&none, &std::as_const(some), &all}) {
      s.congestion() = {local->local, global->global};
      s.request(to, 1);
      s.idle(4);
    }
  }
  return s.take();
}

/// Every rule with maps that differ: what the first ones leave free the second ones do not, and the other way round;
/// nothing free, with and without a minimal option.
Cycles every_rule(const Dragonfly& d) {
  Script s(d);
  for (uint64_t rule = 0; rule < 8; ++rule) {
    for (const PortClass port_class : {PortClass::node, PortClass::local}) {
      s.identity({1, 1}, port_class);
      s.write(reg::kRule, rule);
      const bool node = port_class == PortClass::node;
      const int near = s.router_after(1), far = s.router_after(2);
      const Address to{s.group_after(2), far, 0};
      for (int options = 1; options < 4; ++options) {
        GlobalEntryA a;
        GlobalEntryB b;
        if (options & 1) a = {d.local_port(1, near), false, static_cast<uint32_t>(low_mask(d.h()))};
        if (options & 2) b.port[3] = d.local_port(1, far), b.own_global_ports = static_cast<uint32_t>(low_mask(d.h()));
        const uint64_t local_a = options & 1 ? 1ull << d.first_local() : 0;
        const uint64_t local_b = options & 2 ? 1ull << (d.first_global() - 1) | 1ull << (d.num_ports() - 1) : 0;
        s.entry_a(to, node ? a.encode() : local_a);
        s.entry_b(to, node ? b.encode() : local_b);
        for (int free = 0; free < 16; ++free) {
          s.congest_all();
          Congestion& c = s.congestion();
          c.busy_local = c.local, c.busy_global = c.global;
          if (free & 1) c.local = 0, c.global = {};
          if (free & 2) c.busy_local = 0, c.busy_global = {};
          // Only the ways are blocked, or only the ports.
          if (free & 4) c.global = c.busy_global = {};
          if (free & 8) c.local &= low_mask(d.first_local()), c.busy_local &= ~low_mask(d.first_global());
          for (int k = 0; k < 3; ++k) s.request(to, k == 0 ? 1 : s.group_after(1));
          s.idle(3);
        }
      }
    }
  }
  s.write(reg::kRule, 0);
  s.idle(2);
  return s.take();
}

/// Absolute arrangement: the groups in between shift case 3 by one port, so that own ports are in GB and in GC at once.
Cycles shifted_shortcuts(const Dragonfly& d) {
  Script s(d);
  s.identity({0, 1}, PortClass::node, true);
  const Address to{d.g() - 1, 1, 0};
  GlobalEntryA a;
  GlobalEntryB b;
  b.own_global_ports = static_cast<uint32_t>(low_mask(d.h()));
  for (int step = 0; step < 4; ++step) {
    if (step & 1) a = {d.local_port(1, 0), false, 1};
    if (step & 2) b.port[0] = d.local_port(1, s.router_after(1));
    s.entry_a(to, a.encode());
    s.entry_b(to, b.encode());
    s.clear_congestion();
    s.request(to, 0);
    s.idle(4);
    for (int j = 0; j < d.h(); ++j) {  // one own port after the other gets congested
      s.congestion().global.set(d.h() + j);
      s.request(to, 0);
      s.idle(4);
    }
    if (step & 1) a = {};
  }
  return s.take();
}

}  // namespace

const std::vector<DirectedTest>& directed_tests() {
  static const std::vector<DirectedTest> kTests{
      {"every_decision", "zone x class x filter side x VC x options x hop class", every_decision},
      {"every_global_port", "each group-wide port as free minimal, congested minimal and own winner",
       every_global_port},
      {"every_entry", "each entry of tables A and B read", every_entry},
      {"every_output", "each output port, remote winner and byte of table C", every_output},
      {"every_operation", "each operation, immediate and waiting, and each refusal", every_operation},
      {"fresh_entries", "entries written next to the cycle that reads them", fresh_entries},
      {"reset_everywhere", "reset in every stage of a request and of an operation", reset_everywhere},
      {"identity_changes", "PORT from every class and arrangement to every other one", identity_changes},
      {"congestion_extremes", "nothing, a part, everything congested in either map", congestion_extremes},
      {"every_rule", "each rule with first and second maps that differ, with and without minimal options", every_rule},
      {"shifted_shortcuts", "absolute arrangement: own ports in GB and GC at once", shifted_shortcuts},
      {"every_word", "each bit of each kind of configuration word flipped, each value of each port field", every_word},
      {"one_free_port", "random tables; every port in turn is the only free one", one_free_port},
      {"every_header", "each source group, destination group, router and node number", every_header},
      {"even_picks", "LFSR values that pick every option", even_picks},
  };
  return kTests;
}

std::vector<UnitInputs> all_directed_tests(const Dragonfly& d) {
  Cycles out;
  for (const DirectedTest& test : directed_tests()) {
    const Cycles cycles = test.make(d);
    out.insert(out.end(), cycles.begin(), cycles.end());
  }
  return out;
}

}  // namespace odonata::cosim
