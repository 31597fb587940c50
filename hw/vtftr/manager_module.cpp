// SPDX-License-Identifier: Apache-2.0
#include "hw/vtftr/manager_module.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace odonata::vtftr {

using sc_core::sc_time_stamp;

ManagerModule::ManagerModule(const sc_core::sc_module_name& name, const FatTree& tree, const Timing& timing)
    : sc_module(name),
      report_socket("report_socket"),
      broadcast_socket("broadcast_socket"),
      tree_(tree),
      timing_(timing),
      manager_(tree),
      heard_(tree) {
  report_socket.register_b_transport(this, &ManagerModule::take);
  SC_HAS_PROCESS(ManagerModule);
  SC_METHOD(arrive);
  sensitive << arrive_;
  dont_initialize();
  SC_METHOD(serve);
  sensitive << serve_;
  dont_initialize();
  SC_METHOD(send);
  sensitive << send_;
  dont_initialize();
}

void ManagerModule::take(int, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  uint32_t word = 0;
  if (payload.get_command() != tlm::TLM_WRITE_COMMAND || payload.get_address() != 0 ||
      payload.get_data_length() != sizeof word)
    return payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
  std::memcpy(&word, payload.get_data_ptr(), sizeof word);
  const Report r{{static_cast<int>(word & 127), static_cast<int>(word >> 7 & 127)}, (word >> 14 & 1) != 0};
  if (r.leaf.x >= tree_.columns() || r.leaf.y >= tree_.rows())
    return payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
  under_way_.emplace(std::pair(sc_time_stamp() + delay, tree_.leaf(r.leaf.x, r.leaf.y)), r);
  arrive_.notify(under_way_.begin()->first.first - sc_time_stamp());
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

bool ManagerModule::known(LeafId leaf, bool up) const { return heard_.test(leaf.x, leaf.y) != up; }

void ManagerModule::arrive() {
  for (; !under_way_.empty() && under_way_.begin()->first.first <= sc_time_stamp();
       under_way_.erase(under_way_.begin())) {
    const Report r = under_way_.begin()->second;
    ++reports_;
    if (known(r.leaf, r.up)) {
      ++duplicates_;
      continue;
    }
    heard_.set(r.leaf, !r.up);
    waiting_.push_back(r);
    if (waiting_.size() == 1) serve_.notify(timing_.service);
  }
  if (!under_way_.empty()) arrive_.notify(under_way_.begin()->first.first - sc_time_stamp());
}

/// A report has been served: its message leaves, the next one's service begins.
void ManagerModule::serve() {
  const Report r = waiting_.front();
  waiting_.pop_front();
  ++served_;
  const bool idle = leaving_.empty();
  const sc_core::sc_time ready = sc_time_stamp() + timing_.nic;
  const uint32_t message = pack(manager_.serve(r.leaf, !r.up));
  const LeafId lowest = manager_leaf(tree_, manager_.known());
  const int from = tree_.leaf(lowest.x, lowest.y);
  leaving_.push_back({ready, message, from});
  if (r.up)
    for (const UpdateMessage& m : manager_.again(r.leaf)) leaving_.push_back({ready, pack(m), from});
  if (idle) send_.notify(std::max(ready, next_departure_) - sc_time_stamp());
  if (!waiting_.empty()) serve_.notify(timing_.service);
}

void ManagerModule::send() {
  uint32_t message = leaving_.front().message;
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_WRITE_COMMAND);
  payload.set_address(static_cast<uint64_t>((leaving_.front().from + tries_) % tree_.num_leaves()));
  payload.set_data_ptr(reinterpret_cast<unsigned char*>(&message));
  payload.set_data_length(sizeof message);
  payload.set_streaming_width(sizeof message);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  broadcast_socket->b_transport(payload, delay);
  if (payload.get_response_status() != tlm::TLM_OK_RESPONSE) {
    ++retries_;
    ++tries_;
    return send_.notify(timing_.retry);
  }
  tries_ = 0;
  leaving_.pop_front();
  next_departure_ = sc_time_stamp() + timing_.gap;
  if (!leaving_.empty()) send_.notify(std::max(leaving_.front().ready, next_departure_) - sc_time_stamp());
}

}  // namespace odonata::vtftr
