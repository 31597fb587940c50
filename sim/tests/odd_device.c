/* SPDX-License-Identifier: Apache-2.0
 * A device that is wrong in one way, chosen by -DODD=...: what the program has to survive. */
#include <stdlib.h>

#define odonata_device good_device
#include "docs/examples/own_device.c"
#undef odonata_device

enum { kVersion = 1, kUnitName, kWidth, kNoPins, kNoFunction, kCrash, kHang, kRefuse, kFail, kEarly, kExit, kTwice, kMany, kNameless, kSilent };

static int odd_step(void* device, int rst_n, const uint64_t* in, uint64_t* out) {
  static volatile int* volatile nowhere = NULL;
  static int steps = 0;
  if (++steps == 100 && ODD == kCrash) return *nowhere;
  while (steps == 100 && ODD == kHang) {
  }
  if (steps == 100 && ODD == kFail) return 1;
  if (steps == 100 && ODD == kEarly) abort();
  if (steps == 100 && ODD == kExit) exit(0);
  return step(device, rst_n, in, out);
}

static const odonata_pin* odd_pins(const odonata_parameter* parameters, uint32_t num_parameters, uint32_t* num_pins) {
  static const odonata_pin kWide[] = {{"valid_i", 1, 0}, {"bits_i", 17, 0}, {"spare_i", 8, 0}, {"phase_i", 1, 0},
                                      {"valid_o", 1, 1}, {"bits_o", 16, 1}, {"crc_o", 8, 1},   {"phase_o", 1, 1}};
  static const odonata_pin kOdd[] = {{ODD == kNameless ? NULL : "valid_i", 1, 0}, {"valid_i", 1, 0}};
  if (ODD == kNoPins || ODD == kSilent) return NULL;
  pins(parameters, num_parameters, num_pins);
  if (ODD == kMany) *num_pins = 100000000;
  if (ODD == kTwice || ODD == kNameless) *num_pins = 2;
  if (ODD == kTwice || ODD == kNameless) return kOdd;
  return ODD == kWidth ? kWide : kPins;
}

static void* odd_create(const odonata_parameter* parameters, uint32_t num_parameters) {
  return ODD == kRefuse ? NULL : create(parameters, num_parameters);
}
static const char* odd_message(void) { return ODD == kSilent ? NULL : "the licence has run out"; }

const odonata_device_interface* odonata_device(void) {
  static odonata_device_interface odd;
  odd = *good_device();
  odd.pins = odd_pins;
  odd.create = odd_create;
  odd.step = ODD == kNoFunction ? NULL : odd_step;
  odd.message = odd_message;
  if (ODD == kVersion) odd.version = 2;
  if (ODD == kUnitName) odd.unit = "crossbar";
  return &odd;
}
