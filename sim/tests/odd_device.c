/* SPDX-License-Identifier: Apache-2.0
 * A device that is wrong in one way, chosen by -DODD=...: what the program has to survive. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#define odonata_device good_device
#include "docs/examples/own_device.c"
#undef odonata_device

enum {
  kVersion = 1,
  kUnitName,
  kWidth,
  kNoPins,
  kNoFunction,
  kCrash,
  kHang,
  kRefuse,
  kFail,
  kEarly,
  kExit,
  kTwice,
  kMany,
  kNameless,
  kSilent,
  kQuickExit,  /* 16 */
  kSystemExit, /* without the C library */
  kKill,       /* a signal that nobody can handle */
  kExec,       /* the process becomes another program, which is content */
  kDeafHang,   /* with all signals blocked and the timer off */
  kThread,     /* another thread crashes while step() runs */
  kStack,      /* no stack is left */
  kPinsCrash,  /* 23: in the other functions */
  kCreateCrash,
  kDestroyCrash,
  kMessageCrash,
  kEntryCrash,
  kLoadCrash, /* 28: while it is loaded */
  kLoadExit,
  kUnitNowhere, /* 30: the name of the unit is no text */
  kEndCrash,    /* 31: when the program ends */
  kEndExit,
  kMoreBits, /* 33: good, with bits above its pins */
  kLongMessage,
  kSlow, /* 35: good, and slow */
  kLateCrash
};

static volatile int* volatile nowhere = NULL;

static void* crash_in_thread(void* unused) {
  (void)unused;
  *nowhere = 1;
  return NULL;
}
static int deep(volatile int n) {
  volatile char room[4096];
  room[0] = (char)n;
  return n < 0 ? 0 : deep(n + 1) + room[0];
}
static void hang_deaf(void) {
  sigset_t all;
  const struct itimerval off = {{0, 0}, {0, 0}};
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, NULL);
  setitimer(ITIMER_REAL, &off, NULL);
  for (;;) {
  }
}

static int odd_step(void* device, int rst_n, const uint64_t* in, uint64_t* out) {
  static int steps = 0;
  int result;
  if (++steps == 100 && ODD == kCrash) return *nowhere;
  while (steps == 100 && ODD == kHang) {
  }
  if (steps == 100 && ODD == kFail) return 1;
  if (steps == 100 && ODD == kEarly) abort();
  if (steps == 100 && ODD == kExit) exit(0);
  if (steps == 100 && ODD == kQuickExit) _exit(0);
  if (steps == 100 && ODD == kSystemExit) syscall(SYS_exit_group, 0);
  if (steps == 100 && ODD == kKill) raise(SIGKILL);
  if (steps == 100 && ODD == kExec) execl("/bin/true", "true", (char*)NULL);
  if (steps == 100 && ODD == kDeafHang) hang_deaf();
  if (steps == 100 && ODD == kStack) return deep(0);
  if (steps == 100 && ODD == kThread) {
    pthread_t thread;
    pthread_create(&thread, NULL, crash_in_thread, NULL);
    pthread_join(thread, NULL);
  }
  if (steps == 2200 && ODD == kLateCrash) return *nowhere;
  if (ODD == kSlow) usleep(10);
  result = step(device, rst_n, in, out);
  if (ODD == kMoreBits) {
    out[0] |= ~1ull;
    out[1] |= ~0xFFFFull;
    out[2] |= ~0xFFull;
    out[3] |= ~1ull;
  }
  return result;
}

static const odonata_pin* odd_pins(const odonata_parameter* parameters, uint32_t num_parameters, uint32_t* num_pins) {
  static const odonata_pin kWide[] = {{"valid_i", 1, 0}, {"bits_i", 17, 0}, {"spare_i", 8, 0}, {"phase_i", 1, 0},
                                      {"valid_o", 1, 1}, {"bits_o", 16, 1}, {"crc_o", 8, 1},   {"phase_o", 1, 1}};
  static const odonata_pin kOdd[] = {{ODD == kNameless ? NULL : "valid_i", 1, 0}, {"valid_i", 1, 0}};
  if (ODD == kPinsCrash) *nowhere = 1;
  if (ODD == kNoPins || ODD == kSilent || ODD == kMessageCrash || ODD == kLongMessage) return NULL;
  pins(parameters, num_parameters, num_pins);
  if (ODD == kMany) *num_pins = 100000000;
  if (ODD == kTwice || ODD == kNameless) *num_pins = 2;
  if (ODD == kTwice || ODD == kNameless) return kOdd;
  return ODD == kWidth ? kWide : kPins;
}

static void* odd_create(const odonata_parameter* parameters, uint32_t num_parameters) {
  if (ODD == kCreateCrash) *nowhere = 1;
  return ODD == kRefuse ? NULL : create(parameters, num_parameters);
}
static void odd_destroy(void* device) {
  if (ODD == kDestroyCrash) *nowhere = 1;
  destroy(device);
}
static const char* odd_message(void) {
  static char longest[100000];
  size_t i;
  if (ODD == kMessageCrash) *nowhere = 1;
  for (i = 0; i + 1 < sizeof longest; ++i) longest[i] = i % 10 == 9 ? '\n' : 'x';
  if (ODD == kLongMessage) return longest;
  return ODD == kSilent ? NULL : "the licence has run out";
}

static void at_the_end(void) {
  if (ODD == kEndCrash) *nowhere = 1;
  if (ODD == kEndExit) _exit(0);
}
__attribute__((constructor)) static void loaded(void) {
  if (ODD == kLoadCrash) *nowhere = 1;
  if (ODD == kLoadExit) _exit(0);
  atexit(at_the_end);
}

const odonata_device_interface* odonata_device(void) {
  static odonata_device_interface odd;
  if (ODD == kEntryCrash) return (const odonata_device_interface*)8;
  odd = *good_device();
  odd.pins = odd_pins;
  odd.create = odd_create;
  odd.step = ODD == kNoFunction ? NULL : odd_step;
  odd.destroy = odd_destroy;
  odd.message = odd_message;
  if (ODD == kVersion) odd.version = 2;
  if (ODD == kUnitName) odd.unit = "crossbar";
  if (ODD == kUnitNowhere) odd.unit = (const char*)8;
  return &odd;
}
