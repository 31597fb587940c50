// SPDX-License-Identifier: Apache-2.0
#include "models/traffic/packet_trace.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "models/common/error.h"
#include "models/common/frame.h"
#include "models/common/random.h"
#include "models/traffic/netrace_types.h"

namespace odonata::traffic {

namespace {

constexpr std::string_view kMark = "ODTRACE2";
constexpr uint64_t kMostNodes = 65'536, kMostFlits = 64, kMostCycles = 2'000'000'000;

void put_number(std::string& to, uint64_t value) {
  for (; value >= 128; value >>= 7) to.push_back(static_cast<char>((value & 127) | 128));
  to.push_back(static_cast<char>(value));
}

/// Reads numbers and notices the end.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  uint64_t number(const char* what, uint64_t most) {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (at_ == bytes_.size()) throw Error("trace: ends inside " + std::string(what));
      const auto byte = static_cast<uint8_t>(bytes_[at_++]);
      value |= static_cast<uint64_t>(byte & 127) << shift;
      if (byte < 128) {
        if (value > most)
          throw Error("trace: " + std::string(what) + " is " + std::to_string(value) + ", at most " +
                      std::to_string(most));
        return value;
      }
    }
    throw Error("trace: a number of " + std::string(what) + " has more than 64 bits");
  }
  std::string text(size_t size) {
    if (bytes_.size() - at_ < size) throw Error("trace: ends inside the note");
    at_ += size;
    return std::string(bytes_.substr(at_ - size, size));
  }
  size_t left() const { return bytes_.size() - at_; }

 private:
  std::string_view bytes_;
  size_t at_ = 0;
};

/// The next word of a line; empty at its end.
std::string_view next_word(std::string_view& line) {
  const size_t from = line.find_first_not_of(" \t\r");
  if (from == std::string_view::npos) return line = {};
  const size_t to = std::min(line.find_first_of(" \t\r", from), line.size());
  const std::string_view word = line.substr(from, to - from);
  line.remove_prefix(to);
  return word;
}

uint64_t number_of(std::string_view word, const char* what, uint64_t most, uint64_t least = 0) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() || value < least || value > most) {
    throw Error(std::string(what) + " is '" + std::string(word) + "', expected a number " + std::to_string(least) +
                ".." + std::to_string(most));
  }
  return value;
}

/// Flits of a packet type of netrace: 8 bytes of control, or 8 and a cache line of 64, in flits of 16 bytes.
uint8_t flits_of_type(std::string_view type) {
  for (const NetraceType& known : kNetraceTypes) {
    if (known.name == type) return known.line ? 5 : 1;
  }
  throw Error("TYP is '" + std::string(type) + "', expected a type of netrace, such as ReadReq or ReadResp");
}

TracePacket packet_of_fields(std::string_view line, uint64_t last_node) {
  std::optional<uint64_t> cycle, source, dest, flits;
  TracePacket out;
  while (!line.empty()) {
    const std::string_view word = next_word(line);
    const std::string_view value = word.size() < 4 ? std::string_view() : word.substr(4);
    const auto once = [&word](std::optional<uint64_t>& field, uint64_t number) {
      if (field) throw Error(std::string(word.substr(0, 4)) + " comes twice");
      field = number;
    };
    if (word.starts_with("CYC:")) once(cycle, number_of(value, "CYC", kMostCycles));
    if (word.starts_with("SRC:")) once(source, number_of(value, "SRC", last_node));
    if (word.starts_with("DST:")) once(dest, number_of(value, "DST", last_node));
    if (word.starts_with("TYP:")) once(flits, flits_of_type(value));
  }
  if (!cycle || !source || !dest || !flits) throw Error("a field of CYC:, SRC:, DST:, TYP: is missing");
  out.cycle = static_cast<uint32_t>(*cycle);
  out.source = static_cast<uint32_t>(*source);
  out.dest = static_cast<uint32_t>(*dest);
  out.flits = static_cast<uint8_t>(*flits);
  return out;
}

TracePacket packet_of_line(std::string_view line, uint64_t last_node) {
  if (line.find(':') != std::string_view::npos) return packet_of_fields(line, last_node);
  TracePacket out;
  out.cycle = static_cast<uint32_t>(number_of(next_word(line), "cycle", kMostCycles));
  out.source = static_cast<uint32_t>(number_of(next_word(line), "source", last_node));
  out.dest = static_cast<uint32_t>(number_of(next_word(line), "dest", last_node));
  out.flits = static_cast<uint8_t>(number_of(next_word(line), "flits", kMostFlits, 1));
  if (!next_word(line).empty()) throw Error("more than four numbers");
  return out;
}

}  // namespace

uint64_t PacketTrace::flits() const {
  uint64_t sum = 0;
  for (const TracePacket& p : packets) sum += p.flits;
  return sum;
}

