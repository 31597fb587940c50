// SPDX-License-Identifier: Apache-2.0
#include "sim/cosim/wave_texts.h"

#include <filesystem>
#include <map>
#include <optional>
#include <sstream>
#include <vector>

#include "sim/cosim/wave_enums.h"  // generated: kWaveEnums, kFamilyOfBlock
#include "tb/harness/files.h"

namespace odonata::cli {

namespace {

constexpr size_t kMostBytes = 256u << 20;

std::vector<std::string> words(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> out;
  for (std::string word; in >> word;) out.push_back(word);
  return out;
}

/// The enumerations of a block's family; a block of a family without any, such as a router, shows what its parts show.
std::vector<const WaveEnum*> enums_of(std::string_view block) {
  std::string_view family;
  for (const auto& [name, of] : kFamilyOfBlock) {
    if (block == name) family = of;
  }
  std::vector<const WaveEnum*> own, all;
  for (const WaveEnum& e : kWaveEnums) {
    all.push_back(&e);
    if (family == e.family) own.push_back(&e);
  }
  return own.empty() ? all : own;
}

/// "r1_zone_q [1:0]" is called zone, as is "zone".
bool is_called(std::string_view name, std::string_view signal) {
  name = name.substr(0, name.find_first_of(" ["));
  if (name.size() > 2 && name[name.size() - 2] == '_' &&
      std::string_view("ioqd").find(name.back()) != std::string_view::npos)
    name.remove_suffix(2);
  return name == signal ||
         (name.size() > signal.size() && name.ends_with(signal) && name[name.size() - signal.size() - 1] == '_');
}

const WaveEnum* find(const std::vector<const WaveEnum*>& enums, std::string_view name, uint64_t bits) {
  for (const WaveEnum* e : enums) {
    if (static_cast<uint64_t>(e->bits) == bits && is_called(name, e->signal)) return e;
  }
  return nullptr;
}

// ---- FST: blocks of a kind, a length and a body; one of them lists the signals, packed.

constexpr char kHierarchyLz4 = 6, kHierarchyLz4Twice = 7;
constexpr unsigned char kAttribute = 252, kAttributeEnd = 253, kScope = 254, kUpscope = 255, kEnumTable = 7;

uint64_t big_endian(std::string_view bytes) {
  uint64_t value = 0;
  for (size_t i = 0; i < 8; ++i) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

std::string big_endian(uint64_t value) {
  std::string out;
  for (int shift = 56; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift);
  return out;
}

/// A block of LZ4; nothing when it is damaged.
std::optional<std::string> unpacked(std::string_view in) {
  std::string out;
  size_t at = 0;
  const auto length = [&](size_t nibble) {
    if (nibble < 15) return nibble;
    while (at < in.size()) {
      const auto more = static_cast<unsigned char>(in[at++]);
      nibble += more;
      if (more != 255) break;
    }
    return nibble;
  };
  while (at < in.size()) {
    const auto token = static_cast<unsigned char>(in[at++]);
    const size_t literals = length(token >> 4);
    if (literals > in.size() - at) return {};
    out += in.substr(at, literals);
    at += literals;
    if (at == in.size()) return out;
    if (in.size() - at < 2) return {};
    const size_t back = static_cast<unsigned char>(in[at]) | static_cast<size_t>(static_cast<unsigned char>(in[at + 1]))
                                                                 << 8;
    at += 2;
    if (back == 0 || back > out.size()) return {};
    for (size_t n = length(token & 15) + 4; n > 0; --n) out += out[out.size() - back];
  }
  return out;
}

/// The same bytes as a block of LZ4: literals only.
std::string packed(std::string_view in) {
  std::string out(1, static_cast<char>(in.size() < 15 ? in.size() << 4 : 0xF0));
  if (in.size() >= 15) {
    size_t rest = in.size() - 15;
    for (; rest >= 255; rest -= 255) out += static_cast<char>(255);
    out += static_cast<char>(rest);
  }
  return out += in;
}

std::string varint(uint64_t value) {
  std::string out;
  for (; value >= 128; value >>= 7) out += static_cast<char>(value | 128);
  return out += static_cast<char>(value);
}

/// Walks over the list of signals.
struct Cursor {
  std::string_view data;
  size_t at = 0;
  bool ok = true;

  unsigned char byte() {
    ok = ok && at < data.size();
    return ok ? static_cast<unsigned char>(data[at++]) : 0;
  }
  std::string_view text() {
    const size_t end = data.find('\0', at);
    ok = ok && end != std::string_view::npos;
    if (!ok) return {};
    const std::string_view found = data.substr(at, end - at);
    at = end + 1;
    return found;
  }
  uint64_t number() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const unsigned char b = byte();
      value |= static_cast<uint64_t>(b & 127) << shift;
      if (b < 128) break;
    }
    return value;
  }
};

std::string attribute(const std::string& name, uint64_t handle) {
  return std::string{static_cast<char>(kAttribute), 0, static_cast<char>(kEnumTable)} + name + '\0' + varint(handle);
}

/// "zone 4 ZoneN ZoneB ZoneG ZoneInvalid 00 01 10 11"
std::string table_text(const WaveEnum& e) {
  std::string texts, values;
  int count = 0;
  const std::vector<std::string> all = words(e.texts);
  for (size_t v = 0; v < all.size(); ++v) {
    if (all[v] == "-") continue;
    ++count;
    texts += " " + all[v];
    values += " ";
    for (int bit = e.bits - 1; bit >= 0; --bit) values += (v >> bit & 1) != 0 ? '1' : '0';
  }
  return e.name + (" " + std::to_string(count)) + texts + values;
}

/// The list of signals with a table for each enumeration in front, and a reference before each signal that has one;
/// nothing when it is damaged.
std::optional<std::string> with_tables(std::string_view list, const std::vector<const WaveEnum*>& enums) {
  std::string out;
  std::map<const WaveEnum*, uint64_t> handle;
  for (const WaveEnum* e : enums) {
    handle[e] = handle.size() + 1;
    out += attribute(table_text(*e), handle[e]);
  }
  Cursor c{list};
  while (c.ok && c.at < list.size()) {
    const size_t begin = c.at;
    const unsigned char tag = c.byte();
    if (tag == kScope) {
      c.byte(), c.text(), c.text();
    } else if (tag == kAttribute) {
      c.byte(), c.byte(), c.text(), c.number();
    } else if (tag != kUpscope && tag != kAttributeEnd) {
      c.byte();
      const std::string_view name = c.text();
      const uint64_t bits = c.number();
      c.number();
      if (const WaveEnum* e = find(enums, name, bits)) out += attribute("", handle[e]);
    }
    out += list.substr(begin, c.at - begin);
  }
  if (!c.ok) return {};
  return out;
}

std::string fst_with_texts(const std::string& file, const std::vector<const WaveEnum*>& enums) {
  const std::string_view all = file;
  for (size_t at = 0; at + 17 <= all.size();) {
    const uint64_t length = big_endian(all.substr(at + 1));
    if (length < 16 || length > all.size() - at - 1) return file;
    if (all[at] != kHierarchyLz4 && all[at] != kHierarchyLz4Twice) {
      at += 1 + length;
      continue;
    }
    std::optional<std::string> list = std::string(all.substr(at + 17, length - 16));
    if (all[at] == kHierarchyLz4Twice)
      list = list->size() < 8 ? std::nullopt : unpacked(std::string_view(*list).substr(8));
    if (list) list = unpacked(*list);
    if (list) list = with_tables(*list, enums);
    if (!list) return file;
    const std::string body = packed(*list);
    return file.substr(0, at) + kHierarchyLz4 + big_endian(16 + body.size()) + big_endian(list->size()) + body +
           file.substr(at + 1 + length);
  }
  return file;
}

// ---- VCD: lines.

std::string vcd_with_texts(const std::string& file, const std::vector<const WaveEnum*>& enums) {
  std::istringstream in(file);
  std::string out;
  std::map<std::string, std::vector<std::string>> texts;  // by the identifier of a signal
  for (std::string line; std::getline(in, line);) {
    out += line + "\n";
    if (line.starts_with("$var ")) {
      const std::vector<std::string> w = words(line);  // $var wire 3 id name [2:0] $end
      if (w.size() < 6 || w[2].size() > 4) continue;
      const WaveEnum* e = find(enums, w[4], std::strtoull(w[2].c_str(), nullptr, 10));
      if (e == nullptr) continue;
      texts[w[3]] = words(e->texts);
      out += "$var string 1 " + w[3] + "~ " + w[4] + "_text $end\n";
    } else if (!line.empty() && (line[0] == 'b' || line[0] == '0' || line[0] == '1')) {
      const size_t space = line[0] == 'b' ? line.find(' ') : 0;
      if (space == std::string::npos) continue;
      const auto found = texts.find(line.substr(space + 1, line.find_last_not_of(" \r") - space));
      if (found == texts.end()) continue;
      const std::string bits = line[0] == 'b' ? line.substr(1, space - 1) : line.substr(0, 1);
      const bool known = bits.find_first_not_of("01") == std::string::npos;
      const uint64_t value = known ? std::strtoull(bits.c_str(), nullptr, 2) : found->second.size();
      out +=
          "s" + (value < found->second.size() ? found->second[value] : std::string("-")) + " " + found->first + "~\n";
    }
  }
  return out;
}

}  // namespace

std::string with_texts(const std::string& waveform, std::string_view block) {
  const std::vector<const WaveEnum*> enums = enums_of(block);
  if (waveform.empty()) return waveform;
  if (waveform[0] == '\0') return fst_with_texts(waveform, enums);
  return waveform.find("$enddefinitions") == std::string::npos ? waveform : vcd_with_texts(waveform, enums);
}

void add_texts(const std::string& path, std::string_view block) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error) || std::filesystem::file_size(path, error) > kMostBytes || error)
    return;
  OutputFile(path).write(with_texts(read_text(path, kMostBytes), block));
}

}  // namespace odonata::cli
