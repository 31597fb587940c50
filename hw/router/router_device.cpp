// SPDX-License-Identifier: Apache-2.0
#include "hw/router/router_device.h"

#include <numeric>
#include <stdexcept>
#include <typeinfo>

#include "models/common/error.h"
#include "models/common/savable.h"
#include "models/congestion/congestion_plane_registers.h"
#include "models/congestion/frame.h"
#include "models/route_compute/unit.h"

namespace odonata::router {

namespace {

constexpr uint8_t kPlaneUnit = 64;
constexpr int kLengthBit = 15;  // of the upper word
constexpr int kSettled = 300;   // edges with good frames after which every map shows them

/// Drives the configuration pins of one router and counts the edges since the last one of its reset.
class Driver {
 public:
  /// Of a router that has had so many edges.
  Driver(RouterDevice& device, const Parameters& p, int router, uint64_t edges)
      : device_(device),
        quiet_(quiet_pins(p, router)),
        neighbours_(p.dragonfly.a() - 1),
        own_(p.dragonfly.router(router)),
        edges_(edges) {}
  void reset() {
    RouterInputs reset = quiet_;
    reset.reset = true;
    for (int i = 0; i < 2; ++i) device_.step(reset, out_);
  }
  /// An edge at which nothing is asked.
  void idle() { step(quiet_); }
  void write(const ConfigurationWrite& what) {
    RouterInputs in = quiet_;
    in.cfg_valid = in.cfg_write = true;
    in.cfg_unit = what.unit;
    in.cfg_addr = static_cast<uint16_t>(what.address / 8);
    in.cfg_wdata = what.data;
    for (bool taken = false; !taken;) {
      taken = out_.cfg_ready;
      step(in);
    }
    while (!out_.cfg_ack) step(quiet_);
    if (out_.cfg_err)
      throw std::logic_error("router: unit " + std::to_string(what.unit) + " refuses the configuration of address " +
                             std::to_string(what.address));
  }
  /// An edge at which every neighbour says that nothing is congested.
  void hear_neighbours(bool phase) {
    RouterInputs in = quiet_;
    for (int bid = 0, k = 0; bid <= neighbours_; ++bid) {
      if (bid == own_.bid) continue;
      in.rx[static_cast<size_t>(k++)] = {0, congestion::frame_crc(bid, 0, phase), true, phase};
    }
    step(in);
  }
  uint64_t edges() const { return edges_; }

