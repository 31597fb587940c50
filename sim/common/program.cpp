// SPDX-License-Identifier: Apache-2.0
#include "sim/common/program.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <new>
#include <sstream>
#include <system_error>
#include <thread>
#include <vector>

#include "models/common/error.h"
#include "models/common/frame.h"
#include "models/common/shell_word.h"
#include "models/common/version.h"
#include "sim/common/arguments.h"
#include "sim/common/config_file.h"
#include "sim/common/interrupt.h"
#include "sim/network/mpi/launch.h"
#include "sim/common/manual.h"
#include "sim/common/output.h"
#include "sim/common/share_command.h"

namespace odonata::cli {

namespace {

std::string g_command_line;  // set once by run(), read by results
std::vector<std::string> g_arguments;
std::function<void()> g_leave;  // share_command()
bool g_failed = false;          // an error was told

/// Columns of the terminal that reads the help.
size_t terminal_width() {
  constexpr size_t kOtherwise = 120;
  if (const char* columns = std::getenv("COLUMNS"); columns != nullptr && std::atoi(columns) > 0)
    return static_cast<size_t>(std::atoi(columns));
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kOtherwise;
}

/// Breaks lines between words.
std::string wrapped(const std::string& text, size_t width) {
  std::string out;
  size_t used = 0;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const bool fits = used + 1 + word.size() <= width;
    if (used != 0) out += fits ? " " : "\n";
    used = used != 0 && fits ? used + 1 + word.size() : word.size();
    out += word;
  }
  return out;
}

/// Help with the default after the type, as in "--size tiny|paper|full  [full]", no words about exclusions, as wide as
/// the terminal.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() { column_width(kNames); }
  std::string make_option_desc(const CLI::Option* option) const override {
    return wrapped(option->get_description(), text_width_);
  }
  std::string make_subcommand(const CLI::App* command) const override {
    std::ostringstream out;
    CLI::detail::format_help(out, command->get_name(), wrapped(command->get_description(), text_width_), kNames);
    return out.str();
  }
  std::string make_option_opts(const CLI::Option* option) const override {
    std::string out = option->get_type_size() == 0 ? "" : " " + option->get_type_name();
    if (!option->get_default_str().empty()) out += "  [" + option->get_default_str() + "]";
    return option->get_required() ? out + "  (required)" : out;
  }

 private:
  static constexpr size_t kNames = 38;  // columns of the names
  size_t text_width_ = std::max<size_t>(terminal_width(), kNames + 30) - kNames;
};

