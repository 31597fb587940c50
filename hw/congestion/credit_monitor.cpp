// SPDX-License-Identifier: Apache-2.0
#include "hw/congestion/credit_monitor.h"

#include <algorithm>
#include <numeric>

#include "hw/congestion/credit_monitor_signals.h"

namespace odonata::congestion {

CreditMonitorModule::CreditMonitorModule(const sc_core::sc_module_name& name, hw::Tick& tick, Drive<MonitorInputs> pins)
    : ClockedModule(name, tick), pins_(std::move(pins)) {
  SC_HAS_PROCESS(CreditMonitorModule);
  SC_METHOD(sample);
  sensitive << edge();
  dont_initialize();
  SC_METHOD(count);
  sensitive << edge();
  dont_initialize();
  SC_METHOD(move_window);
  sensitive << edge();
  dont_initialize();
  SC_METHOD(compare);
  sensitive << edge();
  dont_initialize();
}

int CreditMonitorModule::capacity() const { return std::min<int>(now().r0.capacity, kMaxCapacity); }

void CreditMonitorModule::sample() {
  const MonitorInputs& in = pins_();
  next().r0 = in;
  if (!in.reset) return;
  next().r0 = {};
  next().r0.reset = true;  // publish() clears everything
}

void CreditMonitorModule::count() {
  next().underflow = next().overflow = 0;
  for (int v = 0; v < kNumVcs; ++v) {
    const auto bit = static_cast<uint8_t>(1 << v);
    const bool take = accepts(v), give = returns(v);
    if ((now().r0.sent & bit) && !take) next().underflow |= bit;
    if ((now().r0.credit & bit) && !give) next().overflow |= bit;
    next().in_use[v] = static_cast<uint16_t>(now().in_use[v] + take - give);
  }
}

void CreditMonitorModule::move_window() {
  const auto wanted = static_cast<uint16_t>(std::min<int>(now().r0.window, kMaxWindow));
  if (wanted != now().length) {
    next().length = wanted;
    next().pointer = next().fill = next().window = 0;
    return;
  }
  if (wanted == 0) return;
  const bool full = now().fill == wanted;
  history_[now().pointer] = now().r0.departed;
  next().window = static_cast<uint16_t>(now().window + now().r0.departed - (full && now().leaving));
  next().pointer = static_cast<uint16_t>((now().pointer + 1) % wanted);
  next().fill = static_cast<uint16_t>(full ? wanted : now().fill + 1);
  next().leaving = history_[next().pointer];  // a length of 1 reads what was just written
}

void CreditMonitorModule::compare() {
  const int occupancy = std::accumulate(now().in_use.begin(), now().in_use.end(), 0);
  const int corrected = std::max(0, occupancy - (now().r0.window_enable ? now().window : 0));
  next().corrected = static_cast<uint16_t>(corrected);
  next().congested = now().r0.failed || corrected > now().r0.threshold;
  next().busy = now().r0.failed || corrected > now().r0.busy_threshold;
}

void CreditMonitorModule::publish() {
  if (now().r0.reset) {
    clear();
    out_ = {};
    return;
  }
  out_.in_use = 0;
  for (int v = 0; v < kNumVcs; ++v) out_.in_use |= static_cast<uint64_t>(now().in_use[v]) << (9 * v);
  out_.occupancy = static_cast<uint16_t>(std::accumulate(now().in_use.begin(), now().in_use.end(), 0));
  out_.window = now().window;
  out_.corrected = now().corrected;
  out_.congested = now().congested;
  out_.busy = now().busy;
  out_.underflow = now().underflow;
  out_.overflow = now().overflow;
}

void CreditMonitorModule::trace(sc_core::sc_trace_file* file) const {
  const MonitorRegisters& r = now();
  trace_pins(file, r.r0, std::string(name()) + ".r0.");
  for (int v = 0; v < kNumVcs; ++v) trace_signal(file, r.in_use[v], "rank1.in_use_" + std::to_string(v), 9);
  trace_signal(file, r.underflow, "rank1.underflow", kNumVcs);
  trace_signal(file, r.overflow, "rank1.overflow", kNumVcs);
  trace_signal(file, r.length, "history.length", 10);
  trace_signal(file, r.pointer, "history.pointer", 9);
  trace_signal(file, r.fill, "history.fill", 10);
  trace_signal(file, r.leaving, "history.leaving", 1);
  trace_signal(file, r.window, "history.window", 10);
  trace_signal(file, out_.occupancy, "occupancy", 11);
  trace_signal(file, r.corrected, "rank2.corrected", 11);
  trace_signal(file, r.congested, "rank2.congested", 1);
  trace_signal(file, r.busy, "rank2.busy", 1);
}

}  // namespace odonata::congestion
