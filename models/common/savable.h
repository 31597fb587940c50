// SPDX-License-Identifier: Apache-2.0
// What a device is beside CycleDevice when its state can be kept and given to another one of the same kind.
#pragma once

#include <string>

namespace odonata {

class Savable {
 public:
  virtual ~Savable() = default;
  virtual std::string save() = 0;
  /// `state` is what save() of a device of the same class has given.
  virtual void restore(const std::string& state) = 0;
};

}  // namespace odonata
