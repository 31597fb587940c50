// SPDX-License-Identifier: Apache-2.0
#include "tb/route_compute/traffic_stimulus.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/route_compute/path.h"
#include "tb/route_compute/operations.h"

namespace odonata::cosim {

using route_compute::UnitInputs;
using route_compute::UnitOutputs;
namespace reg = route_compute::reg;

namespace {

constexpr uint64_t kNever = ~0ull;
constexpr size_t kPoolSize = 1024;
constexpr int kMapInterval = 10;

uint64_t threshold_of(double rate) { return static_cast<uint64_t>(rate * 0x1.0p32); }

/// The same size as `arrangement` can have it.
Dragonfly arranged(const Dragonfly& d, Arrangement arrangement) {
  DragonflySize size = d.size();
  if (arrangement == Arrangement::direct) size.g = std::min(size.g, size.a * size.h);
  return {size, arrangement};
}

/// Operations of a whole configuration.
uint64_t configuration_length(const Dragonfly& d) {
  const int words = table::size_a(d) + table::size_b(d) + d.a() + 3;
  return static_cast<uint64_t>(words);
}

void check_options(const Dragonfly& d, const TrafficOptions& o) {
  const auto check = [](bool good, const std::string& text) {
    if (!good) throw Error("traffic: " + text);
  };
  const auto rate = [&](double value, const char* name) {
    check(value >= 0 && value <= 1, fmt::format("{} = {} is out of range, expected 0..1", name, value));
  };
  rate(o.load, "load");
  rate(o.table_write_rate, "table_write_rate");
  rate(o.read_rate, "read_rate");
  rate(o.refused_rate, "refused_rate");
  rate(o.failure_rate, "failure_rate");
  rate(o.reset_rate, "reset_rate");
  if (o.router) {
    const RouterId r = *o.router;
    check(r.gid >= 0 && r.gid < d.g() && r.bid >= 0 && r.bid < d.a(),
          fmt::format("there is no router {} in group {} of {}", r.bid, r.gid, d.name()));
  }
  if (o.port)
    check(*o.port >= 0 && *o.port < d.num_ports(),
          fmt::format("port {} is out of range, expected 0..{}", *o.port, d.num_ports() - 1));
}

}  // namespace

TrafficStimulus::Network::Network(const Dragonfly& dragonfly, const TrafficOptions& options)
    : d(dragonfly), pattern(traffic::Pattern::parse(d, options.pattern, options.seed)), load(pattern, options.load) {}

TrafficStimulus::TrafficStimulus(const Dragonfly& d, const TrafficOptions& options)
    : d_(d), options_(options), random_(mix_seed(options.seed, 0x7472)), pool_(kPoolSize) {
  check_options(d, options);
  const uint64_t length = configuration_length(d);
  if (options_.assignment_cycles == 0) options_.assignment_cycles = 40 * length;
  if (options_.maps == MapSource::plane) plane_.emplace(d, options_.load, mix_seed(options_.seed, 0x706C));
  choose_assignment();
  assign();
  start_reset();
}

const TrafficStimulus::Network& TrafficStimulus::network(Arrangement arrangement) {
  std::unique_ptr<Network>& slot = networks_[arrangement == Arrangement::absolute];
  if (!slot) slot = std::make_unique<Network>(arranged(d_, arrangement), options_);
  return *slot;
}

void TrafficStimulus::choose_assignment() {
  Arrangement arrangement = d_.arrangement();
  if (options_.both_arrangements && !options_.router && assignments_ > 0 && random_.below(4) == 0) {
    arrangement = arrangement == Arrangement::direct ? Arrangement::absolute : Arrangement::direct;
  }
  network_ = &network(arrangement);
  const Dragonfly& d = network_->d;
  for (int attempt = 0; attempt < 1000; ++attempt) {
    own_ = options_.router ? *options_.router
                           : d.router(static_cast<int>(random_.below(static_cast<uint32_t>(d.num_routers()))));
    const bool node = random_.below(2) == 0;
    const int first = node ? 0 : d.first_local(), count = node ? d.p() : d.num_ports() - d.first_local();
    port_ = options_.port ? *options_.port : first + static_cast<int>(random_.below(static_cast<uint32_t>(count)));
    if (d.port_class(port_) == PortClass::node || d.peer(own_, port_).connected) return;
  }
  throw Error(fmt::format("traffic: port {} has no link, so no packet arrives there", port_));
}

/// Makes tables, packets and congestion of the present router and port.
void TrafficStimulus::assign() {
  const Dragonfly& d = network_->d;
  ++assignments_;
  pristine_ = table::configure(d, own_, port_, options_.policy);
  // The unit may have entries for more groups than this arrangement can cable: those name no option.
  const bool node = d.port_class(port_) == PortClass::node;
  pristine_.a.resize(table::size_a(d_), node ? table::GlobalEntryA{}.encode() : 0);
  pristine_.b.resize(table::size_b(d_), node ? table::GlobalEntryB{}.encode() : 0);
  stream_.emplace(network_->pattern, own_, port_);
  congestion_.emplace(network_->load, own_, random_.next());
  for (PoolRequest& r : pool_) r = draw_request();
}

TrafficStimulus::PoolRequest TrafficStimulus::draw_request() {
  const route_compute::Request r = stream_->draw(random_);
  return {route_compute::pack_address(r.dest), static_cast<uint16_t>(r.src_gid), static_cast<uint8_t>(r.vc)};
}

void TrafficStimulus::start_reset() {
  reset_cycles_ = 1 + static_cast<int>(random_.below(3));
  driver_.clear();
  start_configuration(0);
}

/// Queues the whole configuration; requests arrive with `load` meanwhile. Failures are forgotten: a new configuration
/// is fault-free.
void TrafficStimulus::start_configuration(double load) {
  const uint16_t lfsr = static_cast<uint16_t>(1 + random_.below(65535));
  driver_.push(route_compute::configuration_writes(network_->d, own_, port_, pristine_, lfsr));
  present_ = pristine_;
  failures_.clear();
  show_failures();
  configuring_ = true;
  request_threshold_ = threshold_of(load);
  event_at_.fill(kNever);
  next_event_ = kNever;
}

void TrafficStimulus::finish_configuration() {
  configuring_ = false;
  request_threshold_ = threshold_of(options_.load);
  for (int event = 0; event < kNumEvents; ++event) schedule(static_cast<Event>(event));
}

std::string TrafficStimulus::describe() const {
  const Dragonfly& d = network_->d;
  return fmt::format("group {} router {} port {} ({}), {}, {} at load {}", own_.gid, own_.bid, port_,
                     to_string(d.port_class(port_)), to_string(d.arrangement()), options_.pattern, options_.load);
}

bool TrafficStimulus::next(const UnitOutputs& last, UnitInputs& in) {
  if (cycle_ > 0) responses_ += last.resp_valid;
  if (options_.transactions != 0 && responses_ >= options_.transactions) return false;
  if (options_.cycles != 0 && cycle_ >= options_.cycles) return false;
  ++cycle_;
  show_maps();
  if (reset_cycles_ == 0) {
    if (configuring_ && driver_.empty()) finish_configuration();
    if (cycle_ >= next_event_) handle_events();
  }
  pins_.reset = reset_cycles_ > 0;
  if (pins_.reset) {
    --reset_cycles_;
    pins_.cfg_valid = false;
  } else {
    driver_.drive(last, pins_);
  }
  drive_request();
  in = pins_;
  return true;
}

/// Requests of the pool in random order; now and then one is replaced by a new packet.
void TrafficStimulus::drive_request() {
  const uint64_t draw = random_.next();
  pins_.req_valid = (draw >> 32) < request_threshold_ && driver_.blocked() <= options_.patience;
  if (!pins_.req_valid) return;
  PoolRequest& r = pool_[draw % kPoolSize];
  pins_.req_dest = r.dest;
  pins_.req_src_gid = r.src_gid;
  pins_.req_vc = r.vc;
  if ((draw / kPoolSize) % 8 == 0) r = draw_request();
}

/// Cycles to the next event: uniform around the mean, which needs no logarithm and so is the same on every machine.
uint64_t TrafficStimulus::gap(double rate) {
  const double mean = std::min(1 / rate, 1e9);
  return 1 + random_.below(static_cast<uint32_t>(2 * mean));
}

void TrafficStimulus::schedule(Event event) {
  const double rates[] = {options_.table_write_rate, options_.read_rate,
                          options_.refused_rate,     options_.failure_rate,
                          options_.reset_rate,       1.0 / static_cast<double>(options_.assignment_cycles)};
  const bool fixed = event == kAssignment && options_.router && options_.port;
  event_at_[event] = rates[event] > 0 && !fixed ? cycle_ + gap(rates[event]) : kNever;
  next_event_ = std::min(next_event_, event_at_[event]);
}

void TrafficStimulus::handle_events() {
  for (int event = 0; event < kNumEvents; ++event) {
    if (cycle_ < event_at_[event]) continue;
    handle(static_cast<Event>(event));
    if (configuring_) return;
    schedule(static_cast<Event>(event));
  }
  for (Failure& f : failures_) {
    if (cycle_ >= f.next) advance(f);
  }
  std::erase_if(failures_, [](const Failure& f) { return f.step > 2; });
  next_event_ = *std::min_element(event_at_.begin(), event_at_.end());
  for (const Failure& f : failures_) next_event_ = std::min(next_event_, f.next);
}

void TrafficStimulus::handle(Event event) {
  switch (event) {
    case kTableWrite:
      return random_table_write();
    case kRead:
      return driver_.push(random_read(d_, random_));
    case kRefused:
      return driver_.push(
          refused_operation(d_, static_cast<int>(random_.below(kRefusals)), d_.port_class(port_), random_));
    case kFailure:
      return fail_a_port();
    case kReset:
      return start_reset();  // in this very cycle, whatever is in flight
    default:
      break;
  }
  choose_assignment();
  assign();
  random_.below(2) == 0 ? start_reset() : start_configuration(options_.load / 4);
}

void TrafficStimulus::set_word(uint32_t base, std::vector<uint64_t>& table, size_t index, uint64_t word) {
  table[index] = word;
  driver_.push({true, base + 8 * static_cast<uint32_t>(index), word});
}

/// What a maintenance write puts there: the same word, the wanted word, or one option less.
uint64_t TrafficStimulus::changed_word(uint32_t base, size_t index, uint64_t present, uint64_t wanted) {
  const uint32_t kind = random_.below(4);
  if (kind < 2) return kind == 0 ? present : wanted;
  if (base == reg::kTableC) return random_.below(4) == 0 ? 0 : wanted;
  const bool node = d_.port_class(port_) == PortClass::node;
  const size_t first_global = static_cast<size_t>(base == reg::kTableA ? d_.p() + d_.a() : d_.a());
  if (!node || index < first_global) return without_an_option(present, random_);
  return base == reg::kTableA ? global_a_without_an_option(present, random_)
                              : global_b_without_an_option(present, random_);
}

/// Mostly an entry that the traffic uses.
void TrafficStimulus::random_table_write() {
  if (driver_.size() > 16) return;
  const Address to = route_compute::unpack_address(pool_[random_.below(kPoolSize)].dest);
  const table::Zone zone = table::zone_of(d_, own_, to);
  const bool used = random_.below(4) != 0;
  const auto index = [&](int at, size_t size) {
    return used && at >= 0 ? static_cast<size_t>(at) : random_.below(static_cast<uint32_t>(size));
  };
  const uint32_t kind = random_.below(8);
  const auto change = [&](uint32_t base, std::vector<uint64_t>& present, const std::vector<uint64_t>& wanted,
                          size_t i) {
    set_word(base, present, i, changed_word(base, i, present[i], failures_.empty() ? wanted[i] : present[i]));
  };
  if (kind == 0) return change(reg::kTableC, present_.c, pristine_.c, random_.below(static_cast<uint32_t>(d_.a())));
  if (kind <= 3)
    return change(reg::kTableA, present_.a, pristine_.a, index(table::index_a(d_, zone, to), present_.a.size()));
  change(reg::kTableB, present_.b, pristine_.b, index(table::index_b(d_, zone, to), present_.b.size()));
}

/// An own local or global port, or a global port of another router of the group (which only shows in the congestion
/// map).
void TrafficStimulus::fail_a_port() {
  if (failures_.size() >= 3) return;
  const Dragonfly& d = network_->d;
  Failure f;
  if (random_.below(3) == 0) {
    f.group_port = static_cast<int>(random_.below(static_cast<uint32_t>(d.group_ports())));
    if (f.group_port / d.h() == own_.bid) return;
  } else {
    f.port = d.first_local() + static_cast<int>(random_.below(static_cast<uint32_t>(d.num_ports() - d.first_local())));
    if (f.port == port_ || !d.peer(own_, f.port).connected) return;
  }
  f.next = cycle_ + 5 + random_.below(60);
  failures_.push_back(f);
  show_failures();
}

void TrafficStimulus::advance(Failure& f) {
  ++f.step;
  f.next = cycle_ + (f.step == 1 ? 500 + random_.below(4000) : 5 + random_.below(60));
  if (f.step == 2) show_failures();
  if (f.port >= 0 && f.step != 2) aim_tables();
}

/// Failed ports read as congested at once, repaired ones as their queues say.
void TrafficStimulus::show_failures() {
  PortMap own = 0;
  GroupMap others;
  for (const Failure& f : failures_) {
    if (f.step >= 2) continue;
    if (f.port >= 0) own |= 1ull << f.port;
    if (f.group_port >= 0) others.set(f.group_port);
  }
  if (plane_) return plane_->set_failed(own_.bid, own, others);
  congestion_->set_failed(own, others);
  pins_.congestion = congestion_->map();
}

/// The plane steps with the unit; the queue model once an interval.
void TrafficStimulus::show_maps() {
  if (plane_) {
    plane_->step();
    pins_.congestion = plane_->map(own_.bid, port_);
  } else if (++map_age_ >= kMapInterval) {
    map_age_ = 0;
    congestion_->step();
    pins_.congestion = congestion_->map();
  }
}

/// Writes every word that differs from the fault-free tables without the options through the failed ports.
void TrafficStimulus::aim_tables() {
  table::PortTables wanted = pristine_;
  for (const Failure& f : failures_) {
    if (f.port >= 0 && f.step >= 1 && f.step <= 2)
      route_compute::remove_option(d_, d_.port_class(port_), f.port, wanted);
  }
  const auto write = [this](uint32_t base, std::vector<uint64_t>& present, const std::vector<uint64_t>& want) {
    for (size_t i = 0; i < present.size(); ++i) {
      if (present[i] != want[i]) set_word(base, present, i, want[i]);
    }
  };
  write(reg::kTableA, present_.a, wanted.a);
  write(reg::kTableB, present_.b, wanted.b);
  write(reg::kTableC, present_.c, wanted.c);
}

}  // namespace odonata::cosim
