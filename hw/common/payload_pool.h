// SPDX-License-Identifier: Apache-2.0
// A TLM-2.0 memory manager: payloads that carry one extension and come back to the pool when their last user releases
// them.
#pragma once

#include <memory>
#include <tlm>
#include <vector>

namespace odonata::hw {

/// For initiators that use nb_transport_fw. The pool must outlive its payloads' last release().
template <class Extension>
class PayloadPool : public tlm::tlm_mm_interface {
 public:
  PayloadPool() = default;
  PayloadPool(const PayloadPool&) = delete;
  PayloadPool& operator=(const PayloadPool&) = delete;
  ~PayloadPool() override {
    for (const auto& payload : all_) payload->clear_extension(static_cast<Extension*>(nullptr));
  }

  /// A payload with a reference count of 1, default attributes (command: ignore) and a fresh extension; the caller
  /// calls release() when it has read the answer.
  tlm::tlm_generic_payload& allocate() {
    if (free_.empty()) grow();
    tlm::tlm_generic_payload* payload = free_.back();
    free_.pop_back();
    payload->acquire();
    set_defaults(*payload);
    *payload->template get_extension<Extension>() = Extension();
    return *payload;
  }
  /// Called by the last release(). The pool's own extension stays; those that others added with set_auto_extension go.
  void free(tlm::tlm_generic_payload* payload) override {
    payload->reset();
    free_.push_back(payload);
  }
  /// Payloads that somebody still holds.
  size_t in_use() const { return all_.size() - free_.size(); }

 private:
  static void set_defaults(tlm::tlm_generic_payload& payload) {
    payload.set_command(tlm::TLM_IGNORE_COMMAND);
    payload.set_address(0);
    payload.set_data_ptr(nullptr);
    payload.set_data_length(0);
    payload.set_streaming_width(0);
    payload.set_byte_enable_ptr(nullptr);
    payload.set_byte_enable_length(0);
    payload.set_dmi_allowed(false);
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  }
  void grow() {
    extensions_.push_back(std::make_unique<Extension>());
    all_.push_back(std::make_unique<tlm::tlm_generic_payload>(this));
    all_.back()->set_extension(extensions_.back().get());
    free_.push_back(all_.back().get());
  }

  std::vector<std::unique_ptr<Extension>> extensions_;
  std::vector<std::unique_ptr<tlm::tlm_generic_payload>> all_;
  std::vector<tlm::tlm_generic_payload*> free_;
};

}  // namespace odonata::hw
