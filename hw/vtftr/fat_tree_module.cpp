// SPDX-License-Identifier: Apache-2.0
#include "hw/vtftr/fat_tree_module.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

namespace odonata::vtftr {

using sc_core::SC_NS;
using sc_core::sc_time;
using sc_core::sc_time_stamp;

namespace {

constexpr double kControl = 0.5;  // ns after an edge, between the steps of a cycle
// A detector's outputs change detect_i + 1 edges after the first sample, which is one after the change.
constexpr int kDetectEdges = 2;
constexpr int kReportEdge = 1;  // later it shows its report
constexpr int kForwardEdge =
    1;  // of `hop`, from a message at the pins of a unit to the next edge; the tables hold with the second
constexpr int kSample = 1;  // ns after its arrival a message is sampled

std::string numbered(const std::string& name, int i) { return name + std::to_string(i); }

UnitSize size_of(const FatTree& t) { return {t.columns(), t.rows(), t.p(), t.u()}; }

fabric::Route route_of(int port, int vc, int nodes) {
  if (port == kNoPort) return {};
  return {port, port < nodes ? 0 : vc, 0};
}

}  // namespace

// ---- route units: the answer is there for one edge, and kept until the switch takes it

class FatTreeModule::LatchedLeaf : public LeafModule {
 public:
  using LeafModule::LeafModule;
  LeafOutputs kept;
  Watch<LeafInputs> watch;

 protected:
  void publish() override {
    LeafModule::publish();
    if (out().resp_valid != 0) kept = out();
    if (watch) watch(now().r0);
  }
};

class FatTreeModule::LatchedRoot : public RootModule {
 public:
  using RootModule::RootModule;
  RootOutputs kept;
  Watch<RootInputs> watch;

 protected:
  void publish() override {
    RootModule::publish();
    if (out().resp_valid != 0) kept = out();
    if (watch) watch(now().r0);
  }
};

class FatTreeModule::LeafPort : public fabric::RouteUnit {
 public:
  LeafPort(FatTreeModule& network, int number, int port, const FatTreeMakers& makers)
      : network_(network),
        number_(number),
        spoil_(makers.spoil_leaf),
        unit_(numbered(numbered("leaf_port_", port) + "_", number).c_str(), network.units_, network.size_, pins()) {
    const FatTree& t = network.p_.tree;
    const Switch& s = network.switches_[static_cast<size_t>(number)];
    const FatTree::LeafPort at = t.leaf_port(port);
    if (makers.watch_leaf) unit_.watch = makers.watch_leaf(number, port);
    in_.own_x = static_cast<uint8_t>(s.x);
    in_.own_y = static_cast<uint8_t>(s.y);
    in_.port_class = static_cast<uint8_t>(at.node >= 0 ? 0 : 1 + at.dimension);
    in_.safe = network.p_.mode.safe;
    idle_ = in_;
    in_.req_valid = true;
  }
  void ask(const fabric::Flit* head) override {
    if (head == nullptr) return;
    sampled_ = sc_time_stamp() + sc_time(1 - kAsk, SC_NS);
    const FatTree& t = network_.p_.tree;
    const int node = static_cast<int>(head->dest), leaf = node / t.p();
    const Switch& s = network_.switches_[static_cast<size_t>(number_)];
    const UpdateOutputs& known = s.update->out();
    const uint64_t down = LineMap(s.detect->out().dead).low;
    in_.req_dest = fat_tree_address(leaf % t.columns(), leaf / t.columns(), node % t.p());
    in_.req_vc = head->vc != 0;
    in_.fr = known.columns;
    in_.fc = known.rows;
    in_.cf = known.cf != 0;
    in_.row_down = static_cast<uint32_t>(down & low_mask(t.u()));
    in_.column_down = static_cast<uint32_t>(down >> t.u());
    if (spoil_ != nullptr) spoil_(in_);
  }
  fabric::Route answer() override { return route_of(unit_.kept.resp_port, unit_.kept.resp_vc, network_.p_.tree.p()); }

