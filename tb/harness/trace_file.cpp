// SPDX-License-Identifier: Apache-2.0
#include "tb/harness/trace_file.h"

#include <array>
#include <charconv>

#include "models/common/frame.h"
#include "tb/harness/files.h"

namespace odonata::cosim {

void write_file(const std::string& path, const std::string& text) { OutputFile(path).write(text); }

std::string read_file(const std::string& path) { return read_text(path, ~size_t{0}); }

std::string to_hex(uint64_t value) {
  std::array<char, 16> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, 16).ptr;
  return {buffer.data(), end};
}

bool from_hex(const std::string& hex, int bits, uint64_t& value) {
  if (hex.empty() || hex.size() > 16) return false;
  const auto [end, error] = std::from_chars(hex.data(), hex.data() + hex.size(), value, 16);
  return error == std::errc{} && end == hex.data() + hex.size() && (bits >= 64 || value >> bits == 0);
}

namespace {

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> words;
  std::istringstream in(line);
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

[[noreturn]] void fail(const std::string& name, size_t line, const std::string& what) {
  throw Error(name + ":" + std::to_string(line) + ": " + what);
}

std::string end_line(size_t cycles, uint32_t crc) { return "end " + std::to_string(cycles) + " crc32 " + to_hex(crc); }

/// The lines of a text, each with its number and the offset at which it starts.
class Lines {
 public:
  Lines(std::string name, const std::string& text) : name_(std::move(name)), text_(text) {}
  /// The next complete line; a text that ends before `expected` is truncated.
  std::string next(const std::string& expected) {
    offset_ = at_;
    ++number_;
    const size_t end = text_.find('\n', at_);
    if (end == std::string::npos) fail(name_, number_, "the file ends here, expected " + expected);
    std::string line = text_.substr(at_, end - at_);
    at_ = end + 1;
    return line;
  }
  size_t number() const { return number_; }
  size_t offset() const { return offset_; }
  bool at_end() const { return at_ >= text_.size(); }
  const std::string& name() const { return name_; }

 private:
  std::string name_;
  const std::string& text_;
  size_t at_ = 0, offset_ = 0, number_ = 0;
};

/// Header up to and without the "fields" line, which is returned in `fields`.
TraceHeader read_header(Lines& lines, std::string& fields) {
  if (lines.next("'odonata-trace 1'") != "odonata-trace 1")
    fail(lines.name(), 1, "this is no trace, expected 'odonata-trace 1'");
  TraceHeader header;
  for (;;) {
    const std::string line = lines.next("'block', 'meta' or 'fields'");
    const std::vector<std::string> words = split(line);
    if (words.size() == 2 && words[0] == "block") {
      header.block = words[1];
    } else if (words.size() >= 3 && words[0] == "meta") {
      header.meta[words[1]] = line.substr(line.find(words[2], 5 + words[1].size()));
    } else if (!words.empty() && words[0] == "fields") {
      fields = line.size() > 7 ? line.substr(7) : "";
      return header;
    } else {
      fail(lines.name(), lines.number(), "expected 'block NAME', 'meta KEY VALUE' or 'fields LIST'");
    }
  }
}

}  // namespace

TraceHeader parse_trace_header(const std::string& name, const std::string& text) {
  Lines lines(name, text);
  std::string fields;
  return read_header(lines, fields);
}

TraceText parse_trace(const std::string& name, const std::string& text, const std::string& block,
                      const std::string& fields) {
  Lines lines(name, text);
  TraceText out;
  std::string found;
  out.header = read_header(lines, found);
  if (out.header.block != block)
    fail(name, 2, "the trace is for block '" + out.header.block + "', expected '" + block + "'");
  if (found != fields) fail(name, lines.number(), "the fields are '" + found + "', expected '" + fields + "'");
  const size_t count = split(fields).size();
  out.first_line = lines.number() + 1;
  for (;;) {
    const std::string line = lines.next("a cycle or 'end'");
    std::vector<std::string> words = split(line);
    if (!words.empty() && words[0] == "end") {
      uint64_t cycles = 0, crc = 0;
      const bool ok = words.size() == 4 && words[2] == "crc32" && from_hex(words[3], 32, crc);
      if (ok) cycles = std::strtoull(words[1].c_str(), nullptr, 10);
      if (!ok || words[1] != std::to_string(cycles)) fail(name, lines.number(), "expected 'end COUNT crc32 VALUE'");
      if (cycles != out.rows.size()) {
        fail(name, lines.number(),
             "the trace has " + std::to_string(out.rows.size()) + " cycles, 'end' says " + words[1]);
      }
      if (crc != crc32(std::string_view(text).substr(0, lines.offset())))
        fail(name, lines.number(), "the CRC does not fit: the file is damaged");
      if (line != end_line(cycles, static_cast<uint32_t>(crc)))
        fail(name, lines.number(), "expected lower-case digits with single blanks");
      if (out.rows.empty()) fail(name, lines.number(), "the trace holds no cycle");
      if (!lines.at_end()) fail(name, lines.number() + 1, "expected nothing after 'end'");
      return out;
    }
    if (words.size() != count) {
      fail(name, lines.number(),
           "the cycle has " + std::to_string(words.size()) + " fields, expected " + std::to_string(count));
    }
    for (size_t k = 0; k < count; ++k) {
      if (words[k] != "=") continue;
      if (out.rows.empty()) fail(name, lines.number(), "'=' in the first cycle, expected a value");
      words[k] = out.rows.back()[k];
    }
    out.rows.push_back(std::move(words));
  }
}

std::string format_trace(const TraceHeader& header, const std::string& fields,
                         const std::vector<std::vector<std::string>>& rows) {
  std::string text = "odonata-trace 1\nblock " + header.block + "\n";
  for (const auto& [key, value] : header.meta) text += "meta " + key + " " + value + "\n";
  text += "fields " + fields + "\n";
  for (size_t i = 0; i < rows.size(); ++i) {
    for (size_t k = 0; k < rows[i].size(); ++k) {
      const bool same = i > 0 && rows[i][k] == rows[i - 1][k];
      text += (k ? " " : "") + (same ? "=" : rows[i][k]);
    }
    text += '\n';
  }
  return text + end_line(rows.size(), crc32(text)) + "\n";
}

}  // namespace odonata::cosim
