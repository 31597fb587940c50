// SPDX-License-Identifier: Apache-2.0
// SystemC/TLM: the subnet manager of a fat-tree (docs/vtftr.md §6). Reports come in at a target socket; one after the
// other is served; the message goes out at an initiator socket, again when it is not acknowledged.
#pragma once

#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <deque>
#include <map>
#include <systemc>

#include "models/vtftr/manager.h"

namespace odonata::vtftr {

/// A report: a write of 4 bytes to address 0, {up[14], y[13:7], x[6:0]}; the delay is its way to the manager. Reports
/// of what is known are dropped; of those that come at once the one about the lowest leaf is first. A message: a write
/// of 4 bytes, the 22 bits of UpdateMessage, to the address of the leaf from which it spreads: the live one of the
/// lowest number as the manager knows it. A response other than TLM_OK_RESPONSE is no acknowledgement: it is sent again
/// after `retry`, to the next leaf if there is one. After the message about a leaf that has come back those about the
/// dead ones of its row and column are sent again.
class ManagerModule : public sc_core::sc_module {
 public:
  struct Timing {
    sc_core::sc_time service{1000, sc_core::SC_NS};  ///< of a report
    sc_core::sc_time nic{48, sc_core::SC_NS};        ///< out of the manager's node
    sc_core::sc_time retry{200, sc_core::SC_NS};     ///< until it is sent again
    sc_core::sc_time gap{80, sc_core::SC_NS};        ///< between two messages, at least
  };
  static constexpr unsigned kBusWidth = 32;

  ManagerModule(const sc_core::sc_module_name& name, const FatTree& tree, const Timing& timing);
  tlm_utils::multi_passthrough_target_socket<ManagerModule, kBusWidth> report_socket;
  tlm_utils::simple_initiator_socket<ManagerModule, kBusWidth> broadcast_socket;

  static uint32_t report(LeafId leaf, bool up) {
    return static_cast<uint32_t>(up) << 14 | static_cast<uint32_t>(leaf.y) << 7 | static_cast<uint32_t>(leaf.x);
  }
  uint64_t reports() const { return reports_; }        ///< that have arrived
  uint64_t duplicates() const { return duplicates_; }  ///< of these, dropped
  uint64_t served() const { return served_; }
  uint64_t retries() const { return retries_; }

 protected:
  /// Whether a report says what the manager knows, or is about to. Virtual, so that a test can plant a bug.
  virtual bool known(LeafId leaf, bool up) const;

 private:
  struct Report {
    LeafId leaf;
    bool up = false;
  };
  void take(int socket, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void arrive();
  void serve();
  void send();

  const FatTree tree_;
  const Timing timing_;
  Manager manager_;
  FaultSet heard_;  // as manager_ will know it when it has served all
  std::multimap<std::pair<sc_core::sc_time, int>, Report> under_way_;  // by arrival and number of the leaf
  std::deque<Report> waiting_;                                         // the first one is being served
  struct Leaving {
    sc_core::sc_time ready;
    uint32_t message;
    int from;  ///< leaf: the live one of the lowest number, as it is known when the report has been served
  };
  std::deque<Leaving> leaving_;      // by departure
  int tries_ = 0;                    // in vain, of the first of leaving_
  sc_core::sc_time next_departure_;  // `gap` after the last message
  sc_core::sc_event arrive_, serve_, send_;
  uint64_t reports_ = 0, duplicates_ = 0, served_ = 0, retries_ = 0;
};

}  // namespace odonata::vtftr