 private:
  hw::Drive<LeafInputs> pins() {
    return [this]() -> const LeafInputs& { return sc_time_stamp() == sampled_ ? in_ : idle_; };
  }
  FatTreeModule& network_;
  const int number_;
  void (*spoil_)(LeafInputs& pins);
  LeafInputs in_, idle_;
  sc_time sampled_;
  LatchedLeaf unit_;
};

class FatTreeModule::RootPort : public fabric::RouteUnit {
 public:
  RootPort(FatTreeModule& network, int number, int port, const FatTreeMakers& makers)
      : network_(network),
        number_(number),
        spoil_(makers.spoil_root),
        unit_(numbered(numbered("root_port_", port) + "_", number).c_str(), network.units_, network.size_, true,
              pins()) {
    const Switch& s = network.switches_[static_cast<size_t>(number)];
    if (makers.watch_root) unit_.watch = makers.watch_root(number, port);
    in_.dim = s.dimension == kColumn;
    in_.own = static_cast<uint8_t>(s.line);
    in_.in_port = static_cast<uint8_t>(port);
    in_.safe = network.p_.mode.safe;
    in_.exclude = network.p_.mode.exclude;
    idle_ = in_;
    idle_.lfsr_value = network.p_.lfsr_seed(number - network.p_.tree.num_leaves(), port);
    in_.req_valid = true;
  }
  void ask(const fabric::Flit* head) override {
    if (head == nullptr) return;
    sampled_ = sc_time_stamp() + sc_time(1 - kAsk, SC_NS);
    const FatTree& t = network_.p_.tree;
    const int leaf = static_cast<int>(head->dest) / t.p();
    const Switch& s = network_.switches_[static_cast<size_t>(number_)];
    in_.req_leaf = static_cast<uint16_t>(leaf / t.columns() << 7 | leaf % t.columns());
    in_.req_vc = head->vc != 0;
    in_.dead = s.detect->out().dead;
    in_.mask = s.dimension == kRow ? s.update->out().columns : s.update->out().rows;
    if (spoil_ != nullptr) spoil_(in_);
  }
  fabric::Route answer() override { return route_of(unit_.kept.resp_port, unit_.kept.resp_vc, 0); }

