// SPDX-License-Identifier: Apache-2.0
#include "hw/fault/plane_network_module.h"

#include <algorithm>
#include <string>
#include <tuple>

#include "hw/common/write_word.h"

namespace odonata::fault {

// ---- FaultLinkModule

FaultLinkModule::FaultLinkModule(const sc_core::sc_module_name& name, const Dragonfly& d, std::array<End, 2> ends,
                                 int latency, const LinkLevel& level)
    : sc_module(name), ends_(ends), latency_(latency), level_(level), link_{LinkEnd(d), LinkEnd(d)} {
  for (int i = 0; i < 2; ++i) {
    in_[i] = std::make_unique<Socket>(("from_" + std::to_string(i)).c_str());
    in_[i]->register_b_transport(this, &FaultLinkModule::take, i);
    out_[i] = std::make_unique<OutSocket>(("to_" + std::to_string(i)).c_str());
  }
}

void FaultLinkModule::take(int end, tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
  payload.set_response_status(hw::check_access(payload, hw::kWordBytes));
  if (payload.get_response_status() == tlm::TLM_OK_RESPONSE)
    handed_[end].push_back(static_cast<uint32_t>(hw::load_word(payload)));
}

void FaultLinkModule::send(int64_t cycle) {
  for (int i = 0; i < 2; ++i) {
    for (const uint32_t message : handed_[i]) {
      if (!up_) continue;  // nobody is at the other end
      if (level_.enabled) {
        link_[i].push(decode_message(message));
      } else {
        flying_[i].push_back({cycle, message});
      }
    }
    handed_[i].clear();
    if (!up_ || !level_.enabled) continue;
    if (const auto frame = link_[i].transmit(cycle))
      flying_[i].push_back({cycle, pass_wire(*frame, level_, ends_[i].router, ends_[i].port, cycle)});
  }
}

void FaultLinkModule::set_up(bool up) {
  up_ = up;
  for (int i = 0; i < 2; ++i) {
    flying_[i].clear();
    link_[i].reset();
  }
}

void FaultLinkModule::deliver(int64_t cycle, const std::function<void(int, int64_t, uint32_t)>& arrived) {
  for (int i = 0; i < 2; ++i) {
    if (flying_[i].empty() || flying_[i].front().sent + latency_ != cycle) continue;
    const InFlight head = flying_[i].front();
    flying_[i].pop_front();
    uint32_t message = static_cast<uint32_t>(head.word);
    if (level_.enabled) {
      const auto taken = link_[1 - i].receive(head.word, cycle);
      if (!taken) continue;
      message = encode_message(*taken);
    }
    if (!hw::write_word(*out_[1 - i], message)) SC_REPORT_ERROR(name(), "an input FIFO has no room");
    arrived(i, head.sent, message);
  }
}

// ---- FaultPlaneNetworkModule

FaultPlaneNetworkModule::FaultPlaneNetworkModule(const sc_core::sc_module_name& name, hw::Tick& tick,
                                                 const Dragonfly& d, const Parameters& parameters,
                                                 std::vector<ScheduledFault> faults, const MakePlane& make)
    : sc_module(name),
      tick_(tick),
      d_(d),
      p_(parameters),
      origin_(1 + parameters.timing.stations),
      faults_(std::move(faults)),
      alive_(d.num_routers(), 1),
      failed_(d.num_routers(), 0),
      up_(d.num_routers(), ~0ull),
      joins_(d.num_routers(), 0) {
  if (p_.timing.local_latency < 1 || p_.timing.global_latency < 1)
    throw Error("SystemC fault network: link latencies have to be at least 1 cycle");
  std::stable_sort(faults_.begin(), faults_.end(),
                   [](const ScheduledFault& x, const ScheduledFault& y) { return x.cycle < y.cycle; });
  FaultRouterConfig config = FaultRouterConfig::of(p_.timing);
  config.input_depth = input_depth(d);
  for (int r = 0; r < d.num_routers(); ++r) {
    const std::string plane = "plane_" + std::to_string(r);
    planes_.push_back(make ? make(plane.c_str(), tick, d, config, r)
                           : std::make_unique<StructuralFaultPlane>(plane.c_str(), tick, d, config));
    planes_.back()->load(d.router(r), p_.mode, p_.recovery, p_.policy);
    event_sockets_.push_back(std::make_unique<Initiator>(("events_" + std::to_string(r)).c_str()));
    event_sockets_.back()->bind(planes_.back()->link_socket);
    config_sockets_.push_back(std::make_unique<Initiator>(("config_" + std::to_string(r)).c_str()));
    config_sockets_.back()->bind(planes_.back()->config_socket);
  }
  for (int r = 0; r < d.num_routers(); ++r) {
    for (int port = 0; port < d.num_ports(); ++port) {
      const Dragonfly::Peer peer = port < d.p() ? Dragonfly::Peer{} : d.peer(d.router(r), port);
      const int other = peer.connected ? d.router_index(peer.router) : -1;
      if (peer.connected && (other < r || (other == r && peer.port < port))) continue;  // made from its other end
      const std::string cable = "link_" + std::to_string(r) + "_" + std::to_string(port);
      const int latency = d.is_local_port(port) ? p_.timing.local_latency : p_.timing.global_latency;
      auto link = std::make_unique<FaultLinkModule>(
          cable.c_str(), d, std::array<FaultLinkModule::End, 2>{{{r, port}, {other, peer.port}}}, latency, p_.link);
      planes_[r]->out_socket(port).bind(link->from(0));
      link->to(0).bind(planes_[r]->in(port));
      if (peer.connected) {
        planes_[other]->out_socket(peer.port).bind(link->from(1));
        link->to(1).bind(planes_[other]->in(peer.port));
        links_.push_back(std::move(link));
      } else {  // a port without a cable: what it sends is gone
        link->set_up(false);
        link->to(1).bind(link->from(1));
        unused_.push_back(std::move(link));
      }
    }
  }
  SC_HAS_PROCESS(FaultPlaneNetworkModule);
  SC_METHOD(half);
  sensitive << half_;
  dont_initialize();
  half_.notify(tick.period() * 1.5);
}

/// In the middle between two edges: what the cycle has sent, the faults of the next cycle, what its edge will see.
void FaultPlaneNetworkModule::half() {
  const int64_t now = cycle();
  half_.notify(tick_.period());
  if (now == 1 - origin_) {
    for (const auto& plane : planes_) plane->set_reset(false);
  }
  for (int r = 0; r < d_.num_routers(); ++r) look(r);
  for (const auto& link : links_) link->send(now);
  for (const auto& link : unused_) link->send(now);
  apply_faults(now + 1);
  if (p_.timing.load > 0) drive_route_traffic(now + 1);
  for (const auto& link : links_) {
    link->deliver(now + 1, [&](int direction, int64_t sent, uint32_t message) {
      const FaultLinkModule::End &from = link->end(direction), &to = link->end(1 - direction);
      transfers_.push_back({sent, now + 1, from.router, from.port, to.router, to.port, decode_message(message), -1});
      last_activity_ = now + 1;
    });
  }
}

/// The route traffic of the network model: which table RAMs are taken in the cycle after the next edge.
void FaultPlaneNetworkModule::drive_route_traffic(int64_t cycle) {
  for (int r = 0; r < d_.num_routers(); ++r) {
    PortMap reads = 0;
    for (int port = 0; port < d_.num_ports(); ++port) {
      if (route_reads(p_.timing, r, port, cycle)) reads |= 1ull << port;
    }
    planes_[r]->set_route_reads(reads);
  }
}

/// Records the command of the present cycle.
void FaultPlaneNetworkModule::look(int router) {
  const RouterOutputs& o = planes_[router]->out();
  if (o.busy != 0 || o.out_valid != 0 || o.working) last_activity_ = cycle();
  if (!o.serve || !alive_[router]) return;
  Service s;
  s.start = cycle();
  s.router = router;
  s.kind = static_cast<ServiceKind>(o.serve_kind);
  s.port = o.serve_port;
  if (o.serve_kind >= 2) s.message = decode_message(o.serve_message);
  s.isolated = o.serve_isolated;
  services_.push_back(s);
}

void FaultPlaneNetworkModule::apply_faults(int64_t cycle) {
  const size_t first = next_fault_;
  for (; next_fault_ < faults_.size() && faults_[next_fault_].cycle <= cycle; ++next_fault_) {
    const ScheduledFault& f = faults_[next_fault_];
    const int router = d_.router_index(f.fault.router);
    if (f.fault.is_router) {
      set_alive(router, f.repair);
      continue;
    }
    const auto mark = [&](int r, int port) {
      failed_[r] = f.repair ? failed_[r] & ~(1ull << port) : failed_[r] | 1ull << port;
    };
    mark(router, f.fault.port);
    if (f.fault.port < d_.p()) continue;
    const Dragonfly::Peer peer = d_.peer(f.fault.router, f.fault.port);
    mark(d_.router_index(peer.router), peer.port);
  }
  if (next_fault_ == first) return;
  last_activity_ = cycle;
  update_links();
}

/// A dead router is held in reset; it forgets everything and starts as configured.
void FaultPlaneNetworkModule::set_alive(int router, bool alive) {
  if ((alive_[router] != 0) == alive) return;
  alive_[router] = alive;
  planes_[router]->set_reset(!alive);
  if (!alive) planes_[router]->load(d_.router(router), p_.mode, p_.recovery, p_.policy, p_.waits_for_end_mark());
  joins_[router] = p_.waits_for_end_mark();
}

bool FaultPlaneNetworkModule::state(int router, int port) const {
  if (failed_[router] >> port & 1) return false;
  if (port < d_.p()) return true;
  const Dragonfly::Peer peer = d_.peer(d_.router(router), port);
  if (!peer.connected) return !joins_[router];  // no link event from a port without a cable
  return alive_[router] && alive_[d_.router_index(peer.router)];
}

void FaultPlaneNetworkModule::update_links() {
  std::vector<PortMap> before = up_;
  for (int r = 0; r < d_.num_routers(); ++r) {
    PortMap map = ~0ull;
    for (int port = 0; port < d_.num_ports(); ++port) {
      if (!state(r, port)) map &= ~(1ull << port);
    }
    if (map == up_[r] && before[r] == map) continue;
    up_[r] = map;
    drive_links(r);
  }
  for (const auto& link : links_) {
    const auto& e = link->end(0);
    const bool was = before[e.router] >> e.port & 1, is = up_[e.router] >> e.port & 1;
    if (was != is) link->set_up(is);
  }
}

void FaultPlaneNetworkModule::drive_links(int router) { hw::write_word(*event_sockets_[router], up_[router]); }

uint64_t FaultPlaneNetworkModule::read(int router, uint32_t address) {
  uint64_t word = 0;
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_READ_COMMAND);
  payload.set_address(address);
  payload.set_data_ptr(reinterpret_cast<unsigned char*>(&word));
  payload.set_data_length(hw::kWordBytes);
  if ((*config_sockets_[router])->transport_dbg(payload) != hw::kWordBytes)
    throw Error("fault plane: no word at address " + std::to_string(address));
  return word;
}

