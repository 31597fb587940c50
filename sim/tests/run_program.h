// SPDX-License-Identifier: Apache-2.0
// Runs the program `odonata` as a person does, in a folder of its own.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "sim/common/output.h"

namespace odonata::cli {

/// Whether the program is built with AddressSanitizer or ThreadSanitizer, which answer crashes and too little memory
/// themselves.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
inline constexpr bool kSanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
inline constexpr bool kSanitized = false;
#endif

/// What a run of the program left behind.
struct Ran {
  int exit_code = -1;
  std::string out, err;
};

/// A test with a temporary folder.
class ProgramTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "odonata-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    std::filesystem::create_directory(folder_ / "work");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  /// A path in the folder that the program may write to.
  std::string path(const std::string& name) const { return (folder_ / "work" / name).string(); }
  /// Writes a file there.
  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }
  /// Number of files there, hidden ones included.
  int files() const {
    int n = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder_ / "work")) ++n;
    return n;
  }
  /// Runs the program; `arguments` are words for the shell, standard output goes to `to`, by default to Ran::out.
  Ran run(const std::string& arguments, const std::string& to = "") const {
    const std::string out = to.empty() ? (folder_ / "out").string() : to, err = (folder_ / "err").string();
    const std::string command = std::string(ODONATA_PROGRAM) + " " + arguments + " >" + out + " 2>" + err;
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, to.empty() ? read_text(out) : "", read_text(err)};
  }
  /// Runs the program and interrupts it (Ctrl-C, or another signal) as soon as it listens.
  Ran interrupt(const std::string& arguments, int signal = SIGINT) const {
    const std::string out = (folder_ / "out").string(), err = (folder_ / "err").string();
    const std::string command = "exec " + std::string(ODONATA_PROGRAM) + " " + arguments + " >" + out + " 2>" + err;
    const pid_t child = fork();
    if (child == 0) {
      execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
      _exit(127);
    }
    int status = 0;
    bool sent = false;  // once: a second signal ends the program without its handler
    while (waitpid(child, &status, WNOHANG) == 0) {
      if (!sent && listens(child, signal)) sent = kill(child, signal) == 0;
      usleep(1000);
    }
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_text(out), read_text(err)};
  }
  /// Runs the program with --json and returns what it wrote.
  Json run_json(const std::string& arguments, int exit_code = 0) const {
    const Ran ran = run(arguments + " --json " + path("result.json"));
    EXPECT_EQ(ran.exit_code, exit_code) << arguments << "\n" << ran.err;
    return std::filesystem::exists(path("result.json")) ? Json::parse(read_text(path("result.json"))) : Json();
  }
  /// The run ended as bad input has to: exit code 2, one line that starts as it should and holds `words`, nothing on
  /// stdout.
  static void expect_refused(const Ran& ran, const std::string& words) {
    EXPECT_EQ(ran.exit_code, 2) << ran.err;
    EXPECT_EQ(ran.out, "");
    EXPECT_EQ(ran.err.rfind("odonata: error: ", 0), 0u) << ran.err;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
    EXPECT_NE(ran.err.find(words), std::string::npos) << "'" << words << "' is not in: " << ran.err;
  }

 private:
  /// Whether the process is the program and handles the signal.
  static bool listens(pid_t process, int signal) {
    std::ifstream status("/proc/" + std::to_string(process) + "/status");
    bool program = false;
    for (std::string word; status >> word;) {
      if (word == "Name:" && status >> word) program = word == "odonata";
      if (word == "SigCgt:" && status >> word)
        return program && (std::stoull(word, nullptr, 16) >> (signal - 1) & 1) != 0;
    }
    return false;
  }
  std::filesystem::path folder_;
};

}  // namespace odonata::cli
