// SPDX-License-Identifier: Apache-2.0
// SystemC: a whole fat-tree of leaf and root switches: the data path of hw/fabric, a route unit an input port, an
// update unit and a detector a switch, and the subnet manager with its messages (docs/crosscheck.md §5).
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "hw/fabric/network_module.h"
#include "hw/fabric/switch_module.h"
#include "hw/vtftr/detect_module.h"
#include "hw/vtftr/leaf_module.h"
#include "hw/vtftr/manager_module.h"
#include "hw/vtftr/root_module.h"
#include "hw/vtftr/update_module.h"

namespace odonata::vtftr {

/// The network, as far as its switches ask.
struct FatTreeNetworkParameters {
  explicit FatTreeNetworkParameters(const FatTree& t) : tree(t) {}
  FatTree tree;
  Mode mode;
  fabric::SwitchParameters data_path;
  int node_buffer = 32, link_buffer = 32;  ///< flits a virtual channel
  int link_latency = 5;                    ///< cycles
  int edges = 5;        ///< of the units' clock, 1 ns each, in a cycle; at least 4, above 32 ports of a root 5
  int detect = 16;      ///< ns, at least 2
  int hop = 35;         ///< ns that a message takes over a link and through the switch behind it
  bool reports = true;  ///< false: nobody tells the manager
  ManagerModule::Timing manager;
  struct Event {
    int64_t cycle = 0;
    int number = 0;  ///< of the switch
    bool dies = true;
  };
  std::vector<Event> events;                              ///< leaves that fail and come back, roots that fail
  std::function<uint16_t(int root, int port)> lfsr_seed;  ///< not 0; by number of the root
};

/// Hears at every edge what it samples at a unit's pins.
template <class In>
using Watch = std::function<void(const In& in)>;

/// What a test replaces by something with a planted bug; empty: the modules as they are.
struct FatTreeMakers {
  std::function<std::unique_ptr<UpdateModule>(const char* name, hw::Tick& tick, const UnitSize& size,
                                              hw::Drive<UpdateInputs> pins)>
      update;
  std::function<std::unique_ptr<DetectModule>(const char* name, hw::Tick& tick, int ports,
                                              hw::Drive<DetectInputs> pins)>
      detect;
  std::function<std::unique_ptr<ManagerModule>(const char* name, const FatTree& tree,
                                               const ManagerModule::Timing& timing)>
      manager;
  fabric::MakeSwitch data_path;
  void (*spoil_leaf)(LeafInputs& pins) = nullptr;  ///< what stands at a leaf unit's pins
  void (*spoil_root)(RootInputs& pins) = nullptr;
  /// Who hears of the unit at an input port of the switch of this number; null: nobody.
  std::function<Watch<LeafInputs>(int number, int port)> watch_leaf;
  std::function<Watch<RootInputs>(int number, int port)> watch_root;
};

/// Switches: leaves by number, then the roots of the rows and of the columns, by line and rail. Routing tables are
/// masks (MaskForm). All units have a clock of 1 ns; a cycle of the network takes `edges` of its edges, so that a head
/// that arrives in a cycle is routed at its end.
class FatTreeModule : public fabric::NetworkModule {
 public:
  FatTreeModule(const sc_core::sc_module_name& name, const FatTreeNetworkParameters& parameters, fabric::Source& source,
                fabric::Observer& observer, const FatTreeMakers& makers = {});
  ~FatTreeModule() override;
  const ManagerModule& manager() const { return *manager_; }
  /// A switch has taken a message: its tables hold since so many ns after the beginning of cycle 0.
  struct Updated {
    int64_t ns = 0;
    int number = 0;
    uint32_t message = 0;
  };
  const std::vector<Updated>& updated() const { return updated_; }

 private:
  class LeafPort;
  class RootPort;
  class LatchedLeaf;
  class LatchedRoot;
  using Initiator = tlm_utils::simple_initiator_socket<FatTreeModule, ManagerModule::kBusWidth>;
  /// A leaf or a root switch.
  struct Switch {
    bool leaf = false;
    int x = 0, y = 0;                       // of a leaf
    int dimension = 0, line = 0, rail = 0;  // of a root
    bool alive = true;
    std::vector<int> neighbours;  // switches, by port; -1: a node
    std::unique_ptr<UpdateModule> update;
    std::unique_ptr<DetectModule> detect;
    std::unique_ptr<Initiator> report;
    std::unique_ptr<fabric::SwitchModule> data_path;
    UpdateInputs update_pins;
    DetectInputs detect_pins;
    std::multimap<sc_core::sc_time, uint32_t> messages;  // by the edge at which they are at the pins
  };
  int links_of(const Switch& s) const {
    return s.leaf ? 2 * p_.tree.u() : ports_of(s);
  }  // to other switches: those that its detector watches
  int ports_of(const Switch& s) const { return s.leaf ? p_.tree.leaf_ports() : p_.tree.size(s.dimension); }
  int peer_port(const Switch& s, int port) const;
  int root_number(int dimension, int line, int rail) const;
  void build_switches(const FatTreeMakers& makers);
  void build_data_paths(fabric::Source& source, fabric::Observer& observer, const FatTreeMakers& makers);
  void connect_manager(const FatTreeMakers& makers);
  fabric::LinkState link_state(const Switch& s) const;
  std::vector<int> hops_from_manager() const;
  void send_report(const Switch& root);
  void forward(int number);
  void broadcast(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  int64_t ns() const;
  void work_in(int64_t now) override;
  void ask_in(int64_t now) override;
  void control();

  const FatTreeNetworkParameters p_;
  const UnitSize size_;
  std::vector<Switch> switches_;
  std::vector<std::unique_ptr<fabric::Link>> links_;  // by number of the switch * ports + output port
  std::unique_ptr<ManagerModule> manager_;
  tlm_utils::simple_target_socket<FatTreeModule, ManagerModule::kBusWidth> broadcast_socket_;
  std::vector<Updated> updated_;
  size_t next_event_ = 0;
  sc_core::sc_event control_;
};

}  // namespace odonata::vtftr
