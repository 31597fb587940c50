// SPDX-License-Identifier: Apache-2.0
// Our RTL as a device of somebody else, so that tests need not verilate it a second time. Environment: OWN_UNIT names
// the unit, OWN_WRONG=N turns the lowest bit of its answer pin OWN_WRONG_PIN (1: the first behind the one that says
// that there is an answer) in the N-th response, OWN_LATE=N answers N edges later, OWN_EVERY=N takes a request only
// every N cycles, OWN_HIGH names an output pin that is 1 always, OWN_BUSY=1 answers an edge later while it answers.
#include <algorithm>
#include <cstdlib>
#include <deque>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "models/common/error.h"
#include "tb/arb_request/arb_request_logic_block.h"
#include "tb/arb_request/arb_request_logic_words.h"
#include "tb/harness/odonata_device.h"
#include "tb/harness/own_device.h"
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
  explicit Rtl(const cosim::RtlParameters& parameters)
      : pins_(parameters),
        rtl_(cosim::make_rtl<Block>(parameters)),
        filter_(pins_, number_of("OWN_EVERY")),
        wrong_(number_of("OWN_WRONG")),
        wrong_pin_(pins_.response.at(static_cast<size_t>(number_of("OWN_WRONG_PIN")))),
        late_(static_cast<size_t>(number_of("OWN_LATE"))),
        busy_(number_of("OWN_BUSY") != 0) {}
  void step(int rst_n, const uint64_t* in, uint64_t* out) override {
    pins_.read(in, in_);
    pins_.set_rst_n(in_, rst_n != 0);
    rtl_->step(filter_(in_), out_);
    pins_.write(out_, out);
    if (const char* high = std::getenv("OWN_HIGH"); high != nullptr) {
      for (const cosim::Pin& pin : pins_.outputs) out[pin.at] |= static_cast<uint64_t>(pin.name == high);
    }
    if (late_ != 0) hold_back(rst_n != 0, out);
    if (busy_) hold_back_the_next(out);
    if ((out[at(pins_.response.front())] & 1) != 0 && ++responses_ == wrong_) out[at(wrong_pin_)] ^= 1;
  }

 private:
  static int number_of(const char* variable) {
    const char* text = std::getenv(variable);
    return text == nullptr ? 0 : std::atoi(text);
  }
  void hold_back(bool rst_n, uint64_t* out) {
    if (!rst_n) held_.clear();
    held_.emplace_back(out, out + pins_.output_words());
    std::vector<uint64_t> shown(held_.front().size());
    if (held_.size() > late_) {
      shown = held_.front();
      held_.pop_front();
    }
    show(shown, out);
  }
  /// An answer right behind another one comes an edge later.
  void hold_back_the_next(uint64_t* out) {
    const std::vector<uint64_t> now(out, out + pins_.output_words());
    std::vector<uint64_t> shown = std::exchange(next_, {});
    const bool answers = (out[at(pins_.response.front())] & 1) != 0;
    if (std::exchange(answered_, answers) && answers) {
      next_ = now;
    } else if (shown.empty()) {
      shown = now;
    }
    shown.resize(static_cast<size_t>(pins_.output_words()));
    show(shown, out);
  }
  void show(const std::vector<uint64_t>& shown, uint64_t* out) const {
    for (const int pin : pins_.response)
      std::copy_n(&shown[at(pin)], pins_.outputs[static_cast<size_t>(pin)].words(), out + at(pin));
  }
  size_t at(int output) const { return static_cast<size_t>(pins_.outputs[static_cast<size_t>(output)].at); }
  cosim::PinWords<Block> pins_;
  std::unique_ptr<cosim::RtlDevice<Block>> rtl_;
  cosim::RequestFilter<Block> filter_;
  typename Block::Inputs in_{};
  typename Block::Outputs out_{};
  int responses_ = 0, wrong_, wrong_pin_;
  size_t late_;
  bool busy_, answered_ = false;
  std::vector<uint64_t> next_;  // the answer that is held back; empty: none
  std::deque<std::vector<uint64_t>> held_;
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
  const auto list = with_unit([&]<class Block>(std::type_identity<Block>) -> cosim::UnitPins {
    return cosim::PinWords<Block>(given(parameters, num_parameters));
  });
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
    return with_unit([&]<class Block>(std::type_identity<Block>) -> Device* {
      return new Rtl<Block>(given(parameters, num_parameters));
    });
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
  static odonata_device_interface interface {
    ODONATA_DEVICE_VERSION, nullptr, pins, create, step, destroy, message, nullptr, nullptr
  };
  interface.unit = std::getenv("OWN_UNIT");
  return &interface;
}

// libsystemc, which SystemC modules of the units need, refers to it.
extern "C" __attribute__((visibility("default"))) int sc_main(int, char**);
extern "C" int sc_main(int, char**) { return 1; }
