// SPDX-License-Identifier: Apache-2.0
// A router made of golden units, wired as docs/router.md section 3 says.
#pragma once

#include <memory>
#include <vector>

#include "models/congestion/router_plane.h"
#include "models/fault/link_unit.h"
#include "models/fault/router_unit.h"
#include "models/route_compute/unit.h"
#include "models/router/data_path.h"
#include "models/router/router_pins.h"

namespace odonata::cosim {

/// A wire that goes to the wrong place: the lockstep has to see it.
enum class WrongWire {
  none,
  next_map,
  next_busy_map,
  live_links,
  cut_asks,
  dead_asks,
  no_tails,
  departed_as_sent,
  next_port_configured,
  no_mask,
  marks_of_next_port,
  heard,
  free_slot,
  cut_message,
  dead_serves,
  never_joins,
  configured_at_once,
  nothing_cut,
  unit_first,
  read_at_once,
  lost_frames,
  count
};

/// The golden data path, route-compute units, congestion plane and fault plane of one router.
class GoldenRouter final : public CycleDevice<router::RouterInputs, router::RouterOutputs> {
 public:
  /// As the parameters of the RTL.
  struct Options {
    int table_ports = 2;
    bool frames = false;
    bool pipelined = false;  ///< the fault plane
  };
  GoldenRouter(const Dragonfly& d, const router::DataConfig& config, WrongWire wrong, const Options& options);
  GoldenRouter(const Dragonfly& d, const router::DataConfig& config, WrongWire wrong = WrongWire::none)
      : GoldenRouter(d, config, wrong, {}) {}
  void step(const router::RouterInputs& in, router::RouterOutputs& out) override;
  std::vector<std::string> describe() const override { return router::reasons(data_); }

  // For coverage, of the cycle that begins with the last edge:
  const route_compute::Unit& route(int port) const { return route_[static_cast<size_t>(port)]; }
  const fault::PortUnit& port_unit(int port) const { return fault_.unit(port); }
  const fault::RouterUnit& fault_plane() const { return fault_; }
  const router::DataPath& data_path() const { return data_; }
  const congestion::RouterPlane& plane() const { return plane_; }
  /// A look-up that the last edge has finished.
  struct LookUp {
    bool any = false;
    fault::Options clean, kept;  ///< options for the packet without marks, and with them
    fault::Marks marks;          ///< as they count
    fault::EntryId id;
    bool unheard = false;  ///< an option of the entry leads through an unheard port
    bool written = false;  ///< the port unit wrote the row's marks at the same edge
  };
  const LookUp& look_up_of(int port) const { return looks_[static_cast<size_t>(port)]; }
  /// A table write of the configuration waits for this port's unit.
  bool held(int port) const { return held_ >> port & 1; }
  /// The last edge has configured a row of this port, which had marks.
  bool cleared(int port) const { return cleared_ >> port & 1; }

 private:
  /// The configuration operation that waits for its unit.
  struct Operation {
    bool valid = false, write = false;
    int unit = 0;
    uint16_t address = 0;
    uint64_t data = 0;
  };
  int chosen() const;
  uint64_t header(const router::RouterInputs& in, int port) const { return in.in_flit[in_words_ * port]; }
  bool offered(int unit) const { return operation_.valid && chosen() == unit; }
  bool asks(const router::RouterInputs& in, int port) const;
  int configured_by(int port) const;
  const route_compute::UnitInputs& route_pins(const router::RouterInputs& in, int port);
  void step_routes(const router::RouterInputs& in);
  congestion::PlaneInputs plane_pins(const router::RouterInputs& in);
  void count(const router::RouterInputs& in, congestion::RouterEvents& events);
  void spread(int port, int sent, int credit, congestion::RouterEvents& events);
  const router::DataInputs& data_pins(const router::RouterInputs& in);
  fault::RouterInputs fault_pins(const router::RouterInputs& in) const;
  fault::Options options_of(int port, int row, const route_compute::Entries& words) const;
  route_compute::Entries look_up(int port, const route_compute::Request& request, const route_compute::Decoded& decoded,
                                 const route_compute::Entries& words);
  void configure_rows();
  void step_fault_plane(const router::RouterInputs& in);
  void step_links(const router::RouterInputs& in);
  bool framed(int port) const { return options_.frames && port >= d_.p(); }
  PortMap messages() const;
  void show(router::RouterOutputs& out) const;

  Dragonfly d_;
  int ports_, in_words_;
  Options options_;
  WrongWire wrong_;
  router::DataPath data_;  // its pins and those of the other units: as the last edge has left them
  std::vector<route_compute::Unit> route_;
  congestion::RouterPlane plane_;
  fault::RouterUnit fault_;
  std::vector<fault::LinkUnit> links_;
  route_compute::UnitInputs route_in_;  // congestion only of the last unit that looked at it
  router::DataInputs data_in_;          // nothing beyond the ports
  fault::RouterOutputs fault_out_;
  std::vector<fault::LinkOutputs> link_out_;
  std::vector<LookUp> looks_;
  PortMap down_ = 0;  // links that the last edge has sampled as dead: the plane knows of them with the next
  PortMap held_ = 0, cleared_ = 0;
  Operation operation_;
  bool busy_ = false, acknowledged_ = false, refused_ = false;
  // The plane of the models takes one event a VC: packets and credits of a port go to whichever of its four counters;
  // only their sum is looked at.
  std::vector<std::array<int, 4>> in_use_;
  // Credits of a port on their way to the monitors: two a cycle and VC.
  struct Backlog {
    std::array<int, 4> of_vc{};
    int all = 0;
  };
  std::vector<Backlog> backlog_;
};

}  // namespace odonata::cosim
