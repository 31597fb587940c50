// SPDX-License-Identifier: Apache-2.0
// The subnet manager at its sockets: reports that are none, reports of what is known, what it sends.
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <vector>

#include "hw/vtftr/manager_module.h"

namespace odonata::vtftr {
namespace {

/// Reports to a manager and takes its messages.
class Leaves : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Leaves, ManagerModule::kBusWidth> reports{"reports"};
  tlm_utils::simple_target_socket<Leaves, ManagerModule::kBusWidth> broadcast{"broadcast"};
  std::vector<uint64_t> sent_to;

  Leaves(const sc_core::sc_module_name& name, ManagerModule& manager) : sc_module(name) {
    reports.bind(manager.report_socket);
    manager.broadcast_socket.bind(broadcast);
    broadcast.register_b_transport(this, &Leaves::take);
  }
  tlm::tlm_response_status report(uint32_t word, tlm::tlm_command command = tlm::TLM_WRITE_COMMAND,
                                  uint64_t address = 0, unsigned length = 4) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&word));
    payload.set_data_length(length);
    payload.set_streaming_width(length);
    sc_core::sc_time delay(48, sc_core::SC_NS);
    reports->b_transport(payload, delay);
    return payload.get_response_status();
  }

 private:
  void take(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
    sent_to.push_back(payload.get_address());
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
};

TEST(ManagerSockets, ReportsOfNoLeafAreRefused) {
  constexpr int kSizes[] = {3, 2};  // columns, rows
  const FatTree tree(kSizes, 2, 2);
  ManagerModule manager("manager", tree, {});
  Leaves leaves("leaves", manager);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);  // the sockets are bound
  const auto report = [](int x, int y) { return ManagerModule::report({x, y}, false); };
  for (const uint32_t none : {report(3, 0), report(3, 1), report(0, 2), report(2, 2), report(127, 127)})
    EXPECT_EQ(leaves.report(none), tlm::TLM_GENERIC_ERROR_RESPONSE) << none;
  EXPECT_EQ(leaves.report(report(1, 1), tlm::TLM_READ_COMMAND), tlm::TLM_GENERIC_ERROR_RESPONSE);
  EXPECT_EQ(leaves.report(report(1, 1), tlm::TLM_WRITE_COMMAND, 4), tlm::TLM_GENERIC_ERROR_RESPONSE);
  EXPECT_EQ(leaves.report(report(1, 1), tlm::TLM_WRITE_COMMAND, 0, 2), tlm::TLM_GENERIC_ERROR_RESPONSE);
  EXPECT_EQ(leaves.report(report(2, 1)), tlm::TLM_OK_RESPONSE) << "the last leaf";
  EXPECT_EQ(leaves.report(report(2, 1)), tlm::TLM_OK_RESPONSE) << "the same of another root";
  sc_core::sc_start(5, sc_core::SC_US);
  EXPECT_EQ(manager.reports(), 2u);
  EXPECT_EQ(manager.duplicates(), 1u);
  EXPECT_EQ(manager.served(), 1u);
  EXPECT_EQ(leaves.sent_to, std::vector<uint64_t>{0});
}

}  // namespace
}  // namespace odonata::vtftr
