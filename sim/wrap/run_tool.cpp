// SPDX-License-Identifier: Apache-2.0
#include "sim/wrap/run_tool.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <sstream>

#include "models/common/error.h"
#include "sim/common/interrupt.h"

namespace odonata::cli {

namespace {

/// Signals wait while one lives: a child gets none before it is itself.
class SignalsWait {
 public:
  SignalsWait() : before_() {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsWait() { sigprocmask(SIG_SETMASK, &before_, nullptr); }
  SignalsWait(const SignalsWait&) = delete;
  SignalsWait& operator=(const SignalsWait&) = delete;

 private:
  sigset_t before_;
};

/// An InterruptGuard lives: this program ends in order, and so shall the tool.
bool is_guarded() {
  struct sigaction now {};
  return sigaction(SIGINT, nullptr, &now) == 0 && now.sa_handler != SIG_DFL && now.sa_handler != SIG_IGN;
}

/// A group of its own: it hears of an end from its parent alone, or by the end of that. A terminal is no longer its
/// own.
void leave(pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(126);
  if (const int none = open("/dev/null", O_RDONLY); none >= 0) dup2(none, STDIN_FILENO);
  signal(SIGINT, SIG_DFL), signal(SIGTERM, SIG_DFL);
}

[[noreturn]] void become(std::vector<char*>& arguments, const std::string& folder, const std::string& log) {
  const int out = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  if (out < 0 || dup2(out, STDOUT_FILENO) < 0 || dup2(out, STDERR_FILENO) < 0 || chdir(folder.c_str()) != 0) _exit(126);
  execvp(arguments[0], arguments.data());
  _exit(127);
}

pid_t start(const std::vector<std::string>& words, const std::string& folder, const std::string& log, bool apart) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t parent = getpid();
  pid_t child = 0;
  {
    const SignalsWait wait;
    child = fork();
    if (child == 0) {
      if (apart) leave(parent);
    }
    if (child > 0 && apart) setpgid(child, child);  // whoever comes first
  }
  if (child < 0) throw Error(words.front() + ": cannot be started");
  if (child == 0) become(arguments, folder, log);
  return child;
}

}  // namespace

int run_tool(const std::vector<std::string>& words, const std::string& folder, const std::string& log) {
  // In a group of its own the tool hears of Ctrl-C from here alone, once: a second one would end it at once.
  const bool apart = is_guarded() || interrupted();
  const pid_t child = start(words, folder, log, apart);
  int status = 0;
  for (bool told = !apart; waitpid(child, &status, told ? 0 : WNOHANG) != child;) {
    if (told) continue;
    if (interrupted()) kill(-child, SIGTERM), kill(-child, SIGCONT), told = true;
    const timespec a_while{0, 10'000'000};
    nanosleep(&a_while, nullptr);
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool has_tool(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (access((folder + "/" + name).c_str(), X_OK) == 0) return true;
  }
  return false;
}

}  // namespace odonata::cli
