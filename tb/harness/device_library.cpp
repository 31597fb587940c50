// SPDX-License-Identifier: Apache-2.0
#include "tb/harness/device_library.h"

#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <new>
#include <set>

#include "models/common/error.h"

namespace odonata::cosim {

namespace {

/// What of a library runs. Of a guarded program the worker writes it, and the watcher reads it in what both share.
struct Running {
  char path[512];
  const char* volatile function;  ///< of the library; null: none. The text is in the program, so that both processes
                                  ///< have it.
  volatile uint64_t calls;        ///< so far
  volatile bool at_the_end;       ///< the program ends as it should; destructors of the library may run
  volatile bool ended;            ///< ... and is through with them
};
Running g_alone{};
Running* g_running = &g_alone;

/// While it lives a function of a library runs, or something of it is read.
class Call {
 public:
  explicit Call(const char* function) {
    g_running->calls = g_running->calls + 1;
    g_running->function = function;
  }
  ~Call() { g_running->function = nullptr; }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
};

// ---- The watcher. ----

pid_t g_worker = 0;
volatile sig_atomic_t g_tick = 0;

/// The library's fault, in one line.
[[noreturn]] void blame(const std::string& what) {
  const Running& r = *g_running;
  const std::string where = r.function != nullptr
                                ? std::string(" in ") + r.function + "(), call " + std::to_string(r.calls)
                                : " at the end of the program";
  std::fprintf(stderr, "odonata: error: %s: %s%s\n", r.path, what.c_str(), where.c_str());
  std::fflush(stderr);
  _exit(2);
}

std::string crash_words(int signal) {
  switch (signal) {
    case SIGSEGV:
    case SIGBUS:
      return "crashed (invalid memory access)";
    case SIGFPE:
      return "crashed (arithmetic error)";
    case SIGILL:
    case SIGTRAP:
      return "crashed (illegal instruction)";
    case SIGABRT:
      return "ended by abort()";
    default:
      return std::string("ended by signal ") + std::to_string(signal);
  }
}

/// Signals of the user's, or of a reader that went away.
bool is_ours(int signal) {
  return signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT || signal == SIGPIPE ||
         signal == SIGXFSZ || signal == SIGXCPU;
}

/// Ends as the worker did, unless the library ended it.
[[noreturn]] void end_as(int status) {
  constexpr int kInterrupted = 130;  // the program's way out of a Ctrl-C, at once
  const Running& r = *g_running;
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    if ((r.function != nullptr || r.at_the_end) && !is_ours(signal)) blame(crash_words(signal));
    std::signal(signal, SIG_DFL);
    raise(signal);
    _exit(128 + signal);
  }
  const bool in_library = r.function != nullptr || (r.at_the_end && !r.ended);
  if (in_library && WEXITSTATUS(status) != kInterrupted) blame(r.ended ? "called exit()" : "ended the program (_exit)");
  _exit(WEXITSTATUS(status));
}

/// One process works; this one waits for it, and tells when the library ends it or a call takes too long. No handler in
/// the worker could: a library may end it by _exit(), block signals or use up the stack.
[[noreturn]] void watch(int seconds) {
  struct sigaction action {};
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  // A terminal tells both; what was sent to the program alone is for the worker.
  action.sa_sigaction = [](int signal, siginfo_t* info, void*) {
    if (info->si_code == SI_USER) kill(g_worker, signal);
  };
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) sigaction(signal, &action, nullptr);
  action.sa_flags = 0;  // waitpid() comes back
  action.sa_handler = [](int) { g_tick = 1; };
  sigaction(SIGALRM, &action, nullptr);
  const itimerval second{{1, 0}, {1, 0}};
  setitimer(ITIMER_REAL, &second, nullptr);
  uint64_t seen = 0;
  for (int ticks = 0;;) {
    int status = 0;
    if (waitpid(g_worker, &status, 0) == g_worker) end_as(status);
    if (g_tick == 0) continue;
    g_tick = 0;
    ticks = g_running->function != nullptr && g_running->calls == seen ? ticks + 1 : 0;
    seen = g_running->calls;
    if (ticks < seconds) continue;
    kill(g_worker, SIGKILL);
    blame("did not come back within " + std::to_string(seconds) + " s");
  }
}

constexpr uint32_t kMostPins = 10'000, kMostBits = 1u << 20;  // of a table that can be meant
constexpr size_t kMostMessage = 1000;                         // characters of a line

}  // namespace

void guard_device_libraries(int seconds) {
  void* shared = mmap(nullptr, sizeof(Running), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) throw Error("--device-lib: no memory for watching it");
  g_running = new (shared) Running{};
  std::fflush(nullptr);
  const pid_t watcher = getpid();
  g_worker = fork();
  if (g_worker < 0) throw Error("--device-lib: no process for watching it");
  if (g_worker != 0) watch(seconds);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != watcher) _exit(2);
  std::atexit([] { g_running->ended = true; });  // before any library is loaded: after its destructors
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
  std::snprintf(g_running->path, sizeof g_running->path, "%s", path.c_str());
  load();
}

DeviceLibrary::DeviceLibrary(const std::string& path, const UnitPins& pins) : DeviceLibrary(path) {
  pins_ = pins;
  if (pins_.unit != unit_) refuse("is a device of '" + unit_ + "', expected " + pins_.unit);
  uint32_t count = 0;
  const auto given = parameters();
  const odonata_pin* theirs = nullptr;
  call("pins", [&] { theirs = interface_->pins(given.data(), static_cast<uint32_t>(given.size()), &count); });
  if (theirs == nullptr) refuse_as_told();
  if (count > kMostPins) refuse("lists " + std::to_string(count) + " pins");
  std::vector<TheirPin> table;
  call("pins", [&] {
    for (uint32_t k = 0; k < count; ++k)
      table.push_back({theirs[k].name != nullptr ? theirs[k].name : "", theirs[k].bits, theirs[k].output != 0});
  });
  check(table);
  match(table);
}

