/* SPDX-License-Identifier: Apache-2.0
 *
 * A device in plain C: the physical coding sublayer of a link (docs/congestion.md §4) as a delay line.
 *   cc -shared -fPIC -I DIR_OF_odonata_device.h own_device.c -o own_pcs.so
 *   odonata cosim --block pcs_transport --size tiny --device-lib ./own_pcs.so
 */
#include <stdlib.h>
#include <string.h>

#include "odonata_device.h"

enum { kLatency = 29, kPinsIn = 4 }; /* a frame is on the pins for the 30th cycle 29 edges after the one that took it */

typedef struct {
  uint64_t frame[kLatency][kPinsIn]; /* valid, bits, crc, phase */
  int at;
} link_state;

static const odonata_pin kPins[] = {{"valid_i", 1, 0}, {"bits_i", 16, 0}, {"crc_i", 8, 0}, {"phase_i", 1, 0},
                                    {"valid_o", 1, 1}, {"bits_o", 16, 1}, {"crc_o", 8, 1}, {"phase_o", 1, 1}};

static const odonata_pin* pins(const odonata_parameter* parameters, uint32_t num_parameters, uint32_t* num_pins) {
  (void)parameters, (void)num_parameters;
  *num_pins = sizeof kPins / sizeof kPins[0];
  return kPins;
}

static void* create(const odonata_parameter* parameters, uint32_t num_parameters) {
  (void)parameters, (void)num_parameters;
  return calloc(1, sizeof(link_state));
}

static int step(void* device, int rst_n, const uint64_t* in, uint64_t* out) {
  link_state* s = device;
  for (int k = 0; k < kPinsIn; ++k) {
    out[k] = rst_n ? s->frame[s->at][k] : 0;
    s->frame[s->at][k] = in[0] ? in[k] : 0;
  }
  s->at = (s->at + 1) % kLatency;
  if (!rst_n) memset(s->frame, 0, sizeof s->frame);
  return 0;
}

static void destroy(void* device) { free(device); }
static const char* message(void) { return "out of memory"; }

const odonata_device_interface* odonata_device(void) {
  static const odonata_device_interface kInterface = {
      ODONATA_DEVICE_VERSION, "pcs_transport", pins, create, step, destroy, message, NULL, NULL};
  return &kInterface;
}
