// SPDX-License-Identifier: Apache-2.0
#include "sim/common/output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "models/common/error.h"
#include "sim/common/program.h"

namespace odonata::cli {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void cannot_write(const std::string& path, const std::string& why) {
  throw Error(fmt::format("output '{}' cannot be written: {}", path, why));
}

/// Writes and closes; the error of the last step that failed, or 0.
int write_file(const std::string& path, std::string_view text, bool append = false) {
  std::FILE* file = std::fopen(path.c_str(), append ? "ab" : "wb");
  if (file == nullptr) return errno;
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size() && std::fflush(file) == 0;
  const int error = written ? 0 : errno;
  return std::fclose(file) == 0 || error != 0 ? error : errno;
}

}  // namespace

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
  if (path_.empty()) return;
  std::error_code ignored;
  const fs::file_status status = fs::status(path_, ignored);
  if (fs::is_directory(status)) cannot_write(path_, "it is a directory");
  if (fs::is_symlink(fs::symlink_status(path_, ignored)) && path_.rfind("/dev/", 0) != 0) {
    const fs::path target = fs::canonical(path_, ignored);  // write where a link leads, do not replace the link
    if (!target.empty()) path_ = target.string();
  }
  direct_ = path_.rfind("/dev/", 0) == 0 || (fs::exists(status) && !fs::is_regular_file(status));
  if (fs::is_regular_file(status) && access(path_.c_str(), W_OK) != 0) cannot_write(path_, std::strerror(errno));
  const std::string probe = direct_ ? path_ : temporary();
  if (const int error = write_file(probe, "", direct_); error != 0) cannot_write(path_, std::strerror(error));
  if (!direct_) fs::remove(probe, ignored);
}

std::string OutputFile::temporary() const {
  const fs::path path(path_);
  return (path.parent_path() / fmt::format(".{}.{}", path.filename().string(), getpid())).string();
}

void OutputFile::write(std::string_view text) const {
  if (!wanted()) return;
  const std::string target = direct_ ? path_ : temporary();
  int error = write_file(target, text, direct_);
  if (direct_ && error == 0) return;
  if (error == 0 && std::rename(target.c_str(), path_.c_str()) != 0) error = errno;
  if (error == 0) return;
  if (!direct_) std::remove(target.c_str());
  cannot_write(path_, std::strerror(error));
}

void JsonFile::write(const Json& document) const { file_.write(document.dump(2) + "\n"); }

std::string read_text(const std::string& path, size_t limit) {
  std::error_code error;
  if (fs::is_directory(path, error)) throw Error(fmt::format("'{}' cannot be read: it is a directory", path));
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(fmt::format("'{}' cannot be read: {}", path, std::strerror(errno)));
  std::string text;
  char block[1 << 16];
  while (file.read(block, sizeof block) || file.gcount() > 0) {
    text.append(block, static_cast<size_t>(file.gcount()));
    if (text.size() > limit) throw Error(fmt::format("'{}' is too long: more than {} bytes", path, limit));
  }
  return text;
}

namespace {

bool is_number(const std::string& cell) { return !cell.empty() && cell.find_first_not_of("0123456789.,%- ") == std::string::npos; }

}  // namespace

std::string Table::text() const {
  const size_t columns = rows_.front().size();
  std::vector<size_t> width(columns, 0);
  std::vector<size_t> numbers(columns, 0);  // a column of mostly numbers goes to the right
  for (size_t r = 0; r < rows_.size(); ++r) {
    for (size_t c = 0; c < std::min(columns, rows_[r].size()); ++c) {
      width[c] = std::max(width[c], rows_[r][c].size());
      if (r > 0 && is_number(rows_[r][c])) ++numbers[c];
    }
  }
  std::string out;
  for (size_t r = 0; r < rows_.size(); ++r) {
    std::string line;
    for (size_t c = 0; c < columns; ++c) {
      const std::string cell = c < rows_[r].size() ? rows_[r][c] : "";
      line += 2 * numbers[c] > rows_.size() - 1 ? fmt::format("{:>{}}  ", cell, width[c]) : fmt::format("{:<{}}  ", cell, width[c]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
    if (r == 0) {
      for (size_t c = 0; c < columns; ++c) out += std::string(width[c], '-') + (c + 1 < columns ? "  " : "\n");
    }
  }
  return out;
}

Progress::Progress(std::string what, uint64_t total)
    : what_(std::move(what)), total_(total), terminal_(isatty(STDERR_FILENO) == 1), start_(std::chrono::steady_clock::now()), next_(start_) {}

Progress::~Progress() {
  if (shown_) fmt::print(stderr, "\r\033[K");
}

void Progress::at(uint64_t done, std::string_view note) {
  if (!terminal_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(100);
  if (!shown_) first_ = done;
  shown_ = true;
  std::string left;
  if (done > first_ && done < total_) {
    const double rate = std::chrono::duration<double>(now - start_).count() / static_cast<double>(done - first_);
    left = fmt::format(", {:.0f} s left", rate * static_cast<double>(total_ - done));
  }
  fmt::print(stderr, "\r{}: {} %{}{}{}\033[K", what_, total_ == 0 ? 100 : done * 100 / total_, left, note.empty() ? "" : ", ", note);
  std::fflush(stderr);
}

Json to_json(const Dragonfly& d) {
  return {{"name", d.name()}, {"p", d.p()}, {"a", d.a()}, {"h", d.h()}, {"g", d.g()}, {"arrangement", to_string(d.arrangement())}};
}

Json result_head(std::string_view command, const Dragonfly& d) {
  return {{"command", command}, {"command_line", command_line()}, {"dragonfly", to_json(d)}};
}

}  // namespace odonata::cli
