// SPDX-License-Identifier: Apache-2.0
// Entry of the program `odonata`.
//
// libsystemc brings a main() of its own that prints a banner and calls sc_main(). A program for people should not start
// with somebody else's banner, so main() is ours; commands that need the SystemC kernel simply elaborate and call
// sc_start(). The library still refers to sc_main, hence the definition at the end; it is never called.
#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <vector>

#include "sim/commands.h"
#include "sim/common/program.h"

/// A file that is opened later must not get the number of a stream that was closed: what is printed would go into it.
/// What stands there can be neither read nor written, as before.
static void hold_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) == -1) ::open("/", O_RDONLY | O_DIRECTORY);
  }
}

int main(int argc, char** argv) {
  hold_closed_streams();
  std::signal(SIGPIPE, SIG_IGN);  // `odonata route ... | head` ends quietly
  std::signal(SIGXFSZ, SIG_IGN);  // a limit of the size of files is an error of write()
  return odonata::cli::run(std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc),
                           odonata::cli::add_all_commands);
}

extern "C" int sc_main(int, char**);
extern "C" int sc_main(int, char**) { return 1; }
