// SPDX-License-Identifier: Apache-2.0
#include "sim/dpi/dpi_unit.h"

#include <cstdio>
#include <memory>
#include <string>

#include "models/common/error.h"
#include "models/common/joined.h"
#include "tb/route_compute/port_configuration.h"
#include "tb/units.h"

namespace odonata::dpi {

uint64_t Argument::get(int word) const {
  if (words_ == nullptr) return word == 0 ? value_ : 0;
  const int last = (bits_ + 31) / 32;
  const uint64_t low = 2 * word < last ? words_[2 * word] : 0, high = 2 * word + 1 < last ? words_[2 * word + 1] : 0;
  return low | high << 32;
}

void Argument::set(int word, uint64_t value) const {
  if (words_ == nullptr) {
    if (word == 0) *bit_ = static_cast<unsigned char>(value & 1);
    return;
  }
  const int last = (bits_ + 31) / 32;
  if (2 * word < last) words_[2 * word] = static_cast<uint32_t>(value);
  if (2 * word + 1 < last) words_[2 * word + 1] = static_cast<uint32_t>(value >> 32);
}

namespace {

struct Unit {
  std::unique_ptr<cosim::WordBench> bench;
  std::unique_ptr<cosim::WordDevice> golden;
  std::vector<uint64_t> in, out;
  std::string reasons;  // keeps the string of odonata_explain
};

/// A size, or KEY=VALUE.
cosim::CampaignRequest request_of(const std::string& size, const std::string& setting = "") {
  cosim::CampaignRequest request;
  request.traffic = "corner";  // every unit knows it
  for (const std::string& item : {size, setting}) {
    if (const size_t equal = item.find('='); equal != std::string::npos)
      request.parameters[item.substr(0, equal)] = item.substr(equal + 1);
  }
  if (!size.empty() && size.find('=') == std::string::npos) {
    request.dragonfly = size.find(',') == std::string::npos ? Dragonfly::named(size) : Dragonfly::parse(size);
    request.dragonfly_given = "size " + size;
  }
  return request;
}

}  // namespace

void* create(const char* unit, const char* size, const char* setting) noexcept {
  try {
    auto made = std::make_unique<Unit>();
    made->bench = cosim::find_unit(cosim::described_units(), unit).open(request_of(size, setting));
    made->golden = made->bench->golden();
    made->in.resize(static_cast<size_t>(made->bench->pins().input_words()));
    made->out.resize(static_cast<size_t>(made->bench->pins().output_words()));
    return made.release();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "odonata: error: %s_create(\"%s\"): %s\n", unit, size, error.what());
    return nullptr;
  }
}

void step(void* unit, bool rst_n, const std::vector<Argument>& in, const std::vector<Argument>& out) noexcept {
  if (unit == nullptr) return;
  Unit& u = *static_cast<Unit*>(unit);
  const cosim::UnitPins& pins = u.bench->pins();
  for (size_t k = 0; k < in.size(); ++k) {
    const cosim::Pin& pin = pins.inputs[k];
    for (int w = 0; w < pin.words(); ++w)
      u.in[static_cast<size_t>(pin.at + w)] = in[k].get(w) & low_mask(pin.bits - 64 * w);
  }
  u.golden->step(rst_n, u.in.data(), u.out.data());
  for (size_t k = 0; k < out.size(); ++k) {
    const cosim::Pin& pin = pins.outputs[k];
    for (int w = 0; w < out[k].words(); ++w) out[k].set(w, 0);
    for (int w = 0; w < pin.words(); ++w) out[k].set(w, u.out[static_cast<size_t>(pin.at + w)]);
  }
}

}  // namespace odonata::dpi

extern "C" const char* odonata_explain(void* unit);
extern "C" const char* odonata_explain(void* unit) {
  if (unit == nullptr) return "";
  auto& u = *static_cast<odonata::dpi::Unit*>(unit);
  u.reasons = odonata::joined(u.golden->describe(), {}, "\n");
  return u.reasons.c_str();
}
extern "C" int odonata_configuration(const char* size, int group, int router, int port, int index, uint32_t* address,
                                     uint32_t* data);
extern "C" int odonata_configuration(const char* size, int group, int router, int port, int index, uint32_t* address,
                                     uint32_t* data) {
  try {
    const auto writes =
        odonata::cosim::port_configuration(odonata::dpi::request_of(size).dragonfly, {group, router}, port);
    if (index < 0 || index >= static_cast<int>(writes.size())) return 0;
    const auto& write = writes[static_cast<size_t>(index)];
    *address = write.address / 8;
    data[0] = static_cast<uint32_t>(write.data);
    data[1] = static_cast<uint32_t>(write.data >> 32);
    return 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "odonata: error: odonata_configuration(\"%s\"): %s\n", size, error.what());
    return 0;
  }
}
extern "C" void odonata_destroy(void* unit);
extern "C" void odonata_destroy(void* unit) { delete static_cast<odonata::dpi::Unit*>(unit); }

// libsystemc, which SystemC modules of the units need, refers to it.
extern "C" int sc_main(int, char**);
extern "C" int sc_main(int, char**) { return 1; }