/// A message in one line that no terminal takes for anything else: line breaks become spaces, other control characters
/// question marks.
std::string one_line(std::string text) {
  for (char& c : text) {
    if (std::iscntrl(static_cast<unsigned char>(c)) != 0)
      c = std::isspace(static_cast<unsigned char>(c)) != 0 ? ' ' : '?';
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

int complain(const std::string& message) {
  g_failed = true;
  std::fflush(stdout);
  std::string who;
  if (const int rank = launched_rank(); rank != 0) {
    std::this_thread::sleep_for(std::chrono::seconds(3));  // rank 0 ends them all when it says the same
    who = fmt::format("rank {}: ", rank);
  }
  tell(fmt::format("odonata: error: {}{}\n", who, one_line(message)));
  return kBadInput;
}

/// A print failed. A reader that went away gets no message: the exit code is that of a program that SIGPIPE ends.
int output_failed(int error) {
  constexpr int kBrokenPipe = 141;
  return error == EPIPE ? kBrokenPipe
                        : complain(fmt::format("standard output cannot be written: {}", std::strerror(error)));
}

/// Help and the like, longer than the buffer of standard output.
int show(const std::string& text) {
  try {
    fmt::print("{}", text);
    return kSuccess;
  } catch (const std::system_error& error) {
    return output_failed(error.code().value());
  }
}

/// CLI11's message, with the place in the configuration file when the option at fault came from there.
std::string parse_message(const CLI::ParseError& error, const ExpandedArguments& arguments) {
  std::string message = error.what();
  if (const size_t twice = message.find("At Most 1 required but received"); twice != std::string::npos)
    message = message.substr(0, twice) + "given more than once";
  for (const auto& [option, place] : arguments.from_file) {
    if (message.find(option + ":") != std::string::npos || message.find(option + " ") != std::string::npos) {
      return place + ": " + message;
    }
  }
  const std::string& command = arguments.arguments.front();
  return fmt::format("{}; 'odonata {} --help' explains the options", message, command);
}

/// The first word has to be a command; said better here than by the parser.
void check_command(const CLI::App& app, const std::vector<std::string>& arguments) {
  if (arguments.empty()) throw Error("a command is needed; 'odonata --help' lists them");
  const std::string& word = arguments.front();
  const auto named = app.get_subcommands([&word](const CLI::App* command) { return command->get_name() == word; });
  if (named.empty() && word != "--help" && word != "-h" && word != "--version" && word != "--man" &&
      word != "--completion") {
    throw Error(fmt::format("unknown command '{}'; 'odonata --help' lists them", word));
  }
}

/// The parser would take the next word for the value of "--option=", and no file for that of --config.
void check_values(const std::vector<std::string>& arguments) {
  std::string before;
  for (const std::string& word : arguments) {
    if (word == "--") return;
    if (word.empty() && before == "--config") throw Error("--config: the value is empty");
    if (word.starts_with("--") && word.find('=') == word.size() - 1)
      throw Error(word.substr(0, word.size() - 1) + ": the value is empty");
    before = word;
  }
}

}  // namespace

std::string program_path() { return std::filesystem::read_symlink("/proc/self/exe").string(); }

const std::string& build_id() {
  static const std::string id = [] {
    Crc32 sum;
    std::ifstream file("/proc/self/exe", std::ios::binary);
    std::vector<char> block(1 << 20);
    do {
      file.read(block.data(), static_cast<std::streamsize>(block.size()));
      sum.add({block.data(), static_cast<size_t>(file.gcount())});
    } while (file);
    return fmt::format("{} {:08x}", version_text(), sum.value());
  }();
  return id;
}

const std::string& command_line() { return g_command_line; }
const std::vector<std::string>& arguments() { return g_arguments; }

void finish_with(int exit_code) { throw CLI::RuntimeError(exit_code); }

namespace {

int run_command(const std::vector<std::string>& arguments, void (*add_commands)(CLI::App&)) {
  CLI::App app(wrapped("Odonata: an executable hardware specification of adaptive, self-healing routers and of their "
                       "networks: dragonfly, torus, "
                       "mesh and fat-tree.",
                       std::max<size_t>(terminal_width(), 40)),
               "odonata");
  app.formatter(std::make_shared<HelpFormatter>());
  app.set_version_flag("--version", "odonata " + version_text(), "version and commit");
  app.require_subcommand(1);
  app.failure_message([](const CLI::App*, const CLI::Error&) { return std::string(); });
  const size_t width = std::max<size_t>(terminal_width(), 40);
  app.footer(wrapped("odonata COMMAND --help explains a command with examples. --man prints the man page, --completion "
                     "what bash needs.",
                     width) +
             "\n" + wrapped("Exit codes: 0 good, 1 a check failed, 2 bad input, 130 interrupted.", width));
  add_commands(app);
  g_arguments = arguments;
  g_command_line = "odonata";
  for (const std::string& word : arguments) g_command_line += " " + quoted(word);
  ExpandedArguments expanded;
  try {
    check_command(app, arguments);
    if (const std::string& word = arguments.front(); word == "--man" || word == "--completion") {
      return show(word == "--man" ? man_page(app) : bash_completion(app));
    }
    check_values(arguments);
    expanded = expand_configuration(app, arguments);
    std::vector<std::string> reversed(expanded.arguments.rbegin(), expanded.arguments.rend());
    app.parse(reversed);
    return kSuccess;
  } catch (const CLI::RuntimeError& end) {
    return end.get_exit_code();
  } catch (const Interrupted&) {
    tell("odonata: interrupted\n");
    return kInterrupted;
  } catch (const CLI::CallForVersion& version) {
    return show(std::string(version.what()) + "\n");
  } catch (const CLI::CallForHelp&) {
    return show(app.help());
  } catch (const CLI::ParseError& error) {
    const bool missing = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr,
               extra = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
    std::vector<std::string> unknown = app.remaining(true);  // more to the point than what is missing
    std::reverse(unknown.begin(), unknown.end());            // CLI11 tells them from the last to the first
    return complain(
        parse_message((missing || extra) && !unknown.empty() ? CLI::ExtrasError(unknown) : error, expanded));
  } catch (const Error& error) {
    return complain(error.what());
  } catch (const std::bad_alloc&) {
    return complain("the memory is not enough for this");
  } catch (const std::exception& error) {
    const auto* print = dynamic_cast<const std::system_error*>(&error);
    if (print != nullptr && std::ferror(stdout) != 0) return output_failed(print->code().value());
    complain(std::string("internal: ") + error.what());
    return kFailed;
  }
}

/// SIGTERM outside of what an InterruptGuard watches: nothing is there to write, the exit code is that of any
/// interruption, as a shell has it for Ctrl-C. Of several ranks the launcher ends the others, and tells.
void end_when_interrupted() {
  if (launched_ranks() > 1) return;
  struct sigaction end {};
  end.sa_handler = [](int) {
    constexpr std::string_view kText = "odonata: interrupted\n";
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, kText.data(), kText.size());
    ::_exit(kInterrupted);
  };
  sigaction(SIGTERM, &end, nullptr);
}

/// What is still to be printed has to arrive, too. A reader that went away when all was done (`odonata ... | head`) is
/// no error.
int flush_output(int exit_code) {
  if (std::ferror(stdout) != 0 || std::fflush(stdout) == 0 || errno == EPIPE) return exit_code;
  return output_failed(errno);
}

}  // namespace

int run(const std::vector<std::string>& arguments, void (*add_commands)(CLI::App&)) {
  end_when_interrupted();
  const int code = flush_output(run_command(arguments, add_commands));
  if (!g_leave) return code;
  if (g_failed) std::_Exit(code);  // the others may wait for this rank: the launcher ends them
  g_leave();
  return code;
}

void share_command(int rank, std::function<void()> leave) {
  g_leave = std::move(leave);
  if (rank != 0 && std::freopen("/dev/null", "w", stdout) == nullptr) throw Error("/dev/null cannot be written");
}

}  // namespace odonata::cli
