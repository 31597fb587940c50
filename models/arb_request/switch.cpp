// SPDX-License-Identifier: Apache-2.0
#include "models/arb_request/switch.h"

namespace odonata::arb_request {

namespace {

std::array<uint8_t, kMaxInputs> needs(const std::array<PortRequest, kMaxInputs>& requests) {
  std::array<uint8_t, kMaxInputs> need{};
  for (size_t p = 0; p < requests.size(); ++p) need[p] = requests[p].need;
  return need;
}

}  // namespace

Switch::Switch(int dimensions, int slots) : dimensions_(dimensions) {
  validate(PortSize{.dimensions = dimensions});
  const int ports = 2 * dimensions + 1;
  for (int o = 0; o < ports; ++o) outputs_.emplace_back(ports, slots, o == ports - 1);
}

int Switch::wanted(const PortRequest& request) const {
  if (!request.valid) return -1;
  if (request.eject) return 2 * dimensions_;
  return request.dimension < dimensions_ ? 2 * request.dimension + request.minus : -1;
}

uint32_t Switch::asking(int output, const std::array<PortRequest, kMaxInputs>& requests) const {
  uint32_t ask = 0;
  for (int p = 0; p < inputs(); ++p)
    ask |= static_cast<uint32_t>(wanted(requests[static_cast<size_t>(p)]) == output) << p;
  return ask;
}

int Switch::winner(int output, const std::array<PortRequest, kMaxInputs>& requests) const {
  return this->output(output).grant(asking(output, requests), needs(requests).data());
}

uint32_t Switch::step(const std::array<PortRequest, kMaxInputs>& requests, uint32_t returned) {
  uint32_t granted = 0;
  for (int o = 0; o < inputs(); ++o) {
    const int p = winner(o, requests);
    if (p >= 0) granted |= 1u << p;
    outputs_[static_cast<size_t>(o)].step(p, returned >> o & 1);
  }
  return granted;
}

}  // namespace odonata::arb_request