 private:
  hw::Drive<RootInputs> pins() {
    return [this]() -> const RootInputs& {
      idle_.lfsr_load = network_.cycle() < 0;
      return sc_time_stamp() == sampled_ ? in_ : idle_;
    };
  }
  FatTreeModule& network_;
  const int number_;
  void (*spoil_)(RootInputs& pins);
  RootInputs in_, idle_;
  sc_time sampled_;
  LatchedRoot unit_;
};

// ---- the network

FatTreeModule::FatTreeModule(const sc_core::sc_module_name& name, const FatTreeNetworkParameters& parameters,
                             fabric::Source& source, fabric::Observer& observer, const FatTreeMakers& makers)
    : NetworkModule(name, parameters.edges, 4 + size_of(parameters.tree).ports() / parameters.edges),
      p_(parameters),
      size_(size_of(p_.tree)),
      broadcast_socket_("broadcast_socket") {
  broadcast_socket_.register_b_transport(this, &FatTreeModule::broadcast);
  build_switches(makers);
  build_data_paths(source, observer, makers);
  connect_manager(makers);
  SC_HAS_PROCESS(FatTreeModule);
  SC_METHOD(control);
  sensitive << control_;
  dont_initialize();
  control_.notify(sc_time(1 + kControl, SC_NS));
}

FatTreeModule::~FatTreeModule() = default;

int FatTreeModule::root_number(int dimension, int line, int rail) const {
  return p_.tree.num_leaves() + ((dimension == kRow ? 0 : p_.tree.rows()) + line) * p_.tree.u() + rail;
}

int FatTreeModule::peer_port(const Switch& s, int port) const {
  if (!s.leaf) return p_.tree.uplink(s.dimension, s.rail);
  return p_.tree.leaf_port(port).dimension == kRow ? s.x : s.y;
}

void FatTreeModule::build_switches(const FatTreeMakers& makers) {
  const FatTree& t = p_.tree;
  switches_.resize(static_cast<size_t>(t.num_leaves() + t.num_roots()));
  for (int leaf = 0; leaf < t.num_leaves(); ++leaf) {
    Switch& s = switches_[static_cast<size_t>(leaf)];
    s.leaf = true;
    s.x = leaf % t.columns();
    s.y = leaf / t.columns();
    for (int port = 0; port < t.leaf_ports(); ++port) {
      const FatTree::LeafPort up = t.leaf_port(port);
      s.neighbours.push_back(up.node >= 0 ? -1 : root_number(up.dimension, up.dimension == kRow ? s.y : s.x, up.rail));
    }
  }
  for (int d : {kRow, kColumn}) {
    for (int line = 0; line < t.num_lines(d); ++line) {
      for (int rail = 0; rail < t.u(); ++rail) {
        Switch& s = switches_[static_cast<size_t>(root_number(d, line, rail))];
        s.dimension = d;
        s.line = line;
        s.rail = rail;
        for (int i = 0; i < t.size(d); ++i) s.neighbours.push_back(d == kRow ? t.leaf(i, line) : t.leaf(line, i));
      }
    }
  }
  for (size_t n = 0; n < switches_.size(); ++n) {
    Switch& s = switches_[n];
    s.update_pins.role = static_cast<uint8_t>(s.leaf ? 2 : s.dimension);
    s.update_pins.own_x = static_cast<uint8_t>(s.x);
    s.update_pins.own_y = static_cast<uint8_t>(s.y);
    s.update_pins.row_ready = true;
    s.update_pins.reset = true;
    const std::string update = numbered("update_", static_cast<int>(n)),
                      detect = numbered("detect_", static_cast<int>(n));
    const hw::Drive<UpdateInputs> pins = [&s]() -> const UpdateInputs& { return s.update_pins; };
    s.update = makers.update ? makers.update(update.c_str(), units_, size_, pins)
                             : std::make_unique<UpdateModule>(update.c_str(), units_, size_, pins);
    s.detect_pins.detect = static_cast<uint8_t>(p_.detect - kDetectEdges);
    s.detect_pins.report_ready = true;
    s.detect_pins.link_up = LineMap::first(links_of(s));
    s.detect_pins.reset = true;
    const hw::Drive<DetectInputs> links = [&s]() -> const DetectInputs& { return s.detect_pins; };
    s.detect = makers.detect ? makers.detect(detect.c_str(), units_, links_of(s), links)
                             : std::make_unique<DetectModule>(detect.c_str(), units_, links_of(s), links);
  }
}

void FatTreeModule::build_data_paths(fabric::Source& source, fabric::Observer& observer, const FatTreeMakers& makers) {
  std::vector<std::vector<fabric::Link*>> out(switches_.size());
  for (size_t n = 0; n < switches_.size(); ++n) {
    for (const int peer : switches_[n].neighbours) {
      links_.push_back(std::make_unique<fabric::Link>(p_.link_latency));
      out[n].push_back(peer < 0 ? nullptr : links_.back().get());
    }
  }
  for (size_t n = 0; n < switches_.size(); ++n) {
    Switch& s = switches_[n];
    const int number = static_cast<int>(n);
    std::vector<fabric::SwitchModule::PortSetup> ports(static_cast<size_t>(ports_of(s)));
    for (int port = 0; port < ports_of(s); ++port) {
      fabric::SwitchModule::PortSetup& setup = ports[static_cast<size_t>(port)];
      const int peer = s.neighbours[static_cast<size_t>(port)];
      setup.buffer = peer < 0 ? p_.node_buffer : p_.link_buffer;
      if (s.leaf) {
        setup.unit = std::make_unique<LeafPort>(*this, number, port, makers);
      } else {
        setup.unit = std::make_unique<RootPort>(*this, number, port, makers);
      }
      if (peer < 0) {
        setup.node = p_.tree.node(number, port);
        continue;
      }
      setup.out = out[n][static_cast<size_t>(port)];
      setup.in = out[static_cast<size_t>(peer)][static_cast<size_t>(peer_port(s, port))];
    }
    const std::string name = numbered("switch_", number);
    s.data_path = makers.data_path
                      ? makers.data_path(name.c_str(), p_.data_path, number, std::move(ports), source, observer)
                      : std::make_unique<fabric::SwitchModule>(name.c_str(), p_.data_path, number, std::move(ports),
                                                               source, observer);
  }
}

void FatTreeModule::connect_manager(const FatTreeMakers& makers) {
  manager_ = makers.manager ? makers.manager("manager", p_.tree, p_.manager)
                            : std::make_unique<ManagerModule>("manager", p_.tree, p_.manager);
  manager_->broadcast_socket.bind(broadcast_socket_);
  for (size_t n = 0; n < switches_.size(); ++n) {
    Switch& s = switches_[n];
    if (s.leaf) continue;
    s.report = std::make_unique<Initiator>(numbered("report_", static_cast<int>(n)).c_str());
    s.report->bind(manager_->report_socket);
  }
}

fabric::LinkState FatTreeModule::link_state(const Switch& s) const {
  fabric::LinkState state;
  state.alive = s.alive;
  for (const int peer : s.neighbours)
    state.up.push_back(s.alive && (peer < 0 || switches_[static_cast<size_t>(peer)].alive));
  return state;
}

void FatTreeModule::work_in(int64_t now) {
  for (; next_event_ != p_.events.size() && p_.events[next_event_].cycle == now; ++next_event_) {
    const FatTreeNetworkParameters::Event& e = p_.events[next_event_];
    switches_[static_cast<size_t>(e.number)].alive = !e.dies;
  }
  for (const Switch& s : switches_) s.data_path->work(now, link_state(s));
}

void FatTreeModule::ask_in(int64_t now) {
  for (const Switch& s : switches_) s.data_path->ask(now);
}

/// What the edge before has shown goes on; what the next edge samples is set.
void FatTreeModule::control() {
  control_.notify(sc_time(1, SC_NS));
  const sc_time edge = sc_time_stamp() + sc_time(1 - kControl, SC_NS);
  for (size_t n = 0; n < switches_.size(); ++n) {
    Switch& s = switches_[n];
    s.update_pins.reset = sc_time_stamp() < sc_time(2, SC_NS) || !s.alive;
    if (s.update->out().fwd_valid != 0) forward(static_cast<int>(n));
    s.update_pins.msg_valid = false;
    if (!s.alive) s.messages.clear();
    if (const auto first = s.messages.begin();
        first != s.messages.end() && first->first <= edge && s.update->out().msg_ready != 0) {
      s.update_pins.msg_valid = true;
      s.update_pins.msg = first->second;
      s.messages.erase(first);
    }
    s.detect_pins.reset = s.update_pins.reset;
    const int first = ports_of(s) - links_of(s);
    LineMap up;
    for (int k = 0; k < links_of(s); ++k) {
      if (switches_[static_cast<size_t>(s.neighbours[static_cast<size_t>(first + k)])].alive) up.set(k);
    }
    s.detect_pins.link_up = up;
    if (!s.leaf && s.alive && s.detect->out().report_valid != 0 && p_.reports)
      send_report(s);  // what a leaf sees is its own affair
  }
}

int64_t FatTreeModule::ns() const {
  return std::llround(std::floor(sc_time_stamp() / sc_time(1, SC_NS))) - (lead_ + 1) * p_.edges;
}

/// The message goes to the switches at all live links.
void FatTreeModule::forward(int number) {
  const Switch& s = switches_[static_cast<size_t>(number)];
  updated_.push_back({ns(), number, s.update->out().fwd});
  const sc_time at = sc_time_stamp() + sc_time(p_.hop - kForwardEdge - kControl, SC_NS);
  for (const int peer : s.neighbours) {
    if (peer >= 0 && switches_[static_cast<size_t>(peer)].alive)
      switches_[static_cast<size_t>(peer)].messages.emplace(at, s.update->out().fwd);
  }
}

/// Links from the manager's leaf, the live one of the lowest number, to every live switch; -1: none.
std::vector<int> FatTreeModule::hops_from_manager() const {
  std::vector<int> hops(switches_.size(), -1);
  const auto first =
      std::find_if(switches_.begin(), switches_.end(), [](const Switch& s) { return s.leaf && s.alive; });
  if (first == switches_.end()) return hops;
  std::vector<size_t> reached{static_cast<size_t>(first - switches_.begin())};
  hops[reached.front()] = 0;
  for (size_t i = 0; i < reached.size(); ++i) {
    for (const int peer : switches_[reached[i]].neighbours) {
      if (peer < 0 || hops[static_cast<size_t>(peer)] >= 0 || !switches_[static_cast<size_t>(peer)].alive) continue;
      hops[static_cast<size_t>(peer)] = hops[reached[i]] + 1;
      reached.push_back(static_cast<size_t>(peer));
    }
  }
  return hops;
}

void FatTreeModule::send_report(const Switch& root) {
  const int hops = hops_from_manager()[static_cast<size_t>(root_number(root.dimension, root.line, root.rail))];
  if (hops < 0) return;
  const DetectOutputs& out = root.detect->out();
  const LeafId leaf = root.dimension == kRow ? LeafId{out.report_leaf, root.line} : LeafId{root.line, out.report_leaf};
  uint32_t word = ManagerModule::report(leaf, out.report_up != 0);
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_WRITE_COMMAND);
  payload.set_address(0);
  payload.set_data_ptr(reinterpret_cast<unsigned char*>(&word));
  payload.set_data_length(sizeof word);
  payload.set_streaming_width(sizeof word);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  sc_time delay = sc_time(p_.hop * hops - kReportEdge - kControl, SC_NS) + p_.manager.nic;
  (*root.report)->b_transport(payload, delay);
}

/// The manager's node hands its message to its leaf.
void FatTreeModule::broadcast(tlm::tlm_generic_payload& payload, sc_time& delay) {
  Switch* at =
      payload.get_address() < static_cast<uint64_t>(p_.tree.num_leaves()) ? &switches_[payload.get_address()] : nullptr;
  if (at == nullptr || payload.get_command() != tlm::TLM_WRITE_COMMAND || payload.get_data_length() != sizeof(uint32_t))
    return payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
  if (!at->alive) return;  // no acknowledgement
  uint32_t message = 0;
  std::memcpy(&message, payload.get_data_ptr(), sizeof message);
  at->messages.emplace(sc_time_stamp() + delay + sc_time(kSample, SC_NS), message);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

}  // namespace odonata::vtftr