uint64_t FaultPlaneNetworkModule::frames_dropped() const {
  uint64_t n = 0;
  for (const auto& link : links_) n += link->frames_dropped();
  return n;
}

uint64_t FaultPlaneNetworkModule::frames_sent_again() const {
  uint64_t n = 0;
  for (const auto& link : links_) n += link->frames_sent_again();
  return n;
}

namespace {

std::string place(const Dragonfly& d, int router, int port) {
  const RouterId r = d.router(router);
  return "G" + std::to_string(r.gid) + ".s" + std::to_string(r.bid) + " port " + std::to_string(port);
}

std::string words(const Dragonfly& d, const Service& s) {
  constexpr const char* kKinds[] = {"link down", "link up", "FD", "FR"};
  const bool message = s.kind == ServiceKind::diagnosis || s.kind == ServiceKind::recovery;
  return place(d, s.router, s.port) + " serves " + (message ? to_string(s.message) : kKinds[static_cast<int>(s.kind)]) +
         " in cycle " + std::to_string(s.start) + (s.isolated ? ", isolated" : "");
}

std::string words(const Dragonfly& d, const Transfer& t) {
  return to_string(t.message) + " from " + place(d, t.from, t.from_port) + " to " + place(d, t.to, t.to_port) +
         ", sent in cycle " + std::to_string(t.sent) + ", arrived in " + std::to_string(t.arrived);
}

/// Compares two lists in the order of `key`, as far as the key's cycle is before `end`.
template <class T, class Key>
std::string first_difference(const Dragonfly& d, std::vector<T> want, std::vector<T> have, int64_t end, Key key) {
  for (auto* list : {&want, &have}) std::erase_if(*list, [&](const T& x) { return std::get<0>(key(x)) >= end; });
  const auto less = [&](const T& x, const T& y) { return key(x) < key(y); };
  std::stable_sort(want.begin(), want.end(), less);
  std::stable_sort(have.begin(), have.end(), less);
  for (size_t i = 0; i < std::max(want.size(), have.size()); ++i) {
    const std::string expected = i < want.size() ? words(d, want[i]) : "nothing more",
                      got = i < have.size() ? words(d, have[i]) : "nothing more";
    if (expected != got) return "the model: " + expected + "; SystemC: " + got;
  }
  return "";
}

}  // namespace

std::string compare_records(const Dragonfly& d, const PlaneRecord& want, const PlaneRecord& have, int64_t end) {
  if (want.services.empty()) return "the model has recorded no service";
  std::string services = first_difference(d, want.services, have.services, end,
                                          [](const Service& s) { return std::tuple(s.start, s.router); });
  if (!services.empty()) return services;
  return first_difference(d, want.transfers, have.transfers, end,
                          [](const Transfer& t) { return std::tuple(t.arrived, t.from, t.from_port); });
}

std::string compare_with_model(const FaultPlaneNetwork& model, const FaultPlaneNetworkModule& network, int64_t end) {
  return compare_records(model.dragonfly(), {model.services(), model.transfers()},
                         {network.services(), network.transfers()}, end);
}

}  // namespace odonata::fault
