// SPDX-License-Identifier: Apache-2.0
#include "tb/harness/device_library.h"

#include <dlfcn.h>
#include <sys/time.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <set>

#include "models/common/error.h"

namespace odonata::cosim {

namespace {

// ---- What is running, for the handlers of signals. They may use nothing but these, write() and _exit(). ----

int g_limit = 0;  // seconds; 0: no guard
char g_path[512];
const char* volatile g_function = nullptr;  // of the library that runs now; null: none
volatile uint64_t g_calls = 0;              // so far
volatile uint64_t g_seen = 0;               // g_calls at the last tick
volatile int g_ticks = 0;                   // since then

[[noreturn]] void end_program(const char* what) {
  char line[700];
  const int length = std::snprintf(line, sizeof line, "odonata: error: %s: %s in %s(), call %llu\n", g_path, what, g_function,
                                   static_cast<unsigned long long>(g_calls));
  if (write(STDERR_FILENO, line, static_cast<size_t>(length)) < 0) _exit(1);
  _exit(2);
}

void on_crash(int signal) {
  if (g_function == nullptr) {  // not the library's fault
    std::signal(signal, SIG_DFL);
    raise(signal);
    return;
  }
  end_program(signal == SIGSEGV || signal == SIGBUS ? "crashed (invalid memory access)"
              : signal == SIGFPE                    ? "crashed (arithmetic error)"
              : signal == SIGILL                    ? "crashed (illegal instruction)"
                                                    : "ended by abort()");
}

/// A library that ends the program would end it as if all were well.
void on_exit_called() {
  if (g_function != nullptr) end_program("called exit()");
}

void on_tick(int) {
  if (g_function == nullptr || g_calls != g_seen) {
    g_seen = g_calls;
    g_ticks = 0;
    return;
  }
  g_ticks = g_ticks + 1;
  if (g_ticks < g_limit) return;
  char what[80];
  std::snprintf(what, sizeof what, "did not come back within %d s", g_limit);
  end_program(what);
}

/// While it lives a function of a library runs, or something of it is read.
class Call {
 public:
  explicit Call(const char* function) {
    g_calls = g_calls + 1;
    g_function = function;
  }
  ~Call() { g_function = nullptr; }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
};

constexpr uint32_t kMostPins = 10'000, kMostBits = 1u << 20;  // of a table that can be meant

}  // namespace

void guard_device_libraries(int seconds) {
  g_limit = seconds;
  static const bool registered = std::atexit(on_exit_called) == 0;
  static_cast<void>(registered);
  static char stack[1 << 16];  // a library may have used up the other one
  stack_t other{};
  other.ss_sp = stack;
  other.ss_size = sizeof stack;
  sigaltstack(&other, nullptr);
  struct sigaction action {};
  action.sa_flags = SA_ONSTACK | SA_RESTART;
  action.sa_handler = on_crash;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigaction(signal, &action, nullptr);
  action.sa_handler = on_tick;
  sigaction(SIGALRM, &action, nullptr);
  const itimerval second{{1, 0}, {1, 0}};
  setitimer(ITIMER_REAL, &second, nullptr);
}

/// A call of a library's function; C++ behind it may throw.
template <class Work>
void DeviceLibrary::call(const char* function, Work work) const {
  try {
    const Call running(function);
    work();
  } catch (const std::exception& thrown) {
    refuse(std::string("threw an exception in ") + function + "(): " + thrown.what());
  } catch (...) {
    refuse(std::string("threw an exception in ") + function + "()");
  }
}

DeviceLibrary::DeviceLibrary(const std::string& path) : path_(path) {
  std::snprintf(g_path, sizeof g_path, "%s", path.c_str());
  load();
}

DeviceLibrary::DeviceLibrary(const std::string& path, const UnitPins& pins) : DeviceLibrary(path) {
  pins_ = pins;
  if (pins_.unit != interface_->unit) refuse("is a device of '" + std::string(interface_->unit) + "', expected " + pins_.unit);
  uint32_t count = 0;
  const auto given = parameters();
  const odonata_pin* theirs = nullptr;
  call("pins", [&] { theirs = interface_->pins(given.data(), static_cast<uint32_t>(given.size()), &count); });
  if (theirs == nullptr) refuse_as_told();
  if (count > kMostPins) refuse("lists " + std::to_string(count) + " pins");
  std::vector<TheirPin> table;
  call("pins", [&] {
    for (uint32_t k = 0; k < count; ++k) table.push_back({theirs[k].name != nullptr ? theirs[k].name : "", theirs[k].bits, theirs[k].output != 0});
  });
  check(table);
  match(table);
}

std::string DeviceLibrary::unit_of(const std::string& path) { return DeviceLibrary(path).interface_->unit; }

void DeviceLibrary::refuse(const std::string& text) const { throw Error(path_ + ": " + text); }
void DeviceLibrary::refuse_as_told() const {
  std::string text;
  call("message", [&] {
    if (const char* said = interface_->message(); said != nullptr) text = said;
  });
  refuse(text.empty() ? "gave up without a message" : text);
}

std::vector<odonata_parameter> DeviceLibrary::parameters() const {
  std::vector<odonata_parameter> out;
  for (const auto& [name, value] : pins_.parameters) out.push_back({name.c_str(), value});
  return out;
}

void DeviceLibrary::load() {
  if (!std::filesystem::is_regular_file(path_))
    refuse(std::string(std::filesystem::exists(path_) ? "it is no regular file" : "there is no such file") +
           ", expected a shared library with odonata_device()");
  using Entry = const odonata_device_interface* (*)();
  Entry entry = nullptr;
  {
    const Call call("dlopen");
    void* handle = dlopen(std::filesystem::absolute(path_).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle != nullptr) entry = reinterpret_cast<Entry>(dlsym(handle, "odonata_device"));
    if (handle == nullptr) {
      const std::string why = dlerror();
      const size_t colon = why.find(": ");  // it starts with the path, too
      refuse("cannot be loaded: " + (colon == std::string::npos ? why : why.substr(colon + 2)));
    }
  }
  if (entry == nullptr) refuse("symbol odonata_device is missing, expected a library as in odonata_device.h");
  call("odonata_device", [&] { interface_ = entry(); });
  if (interface_ == nullptr) refuse("odonata_device() gave nothing");
  if (interface_->version != ODONATA_DEVICE_VERSION) {
    refuse("made for version " + std::to_string(interface_->version) + " of odonata_device.h, expected " + std::to_string(ODONATA_DEVICE_VERSION));
  }
  const odonata_device_interface& i = *interface_;
  if (!i.unit || !i.pins || !i.create || !i.step || !i.destroy || !i.message || (i.open_trace && !i.close_trace)) {
    refuse("a function of odonata_device_interface is null, only open_trace and close_trace may be");
  }
}

/// Throws Error for a table that cannot be meant.
void DeviceLibrary::check(const std::vector<TheirPin>& pins) const {
  std::set<std::pair<bool, std::string>> seen;
  for (const TheirPin& pin : pins) {
    if (pin.name.empty()) refuse("lists a pin without a name");
    if (pin.bits == 0 || pin.bits > kMostBits) refuse("lists " + pin.name + " with " + std::to_string(pin.bits) + " bits");
    if (!seen.insert({pin.output, pin.name}).second) refuse("lists " + pin.name + " twice");
  }
}

void DeviceLibrary::match(const std::vector<TheirPin>& pins) {
  std::string missing, extra, width;
  const auto list = [](std::string& text, const std::string& item) { text += (text.empty() ? "" : ", ") + item; };
  std::vector<bool> input_seen(pins_.inputs.size()), output_seen(pins_.outputs.size());
  for (const TheirPin& pin : pins) {
    const std::vector<Pin>& known = pin.output ? pins_.outputs : pins_.inputs;
    int& at = pin.output ? output_words_ : input_words_;
    const auto found = std::find_if(known.begin(), known.end(), [&](const Pin& p) { return p.name == pin.name; });
    const int words = static_cast<int>(pin.bits + 63) / 64;
    if (found == known.end()) {
      if (!pin.output) list(extra, pin.name);  // an output more is nobody's business
    } else if (static_cast<uint32_t>(found->bits) != pin.bits) {
      list(width, pin.name + " has " + std::to_string(pin.bits) + " bits, expected " + std::to_string(found->bits));
    } else {
      (pin.output ? outputs_ : inputs_).push_back({at, found->at, words});
    }
    if (found != known.end()) (pin.output ? output_seen : input_seen)[static_cast<size_t>(found - known.begin())] = true;
    at += words;
  }
  for (size_t k = 0; k < pins_.inputs.size(); ++k) {
    if (!input_seen[k]) list(missing, pins_.inputs[k].name);
  }
  for (size_t k = 0; k < pins_.outputs.size(); ++k) {
    if (output_seen[k]) continue;
    if (pins_.outputs[k].optional) {
      absent_.push_back(static_cast<int>(k));
    } else {
      list(missing, pins_.outputs[k].name);
    }
  }
  std::string all;
  if (!missing.empty()) all += "; missing: " + missing;
  if (!extra.empty()) all += "; inputs that " + pins_.unit + " does not have: " + extra;
  if (!width.empty()) all += "; " + width;
  if (!all.empty()) refuse("its pins do not fit" + all);
}

std::unique_ptr<DeviceLibrary::Device> DeviceLibrary::make() const { return std::make_unique<Device>(*this); }
bool DeviceLibrary::has_waveforms() const { return interface_->open_trace != nullptr; }

DeviceLibrary::Device::Device(const DeviceLibrary& library)
    : library_(library), in_(static_cast<size_t>(library.input_words_) + 1), out_(static_cast<size_t>(library.output_words_) + 1) {
  const auto given = library_.parameters();
  library_.call("create", [&] { device_ = library_.interface_->create(given.data(), static_cast<uint32_t>(given.size())); });
  if (device_ == nullptr) library_.refuse_as_told();
}

DeviceLibrary::Device::~Device() {
  const Call call("destroy");
  library_.interface_->destroy(device_);
}

void DeviceLibrary::Device::step(bool rst_n, const uint64_t* in, uint64_t* out) {
  for (const Place& p : library_.inputs_)
    std::memcpy(&in_[static_cast<size_t>(p.theirs)], in + p.ours, sizeof(uint64_t) * static_cast<size_t>(p.words));
  int error = 0;
  library_.call("step", [&] { error = library_.interface_->step(device_, rst_n, in_.data(), out_.data()); });
  if (error != 0) library_.refuse_as_told();
  std::fill_n(out, library_.pins_.output_words(), 0);
  for (const Place& p : library_.outputs_)
    std::memcpy(out + p.ours, &out_[static_cast<size_t>(p.theirs)], sizeof(uint64_t) * static_cast<size_t>(p.words));
}

void DeviceLibrary::Device::open_trace(const std::string& path) {
  bool open = false;
  library_.call("open_trace",
                [&] { open = library_.interface_->open_trace != nullptr && library_.interface_->open_trace(device_, path.c_str()) == 0; });
  if (!open) library_.refuse("no waveform in " + path);
}
void DeviceLibrary::Device::close_trace() {
  const Call call("close_trace");
  if (library_.interface_->close_trace != nullptr) library_.interface_->close_trace(device_);
}

}  // namespace odonata::cosim
