// SPDX-License-Identifier: Apache-2.0
#include "sim/common/interrupt.h"

#include <atomic>

namespace odonata::cli {

namespace {

std::atomic<bool> g_interrupted = false;  // without a lock: a handler may write it

}  // namespace

InterruptGuard::InterruptGuard() : int_(), term_() {
  struct sigaction ask {};
  ask.sa_handler = [](int) { g_interrupted = true; };
  ask.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &ask, &int_);
  sigaction(SIGTERM, &ask, &term_);
}

InterruptGuard::~InterruptGuard() {
  sigaction(SIGINT, &int_, nullptr);
  sigaction(SIGTERM, &term_, nullptr);
}

bool interrupted() { return g_interrupted; }

void stop_if_interrupted() {
  if (interrupted()) throw Interrupted();
}

void mark_interrupted(Json& result) {
  result["verdict"] = "interrupted";
  const std::string before = result.value("headline", "");
  result["headline"] = "interrupted: nothing is shown" + (before.empty() ? "" : "; so far: " + before);
}

}  // namespace odonata::cli
