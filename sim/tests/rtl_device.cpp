// SPDX-License-Identifier: Apache-2.0
// Our RTL as a device of somebody else, so that tests need not verilate it a second time. Environment: OWN_UNIT names the unit, OWN_WRONG=N turns
// the lowest bit of its first answer pin in the N-th response.
#include <cstdlib>
#include <memory>
#include <string>
#include <type_traits>

#include "models/common/error.h"
#include "tb/arb_request/arb_request_logic_block.h"
#include "tb/arb_request/arb_request_logic_words.h"
#include "tb/harness/odonata_device.h"
#include "tb/route_compute/block.h"
#include "tb/route_compute/route_compute_words.h"
#include "tb/torus/campaign.h"
#include "tb/torus/torus_route_words.h"
#include "tb/vtftr/campaign.h"
#include "tb/vtftr/vtftr_leaf_words.h"
#include "tb/vtftr/vtftr_root_words.h"

namespace {

using namespace odonata;

std::string g_message;

cosim::RtlParameters given(const odonata_parameter* parameters, uint32_t count) {
  cosim::RtlParameters out;
  for (uint32_t k = 0; k < count; ++k) out[parameters[k].name] = static_cast<int>(parameters[k].value);
  return out;
}

struct Device {
  virtual ~Device() = default;
  virtual void step(int rst_n, const uint64_t* in, uint64_t* out) = 0;
};

template <class Block>
class Rtl final : public Device {
 public:
  explicit Rtl(const cosim::RtlParameters& parameters) : pins_(parameters), rtl_(cosim::make_rtl<Block>(parameters)) {
    const char* wrong = std::getenv("OWN_WRONG");
    if (wrong != nullptr) wrong_ = std::atoi(wrong);
  }
  void step(int rst_n, const uint64_t* in, uint64_t* out) override {
    pins_.read(in, in_);
    pins_.set_rst_n(in_, rst_n != 0);
    rtl_->step(in_, out_);
    pins_.write(out_, out);
    if ((out[at(pins_.response.front())] & 1) != 0 && ++responses_ == wrong_) out[at(pins_.response[1])] ^= 1;
  }

 private:
  size_t at(int output) const { return static_cast<size_t>(pins_.outputs[static_cast<size_t>(output)].at); }
  cosim::PinWords<Block> pins_;
  std::unique_ptr<cosim::RtlDevice<Block>> rtl_;
  typename Block::Inputs in_{};
  typename Block::Outputs out_{};
  int responses_ = 0, wrong_ = 0;
};

/// Calls `use` with an object whose type is that of the unit's block.
template <class Use>
auto with_unit(Use use) {
  const std::string unit = std::getenv("OWN_UNIT");
  if (unit == "torus_route") return use(std::type_identity<cosim::TorusRouteBlock>());
  if (unit == "vtftr_leaf") return use(std::type_identity<cosim::VtftrLeafBlock>());
  if (unit == "vtftr_root") return use(std::type_identity<cosim::VtftrRootBlock>());
  if (unit == "arb_request_logic") return use(std::type_identity<cosim::ArbLogicBlock>());
  return use(std::type_identity<cosim::RouteComputeBlock>());
}

const odonata_pin* pins(const odonata_parameter* parameters, uint32_t num_parameters, uint32_t* num_pins) {
  static std::vector<std::string> names;
  static std::vector<odonata_pin> table;
  names.clear();
  table.clear();
  const auto list =
      with_unit([&]<class Block>(std::type_identity<Block>) -> cosim::UnitPins { return cosim::PinWords<Block>(given(parameters, num_parameters)); });
  for (const auto* side : {&list.inputs, &list.outputs}) {
    for (const cosim::Pin& pin : *side) names.push_back(pin.name);
  }
  for (size_t k = 0; k < names.size(); ++k) {
    const bool output = k >= list.inputs.size();
    const cosim::Pin& pin = output ? list.outputs[k - list.inputs.size()] : list.inputs[k];
    table.push_back({names[k].c_str(), static_cast<uint32_t>(pin.bits), output});
  }
  *num_pins = static_cast<uint32_t>(table.size());
  return table.data();
}

void* create(const odonata_parameter* parameters, uint32_t num_parameters) {
  try {
    return with_unit([&]<class Block>(std::type_identity<Block>) -> Device* { return new Rtl<Block>(given(parameters, num_parameters)); });
  } catch (const Error& error) {
    g_message = error.what();
    return nullptr;
  }
}

int step(void* device, int rst_n, const uint64_t* in, uint64_t* out) {
  static_cast<Device*>(device)->step(rst_n, in, out);
  return 0;
}
void destroy(void* device) { delete static_cast<Device*>(device); }
const char* message() { return g_message.c_str(); }

}  // namespace

extern "C" __attribute__((visibility("default"))) const odonata_device_interface* odonata_device(void) {
  static odonata_device_interface interface { ODONATA_DEVICE_VERSION, nullptr, pins, create, step, destroy, message, nullptr, nullptr };
  interface.unit = std::getenv("OWN_UNIT");
  return &interface;
}

// libsystemc, which SystemC modules of the units need, refers to it.
extern "C" __attribute__((visibility("default"))) int sc_main(int, char**);
extern "C" int sc_main(int, char**) { return 1; }
