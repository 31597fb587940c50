/* SPDX-License-Identifier: Apache-2.0
 *
 * A device of your own for `odonata cosim --device-lib`, `pipeline --device-lib` and the Python module: a shared
 * library with one function, odonata_device(). Plain C, so that any compiler and any language can make one; `odonata
 * wrap` writes one around RTL.
 *
 * A pin has the name and the width that docs/<family>.md gives it. Its value is in 64-bit words, the least significant
 * bit first: a pin of n bits takes (n + 63) / 64 words, pin after pin in the order in which the device lists its
 * inputs, and likewise its outputs. Bits above an input are 0, those above an output count for nothing. Clock and reset
 * are no pins: one step() is one rising edge of the clock.
 */
#ifndef ODONATA_DEVICE_H
#define ODONATA_DEVICE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Goes up when the structures below change; a device of another version is refused. */
#define ODONATA_DEVICE_VERSION 1

typedef struct {
  const char* name; /* as in the RTL: req_valid_i */
  uint32_t bits;
  uint32_t output; /* 0: input, 1: output */
} odonata_pin;

/* A parameter of the RTL, such as P = 16. */
typedef struct {
  const char* name;
  int64_t value;
} odonata_parameter;

typedef struct {
  uint32_t version; /* ODONATA_DEVICE_VERSION */
  const char* unit; /* what it is a device of: "route_compute" */

  /* The pins for these parameters; NULL when it was not built for them, see message(). They stay valid. */
  const odonata_pin* (*pins)(const odonata_parameter* parameters, uint32_t num_parameters, uint32_t* num_pins);

  /* A new device with these parameters, NULL when there is none. There may be several at a time. */
  void* (*create)(const odonata_parameter* parameters, uint32_t num_parameters);

  /* One rising edge of the clock. `in`: the inputs that it samples, `rst_n` 0: reset; `out`: what the outputs show
   * afterwards. Returns 0, or something else when the device cannot go on (a failed assertion), see message(). */
  int (*step)(void* device, int rst_n, const uint64_t* in, uint64_t* out);

  void (*destroy)(void* device);

  /* One line about what went wrong last. */
  const char* (*message)(void);

  /* A waveform of all that follows, into this file; NULL when the device has none. 0: done. */
  int (*open_trace)(void* device, const char* path);
  void (*close_trace)(void* device);
} odonata_device_interface;

/* The only symbol of the library. The structure stays valid. */
const odonata_device_interface* odonata_device(void);

#ifdef __cplusplus
}
#endif

#endif /* ODONATA_DEVICE_H */