 private:
  void step(const RouterInputs& in) {
    device_.step(in, out_);
    ++edges_;
  }
  RouterDevice& device_;
  RouterInputs quiet_;
  RouterOutputs out_;
  int neighbours_;
  RouterId own_;
  uint64_t edges_;
};

/// After the last write. Intervals of both kinds of frames, slots of the collector and the poll of the fault plane all
/// begin with the edge after the reset.
uint64_t run_on(Driver& driver, const Parameters& p) {
  const Dragonfly& d = p.dragonfly;
  const auto round = static_cast<uint64_t>(std::lcm(std::lcm(2 * p.plane.interval, d.a()), d.num_ports()));
  const uint64_t least = driver.edges() + kSettled;
  while (driver.edges() < least || (driver.edges() + 1) % round != 0)
    driver.hear_neighbours(p.plane.alternate && driver.edges() % 2 != 0);
  return driver.edges();
}

}  // namespace

void check_router_device(const Parameters& p) {
  const DataConfig hardware(p.dragonfly);
  const auto expect = [](const std::string& what, int is, int should) {
    if (is != should)
      throw Error("a whole router as a device: " + what + " is " + std::to_string(is) + ", expected " +
                  std::to_string(should));
  };
  if (!p.ask_at_arrival) throw Error("a whole router as a device needs routes that are asked at arrival");
  expect("number of virtual channels", p.vcs, kNumVcs);
  expect("number of switch phases", p.phases, 2);
  expect("output FIFO", p.output_fifo, hardware.output_fifo);
  expect("buffer of a node port", p.node_buffer, hardware.node_depth);
  expect("buffer of a local port", p.local_buffer, hardware.local_depth);
  expect("buffer of a global port", p.global_buffer, hardware.global_depth);
  expect("congestion interval", p.plane.interval, congestion::PlaneConfig{}.interval);
}

RouterInputs quiet_pins(const Parameters& p, int router) {
  RouterInputs in;
  const RouterId own = p.dragonfly.router(router);
  in.own_gid = static_cast<uint16_t>(own.gid);
  in.own_bid = static_cast<uint8_t>(own.bid);
  in.safe = p.mode == fault::Mode::safe;
  in.port_level = p.recovery == fault::Recovery::port_level;
  in.packet_last = static_cast<uint8_t>(p.head_room() - 1);
  return in;
}

std::vector<ConfigurationWrite> configuration(const Parameters& p, int router) {
  const Dragonfly& d = p.dragonfly;
  const RouterId own = d.router(router);
  std::vector<ConfigurationWrite> out;
  for (const auto& [address, data] : congestion::configuration_words(d, plane_config(p), own.bid))
    out.push_back({kPlaneUnit, address, data});
  for (int port = 0; port < d.num_ports(); ++port) {
    for (const route_compute::RegisterWrite& w : route_configuration(p, own, port))
      out.push_back({static_cast<uint8_t>(port), w.address, w.data});
  }
  return out;
}

uint64_t configure(RouterDevice& device, const Parameters& p, int router) {
  Driver driver(device, p, router, 0);
  driver.reset();
  for (const ConfigurationWrite& w : configuration(p, router)) driver.write(w);
  return run_on(driver, p);
}

bool copy_state(RouterDevice& from, RouterDevice& to) {
  auto* source = dynamic_cast<Savable*>(&from);
  auto* target = dynamic_cast<Savable*>(&to);
  if (source == nullptr || target == nullptr || typeid(from) != typeid(to)) return false;
  target->restore(source->save());
  return true;
}

uint64_t configure_differences(RouterDevice& device, const Parameters& p, int router, int like, uint64_t edges) {
  const std::vector<ConfigurationWrite> before = configuration(p, like), wanted = configuration(p, router);
  Driver driver(device, p, router, edges);
  driver.idle();
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (i >= before.size() || before[i] != wanted[i]) driver.write(wanted[i]);
  }
  return run_on(driver, p);
}

FlitWords pack_flit(const Dragonfly& d, const Flit& flit) {
  if (flit.poisoned()) return {flit.vc | kPoisonedTail, 0};
  const uint64_t source = route_compute::pack_address(d.node(static_cast<int>(flit.source))), born = flit.born;
  const uint64_t flags = (flit.head() ? 4u : 0u) | (flit.tail() ? 8u : 0u), last = flit.length - 1u;
  const uint64_t place = flit.head() ? last : flit.index;
  return {flit.vc | flags | place << 5 | static_cast<uint64_t>(flit.dest) << 11 | source << 29 | born << 47,
          born >> 17 | last << kLengthBit};
}

Flit unpack_flit(const Dragonfly& d, const FlitWords& words) {
  Flit flit;
  flit.vc = static_cast<uint8_t>(flit_vc(words.low));
  flit.length = static_cast<uint8_t>((words.high >> kLengthBit & 63) + 1);
  flit.index = flit_head(words.low) ? uint8_t{0} : static_cast<uint8_t>(flit_last(words.low));
  flit.dest = static_cast<uint32_t>(words.low >> 11 & 0x3FFFF);
  const auto source = static_cast<int>(words.low >> 29 & 0x3FFFF);
  const Address node{source >> 9, source >> 4 & 31, source & 15};
  if (!d.contains(node)) throw std::logic_error("router: sends a flit of a node that does not exist");
  flit.source = static_cast<uint32_t>(d.node_index(node));
  flit.born = static_cast<uint32_t>(words.low >> 47 | (words.high & 0x7FFF) << 17);
  return flit;
}

}  // namespace odonata::router
