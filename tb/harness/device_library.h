// SPDX-License-Identifier: Apache-2.0
// A device of somebody else, in a shared library (odonata_device.h): loading, checking its pins against a unit's,
// stepping.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tb/harness/odonata_device.h"
#include "tb/harness/pin_words.h"

namespace odonata::cosim {

/// From now on a device that crashes, ends the program, or does not come back from a call within this time ends it with
/// one line and exit code 2. A child of this process does all that follows, while this one watches it: to be called
/// before there are threads, open files or ranks. For programs that are nothing but that; not called: a crash is a
/// crash. Throws Error.
void guard_device_libraries(int seconds);

/// A device by its words, whatever it is.
class WordDevice {
 public:
  virtual ~WordDevice() = default;
  /// One rising edge: `in` and `out` as UnitPins lays them out.
  virtual void step(bool rst_n, const uint64_t* in, uint64_t* out) = 0;
  /// Why the outputs are what they are; empty when it does not know.
  virtual std::vector<std::string> describe() const { return {}; }
};

/// A loaded library. Its code stays loaded until the program ends.
class DeviceLibrary {
 public:
  /// Loads a library as a device with these pins. Throws Error in one line: what is not there, of another version,
  /// missing, extra or of another width.
  DeviceLibrary(const std::string& path, const UnitPins& pins);
  /// What a library says that it is a device of. Throws Error when it is no such library.
  static std::string unit_of(const std::string& path);
  class Device;
  /// A new device. Throws Error when the library refuses.
  std::unique_ptr<Device> make() const;
  bool has_waveforms() const;
  /// Optional outputs that it does not have, by their number in UnitPins::outputs. They read 0.
  const std::vector<int>& absent() const { return absent_; }

 private:
  /// A pin as the library lists it.
  struct TheirPin {
    std::string name;
    uint32_t bits;
    bool output;
  };
  explicit DeviceLibrary(const std::string& path);
  struct Place {
    int theirs, ours, words;  ///< where a pin starts
    uint64_t last;            ///< the bits of its last word
  };
  std::vector<odonata_parameter> parameters() const;
  void load();
  void check(const std::vector<TheirPin>& pins) const;
  void match(const std::vector<TheirPin>& pins);
  template <class Work>
  void call(const char* function, Work work) const;
  template <class Work>
  static void call_quietly(const char* function, Work work);
  [[noreturn]] void refuse(const std::string& text) const;
  [[noreturn]] void refuse_as_told() const;

  std::string path_, unit_;
  UnitPins pins_;
  const odonata_device_interface* interface_ = nullptr;
  std::vector<Place> inputs_, outputs_;
  int input_words_ = 0, output_words_ = 0;  // theirs
  std::vector<int> absent_;
};

class DeviceLibrary::Device final : public WordDevice {
 public:
  explicit Device(const DeviceLibrary& library);
  ~Device() override;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  void step(bool rst_n, const uint64_t* in, uint64_t* out) override;
  void open_trace(const std::string& path);
  void close_trace();

 private:
  DeviceLibrary library_;
  void* device_ = nullptr;
  std::vector<uint64_t> in_, out_;
};

}  // namespace odonata::cosim
