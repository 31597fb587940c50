// SPDX-License-Identifier: Apache-2.0
// Planted bugs of the data path in any SystemC network (`Base`: the module of a router or switch), and planted bugs by
// name.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "models/common/error.h"

namespace odonata::cosim {

/// A credit can be used in the cycle of its arrival.
template <class Base>
class EarlyCredit : public Base {
 public:
  using Base::Base;

 protected:
  void take_credits(int64_t now) override {
    Base::take_credits(now);
    for (auto& p : this->ports()) {
      for (size_t v = 0; v < p.credits.size(); ++v) p.credits[v] += std::exchange(p.landed[v], 0);
    }
  }
};

/// Ports have `kSlots` slots a virtual channel more than said.
template <class Base, int kSlots>
class OtherBuffer : public Base {
 public:
  using Base::Base;

 protected:
  void take_credits(int64_t now) override {
    Base::take_credits(now);
    if (now != 0) return;
    for (auto& p : this->ports()) {
      for (int& credits : p.credits) credits += kSlots;
    }
  }
};

/// The switch tries the virtual channels of an input from 0 on, always.
template <class Base>
class UnfairInput : public Base {
 public:
  using Base::Base;

 protected:
  int first_choice(const typename Base::Port&) const override { return 0; }
};

/// What a fault has cut off is not closed.
template <class Base>
class OpenEnd : public Base {
 public:
  using Base::Base;

 protected:
  void close_cut_packet(typename Base::Port&, int) override {}
};

template <class Makers>
std::vector<std::string> plant_names(const std::map<std::string, Makers>& plants) {
  std::vector<std::string> out;
  for (const auto& [name, makers] : plants) out.push_back(name);
  return out;
}

/// The makers with one bug planted; all as they are for an empty name. Throws Error: no such plant among `plants`.
template <class Makers>
Makers makers_with(const std::string& plant, const std::map<std::string, Makers>& plants) {
  if (plant.empty()) return {};
  const auto found = plants.find(plant);
  if (found != plants.end()) return found->second;
  std::string names;
  for (const std::string& n : plant_names(plants)) names += (names.empty() ? "" : ", ") + n;
  throw Error("plant '" + plant + "' is unknown here, expected one of " + names);
}

}  // namespace odonata::cosim
