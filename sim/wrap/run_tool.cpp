// SPDX-License-Identifier: Apache-2.0
#include "sim/wrap/run_tool.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <sstream>

#include "models/common/error.h"
#include "sim/common/interrupt.h"

namespace odonata::cli {

namespace {

/// Ctrl-C in a terminal goes to the tool as well; a signal for this program alone does not.
bool has_terminal() { return tcgetpgrp(STDIN_FILENO) == getpgrp(); }

/// Waits for the end of a tool, which is asked to end when this program is.
int status_of(pid_t child) {
  int status = 0;
  for (bool told = has_terminal(); waitpid(child, &status, 0) < 0;) {
    if (interrupted() && !told) kill(child, SIGTERM), told = true;
  }
  return status;
}

}  // namespace

int run_tool(const std::vector<std::string>& words, const std::string& folder, const std::string& log) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t child = fork();
  if (child < 0) throw Error(words.front() + ": cannot be started");
  if (child == 0) {
    const int out = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
    if (out < 0 || dup2(out, STDOUT_FILENO) < 0 || dup2(out, STDERR_FILENO) < 0 || chdir(folder.c_str()) != 0)
      _exit(126);
    execvp(arguments[0], arguments.data());
    _exit(127);
  }
  const int status = status_of(child);
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