void PacketTrace::normalise() {
  if (nodes < 1 || static_cast<uint64_t>(nodes) > kMostNodes)
    throw Error("trace: " + std::to_string(nodes) + " nodes, expected 1..65536");
  std::vector<uint64_t> free(static_cast<size_t>(nodes));  // first cycle in which a node has not sent yet
  const auto in_order = [](const TracePacket& a, const TracePacket& b) { return a.cycle < b.cycle; };
  std::stable_sort(packets.begin(), packets.end(), in_order);
  for (TracePacket& p : packets) {
    if (p.source >= static_cast<uint32_t>(nodes) || p.dest >= static_cast<uint32_t>(nodes))
      throw Error("trace: a packet of or for no node");
    if (p.flits < 1 || p.flits > kMostFlits)
      throw Error("trace: a packet of " + std::to_string(p.flits) + " flits, expected 1..64");
    p.cycle = static_cast<uint32_t>(std::max<uint64_t>(p.cycle, free[p.source]));
    if (p.cycle > kMostCycles) throw Error("trace: a cycle above " + std::to_string(kMostCycles));
    free[p.source] = uint64_t{p.cycle} + 1;
  }
  std::stable_sort(packets.begin(), packets.end(), in_order);
}

std::string encode(const PacketTrace& trace) {
  if (trace.packets.empty()) throw Error("trace: it would hold no packet");
  std::string out;
  put_number(out, static_cast<uint64_t>(trace.nodes));
  put_number(out, trace.packets.size());
  put_number(out, trace.note.size());
  out += trace.note;
  uint32_t cycle = 0;
  std::vector<uint32_t> last(static_cast<size_t>(trace.nodes));
  for (const TracePacket& p : trace.packets) {
    put_number(out, p.cycle - cycle);
    put_number(out, p.source);
    put_number(out, p.dest ^ last[p.source]);
    put_number(out, p.flits);
    cycle = p.cycle;
    last[p.source] = p.dest;
  }
  return frame(kMark, out);
}

PacketTrace decode(std::string_view bytes) {
  Reader in(unframe("trace", kMark, bytes));
  PacketTrace out;
  out.nodes = static_cast<int>(in.number("nodes", kMostNodes));
  const uint64_t packets = in.number("packets", bytes.size());  // a packet takes four bytes or more
  if (packets == 0) throw Error("trace: it holds no packet");
  out.note = in.text(in.number("note", 65'536));
  std::vector<uint32_t> last(static_cast<size_t>(out.nodes));
  uint64_t cycle = 0;
  out.packets.reserve(packets);
  for (uint64_t i = 0; i < packets; ++i) {
    cycle += in.number("cycle", kMostCycles);
    TracePacket p;
    p.source = static_cast<uint32_t>(in.number("source", kMostNodes));
    if (p.source >= last.size())
      throw Error("trace: a packet of node " + std::to_string(p.source) + " of " + std::to_string(out.nodes));
    p.dest = static_cast<uint32_t>(in.number("dest", 2 * kMostNodes)) ^ last[p.source];
    p.flits = static_cast<uint8_t>(in.number("flits", kMostFlits));
    if (cycle > kMostCycles) throw Error("trace: a cycle above " + std::to_string(kMostCycles));
    p.cycle = static_cast<uint32_t>(cycle);
    last[p.source] = p.dest;
    out.packets.push_back(p);
  }
  if (in.left() != 0) throw Error("trace: " + std::to_string(in.left()) + " bytes after the last packet");
  const std::vector<TracePacket> as_read = out.packets;
  out.normalise();
  if (out.packets != as_read) throw Error("trace: a node sends two packets in a cycle");
  return out;
}

PacketTrace from_text(std::string_view text, int nodes) {
  PacketTrace out;
  out.nodes = nodes;
  int number = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    line = line.substr(0, line.find('#'));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    try {
      out.packets.push_back(packet_of_line(line, static_cast<uint64_t>(nodes) - 1));
    } catch (const Error& e) {
      throw Error("line " + std::to_string(number) + ": " + e.what());
    }
  }
  out.normalise();
  return out;
}

PacketTrace generate_sample(int nodes, uint32_t cycles, double load, uint64_t seed) {
  if (nodes < 4 || static_cast<uint64_t>(nodes) > kMostNodes) throw Error("a generated trace needs 4..65536 nodes");
  if (!(load >= 0 && load <= 1)) throw Error("load is " + std::to_string(load) + ", expected 0..1");
  constexpr double kFlitsOfMiss = 6.6;  // request and answer; one in ten goes on to memory and back
  constexpr double kToBusy = 0.002, kToQuiet = 0.01, kBusyShare = kToBusy / (kToBusy + kToQuiet);
  const double miss = std::min(1.0, load / kFlitsOfMiss / kBusyShare);
  PacketTrace out;
  out.nodes = nodes;
  out.note = "generated by odonata (PARSEC-like bursts), not recorded from an application";
  Random random(mix_seed(seed, 0x70617273));
  std::vector<bool> busy(static_cast<size_t>(nodes));
  const auto n = static_cast<uint32_t>(nodes);
  for (uint32_t cycle = 0; cycle < cycles; ++cycle) {
    for (uint32_t node = 0; node < n; ++node) {
      busy[node] = busy[node] ? !random.chance(kToQuiet) : random.chance(kToBusy);
      if (!busy[node] || !random.chance(miss)) continue;
      const uint32_t home = random.below(n), memory = random.below(2) * (n - 1);
      uint32_t answer = cycle + 40 + random.below(20);
      out.packets.push_back({cycle, node, home, 1});
      if (random.below(10) == 0) {
        out.packets.push_back({cycle + 50, home, memory, 1});
        out.packets.push_back({cycle + 200, memory, home, 5});
        answer += 240;
      }
      out.packets.push_back({answer, home, node, 5});
    }
  }
  out.normalise();
  return out;
}

}  // namespace odonata::traffic