std::string DeviceLibrary::unit_of(const std::string& path) { return DeviceLibrary(path).unit_; }

void DeviceLibrary::refuse(const std::string& text) const { throw Error(path_ + ": " + text); }
void DeviceLibrary::refuse_as_told() const {
  std::string text;
  call("message", [&] {
    if (const char* said = interface_->message(); said != nullptr)
      text = std::string(said, strnlen(said, kMostMessage));
  });
  refuse(text.empty() ? "gave up without a message" : text);
}

std::vector<odonata_parameter> DeviceLibrary::parameters() const {
  std::vector<odonata_parameter> out;
  for (const auto& [name, value] : pins_.parameters) out.push_back({name.c_str(), value});
  return out;
}

void DeviceLibrary::load() {
  std::error_code error;
  const auto type = std::filesystem::status(path_, error).type();
  if (type != std::filesystem::file_type::regular) {
    const bool exists = type != std::filesystem::file_type::none && type != std::filesystem::file_type::not_found;
    const bool known = type != std::filesystem::file_type::none;
    refuse((exists  ? "it is no regular file"
            : known ? "there is no such file"
                    : "it cannot be read: " + error.message()) +
           ", expected a shared library with odonata_device()");
  }
  using Entry = const odonata_device_interface* (*)();
  Entry entry = nullptr;
  {
    const Call call("dlopen");
    void* handle = dlopen(std::filesystem::absolute(path_).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle != nullptr) entry = reinterpret_cast<Entry>(dlsym(handle, "odonata_device"));
    std::atexit(
        [] { g_running->at_the_end = g_running->function == nullptr; });  // after its loading: before its destructors
    if (handle == nullptr) {
      const std::string why = dlerror();
      const size_t colon = why.find(": ");  // it starts with the path, too
      refuse("cannot be loaded: " + (colon == std::string::npos ? why : why.substr(colon + 2)));
    }
  }
  if (entry == nullptr) refuse("symbol odonata_device is missing, expected a library as in odonata_device.h");
  uint32_t version = 0;
  call("odonata_device", [&] {
    interface_ = entry();
    if (interface_ != nullptr) version = interface_->version;
  });
  if (interface_ == nullptr) refuse("odonata_device() gave nothing");
  if (version != ODONATA_DEVICE_VERSION) {
    refuse("made for version " + std::to_string(version) + " of odonata_device.h, expected " +
           std::to_string(ODONATA_DEVICE_VERSION));
  }
  call("odonata_device", [&] {
    if (interface_->unit != nullptr) unit_ = interface_->unit;
  });
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
    if (pin.bits == 0 || pin.bits > kMostBits)
      refuse("lists " + pin.name + " with " + std::to_string(pin.bits) + " bits");
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
      (pin.output ? outputs_ : inputs_)
          .push_back({at, found->at, words, low_mask(static_cast<int>(pin.bits) - 64 * (words - 1))});
    }
    if (found != known.end())
      (pin.output ? output_seen : input_seen)[static_cast<size_t>(found - known.begin())] = true;
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
    : library_(library),
      in_(static_cast<size_t>(library.input_words_) + 1),
      out_(static_cast<size_t>(library.output_words_) + 1) {
  const auto given = library_.parameters();
  library_.call("create",
                [&] { device_ = library_.interface_->create(given.data(), static_cast<uint32_t>(given.size())); });
  if (device_ == nullptr) library_.refuse_as_told();
}

/// A destructor cannot tell of an exception: the watcher does, if there is one.
template <class Work>
void DeviceLibrary::call_quietly(const char* function, Work work) {
  const Call running(function);
  try {
    work();
  } catch (...) {
    if (g_running != &g_alone) std::abort();
  }
}

DeviceLibrary::Device::~Device() {
  call_quietly("destroy", [this] { library_.interface_->destroy(device_); });
}

void DeviceLibrary::Device::step(bool rst_n, const uint64_t* in, uint64_t* out) {
  for (const Place& p : library_.inputs_)
    std::memcpy(&in_[static_cast<size_t>(p.theirs)], in + p.ours, sizeof(uint64_t) * static_cast<size_t>(p.words));
  int error = 0;
  library_.call("step", [&] { error = library_.interface_->step(device_, rst_n, in_.data(), out_.data()); });
  if (error != 0) library_.refuse_as_told();
  std::fill_n(out, library_.pins_.output_words(), 0);
  for (const Place& p : library_.outputs_) {
    std::memcpy(out + p.ours, &out_[static_cast<size_t>(p.theirs)], sizeof(uint64_t) * static_cast<size_t>(p.words));
    out[p.ours + p.words - 1] &= p.last;  // a device may set more bits than a pin has
  }
}

void DeviceLibrary::Device::open_trace(const std::string& path) {
  bool open = false;
  library_.call("open_trace", [&] {
    open = library_.interface_->open_trace != nullptr && library_.interface_->open_trace(device_, path.c_str()) == 0;
  });
  if (!open) library_.refuse("no waveform in " + path);
}
void DeviceLibrary::Device::close_trace() {
  library_.call("close_trace", [&] {
    if (library_.interface_->close_trace != nullptr) library_.interface_->close_trace(device_);
  });
}

}  // namespace odonata::cosim
