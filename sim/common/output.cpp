// SPDX-License-Identifier: Apache-2.0
#include "sim/common/output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "sim/common/program.h"
#include "models/common/version.h"

namespace odonata::cli {

void JsonFile::write(const Json& document) const {
  constexpr int kIndent =
      2;  // bytes that are no UTF-8 come from names in the command line: a result is not lost for them
  file_.write(document.dump(kIndent, ' ', false, Json::error_handler_t::replace) + "\n");
}

namespace {

bool is_number(const std::string& cell) {
  return !cell.empty() && cell.find_first_not_of("0123456789.,%- ") == std::string::npos;
}

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
      line += 2 * numbers[c] > rows_.size() - 1 ? fmt::format("{:>{}}  ", cell, width[c])
                                                : fmt::format("{:<{}}  ", cell, width[c]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
    if (r == 0) {
      for (size_t c = 0; c < columns; ++c) out += std::string(width[c], '-') + (c + 1 < columns ? "  " : "\n");
    }
  }
  return out;
}

Json parse_json(const std::string& text) {
  constexpr int kDeepest = 100;
  bool deep = false;
  const auto see = [&deep](int depth, Json::parse_event_t, Json&) { return !(deep = deep || depth > kDeepest); };
  Json out = Json::parse(text, see, false);
  return deep ? Json(Json::value_t::discarded) : out;
}

std::string counted(uint64_t number, const std::string& what, const std::string& plural) {
  return fmt::format("{} {}", number, number == 1 ? what : plural.empty() ? what + "s" : plural);
}

void tell(const std::string& text) {
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

Progress::Progress(std::string what, uint64_t total)
    : what_(std::move(what)),
      total_(total),
      terminal_(isatty(STDERR_FILENO) == 1),
      start_(std::chrono::steady_clock::now()),
      next_(start_) {}

Progress::~Progress() {
  if (shown_) tell("\r\033[K");
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
  tell(fmt::format("\r{}: {} %{}{}{}\033[K", what_, total_ == 0 ? 100 : done * 100 / total_, left,
                   note.empty() ? "" : ", ", note));
}

Json to_json(const Dragonfly& d) {
  return {{"name", d.name()}, {"p", d.p()}, {"a", d.a()},
          {"h", d.h()},       {"g", d.g()}, {"arrangement", to_string(d.arrangement())}};
}

Json result_head(std::string_view command) {
  return {{"command", command}, {"command_line", command_line()}, {"version", version_text()}};
}

Json result_head(std::string_view command, const Dragonfly& d) {
  Json out = result_head(command);
  out["dragonfly"] = to_json(d);
  return out;
}

void finish_result(const JsonFile& file, Json head, const Json& result, const std::string& headline, bool good,
                   Json sections) {
  head.update(result);
  if (!sections.empty()) head["report"] = std::move(sections);
  head["verdict"] = good ? "pass" : "fail";
  head["headline"] = headline;
  file.write(head);
  fmt::print("{}\n", headline);
  if (!good) finish_with(kFailed);
}

}  // namespace odonata::cli
