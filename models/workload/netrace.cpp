// SPDX-License-Identifier: Apache-2.0
#include "models/workload/netrace.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <unordered_map>
#include <vector>

#include "models/common/error.h"
#include "models/common/random.h"
#include "models/traffic/netrace_types.h"

namespace odonata::workload {

namespace {

constexpr uint32_t kMagic = 0x484A5455;
constexpr size_t kRegion = 24, kPacket = 21, kNameLength = 30;
constexpr uint64_t kControl = 8, kLine = 72;  // bytes of a packet without and with a cache line

/// Bytes of a packet by netrace's number of its type; 0: no such type.
uint64_t bytes_of_type(uint8_t type) {
  for (const traffic::NetraceType& known : traffic::kNetraceTypes) {
    if (known.number == type) return known.line ? kLine : kControl;
  }
  return 0;
}

/// Numbers of a little-endian file.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  template <class T>
  T take() {
    T out{};
    const std::string_view from = skip(sizeof out);
    for (size_t i = 0; i < sizeof out; ++i)
      out = static_cast<T>(out | static_cast<T>(static_cast<T>(static_cast<uint8_t>(from[i])) << 8 * i));
    return out;
  }
  std::string_view skip(size_t size) {
    if (size > left()) throw Error("ends after " + std::to_string(bytes_.size()) + " bytes");
    at_ += size;
    return bytes_.substr(at_ - size, size);
  }
  size_t left() const { return bytes_.size() - at_; }

 private:
  std::string_view bytes_;
  size_t at_ = 0;
};

struct Header {
  std::string name, notes;
  uint32_t nodes = 0;
  uint64_t packets = 0;
};

Header read_header(Reader& in) {
  Header out;
  if (in.take<uint32_t>() != kMagic) throw Error("no netrace file");
  in.skip(4);  // version, a float
  const std::string_view name = in.skip(kNameLength);
  out.name = name.substr(0, name.find('\0'));
  out.nodes = in.take<uint8_t>();
  in.skip(1 + 8);
  out.packets = in.take<uint64_t>();
  const auto notes = in.take<uint32_t>(), regions = in.take<uint32_t>();
  in.skip(8);
  const std::string_view text = in.skip(notes);
  out.notes = text.substr(0, text.find('\0'));
  if (regions > in.left() / kRegion) throw Error("has " + std::to_string(regions) + " regions, the file is too short");
  in.skip(regions * kRegion);
  if (out.nodes == 0) throw Error("has no nodes");
  if (out.packets > in.left() / kPacket)
    throw Error("has " + std::to_string(out.packets) + " packets, the file is too short");
  return out;
}

struct TracePacket {
  uint64_t cycle = 0;
  uint32_t id = 0;
  uint32_t source = 0, dest = 0;
  uint64_t bytes = 0;
  std::vector<uint32_t> dependents;  // ids of packets that wait for this one
};

TracePacket read_packet(Reader& in, uint32_t nodes) {
  TracePacket p;
  p.cycle = in.take<uint64_t>();
  p.id = in.take<uint32_t>();
  in.take<uint32_t>();  // address
  const auto type = in.take<uint8_t>();
  p.source = in.take<uint8_t>();
  p.dest = in.take<uint8_t>();
  in.take<uint8_t>();  // node types
  p.dependents.resize(in.take<uint8_t>());
  for (uint32_t& d : p.dependents) d = in.take<uint32_t>();
  p.bytes = bytes_of_type(type);
  if (p.bytes == 0) throw Error("packet type " + std::to_string(type) + " does not exist");
  if (p.source >= nodes || p.dest >= nodes)
    throw Error("node " + std::to_string(std::max(p.source, p.dest)) + " of " + std::to_string(nodes));
  if (p.cycle > static_cast<uint64_t>(INT64_MAX)) throw Error("a cycle of more than 63 bits");
  return p;
}

/// What a packet waits for before its delay.
struct Waits {
  std::vector<uint32_t> packets;
  uint64_t latest = 0;  // cycle in the trace
};

}  // namespace

bool is_netrace(std::string_view bytes) { return bytes.size() >= 4 && Reader(bytes).take<uint32_t>() == kMagic; }

Job read_netrace(std::string_view bytes) {
  Reader in(bytes);
  Header header;
  try {
    header = read_header(in);
  } catch (const Error& e) {
    throw Error(std::string("header: ") + e.what());
  }
  std::vector<TracePacket> packets;
  std::unordered_map<uint32_t, uint32_t> number;  // of an id
  const auto refuse = [](size_t i, const std::string& why) {
    throw Error("record " + std::to_string(i + 1) + ": " + why);
  };
  for (uint64_t i = 0; i < header.packets; ++i) {
    try {
      packets.push_back(read_packet(in, header.nodes));
    } catch (const Error& e) {
      refuse(i, e.what());
    }
    if (!number.emplace(packets.back().id, static_cast<uint32_t>(i)).second)
      refuse(i, "packet " + std::to_string(packets.back().id) + " comes twice");
    if (i != 0 && packets[i].cycle < packets[i - 1].cycle) refuse(i, "is earlier than the one before");
  }
  if (in.left() != 0)
    throw Error("record " + std::to_string(header.packets) + ": " + std::to_string(in.left()) +
                " bytes after the last packet");
  std::vector<Waits> waits(packets.size());
  uint64_t elsewhere = 0;
  for (uint32_t i = 0; i < packets.size(); ++i) {
    for (const uint32_t id : packets[i].dependents) {
      const auto found = number.find(id);
      if (found == number.end()) refuse(i, "packet " + std::to_string(id) + " depends on it and does not exist");
      const uint32_t d = found->second;
      if (d <= i) refuse(i, "packet " + std::to_string(id) + " depends on it and comes before it");
      if (packets[d].source != packets[i].source && packets[d].source != packets[i].dest) {
        ++elsewhere;
        continue;
      }
      waits[d].packets.push_back(i);
      waits[d].latest = std::max(waits[d].latest, packets[i].cycle);
    }
  }
  Job job;
  job.name = header.name.empty() ? "netrace" : header.name;
  job.note = header.notes;
  if (elsewhere != 0)
    job.note +=
        (job.note.empty() ? "" : "; ") + std::to_string(elsewhere) + " dependencies between other nodes left out";
  job.ranks.resize(header.nodes);
  const uint64_t start = packets.empty() ? 0 : packets[0].cycle;
  std::vector<uint32_t> send(packets.size()), receive(packets.size());  // operations
  for (uint32_t i = 0; i < packets.size(); ++i) {
    const TracePacket& p = packets[i];
    std::vector<Need> needs;
    for (const uint32_t w : waits[i].packets) needs.push_back({packets[w].dest == p.source ? receive[w] : send[w], 0});
    Op delay, message;
    delay.cpu = Op::kTimer;
    delay.amount = p.cycle - (needs.empty() ? start : waits[i].latest);
    message.amount = p.bytes;
    Rank& source = job.ranks[p.source];
    const uint32_t after = source.add(delay, needs);
    message.kind = OpKind::send;
    message.peer = p.dest;
    send[i] = source.add(message, {Need{after, 0}});
    message.kind = OpKind::recv;
    message.peer = p.source;
    receive[i] = job.ranks[p.dest].add(message, {});
  }
  return job;
}

namespace {

template <class T>
void put(std::string& to, T value) {
  for (size_t i = 0; i < sizeof value; ++i) to.push_back(static_cast<char>(static_cast<uint64_t>(value) >> 8 * i));
}

}  // namespace

std::string generate_netrace(int nodes, uint32_t misses, uint64_t seed) {
  if (nodes < 4 || nodes > 255) throw Error("a generated netrace needs 4..255 nodes");
  constexpr uint8_t kReadReq = 1, kReadResp = 2;
  constexpr uint32_t kOpen = 4;
  Random random(mix_seed(seed, 0x6E657472));
  const auto n = static_cast<uint32_t>(nodes);
  std::vector<TracePacket> packets;
  std::vector<uint8_t> types;
  std::vector<std::vector<uint32_t>> answers(n);  // packets, by the node that missed
  std::vector<uint64_t> busy_until(n);
  const auto add = [&](uint64_t cycle, uint32_t source, uint32_t dest, uint8_t type, int64_t after) {
    const auto i = static_cast<uint32_t>(packets.size());
    packets.push_back({cycle, i, source, dest, 0, {}});
    types.push_back(type);
    if (after >= 0) packets[static_cast<size_t>(after)].dependents.push_back(i);
    return i;
  };
  for (uint32_t k = 0; k < misses; ++k) {
    const uint32_t node = random.below(n), home = random.below(n - 2);
    // A node that has as many misses open as it may waits for the oldest of them.
    const auto& own = answers[node];
    const int64_t oldest = own.size() >= kOpen ? int64_t{own[own.size() - kOpen]} : -1;
    uint64_t at = busy_until[node] + 1 + random.below(80);
    if (oldest >= 0) at = std::max(at, packets[static_cast<size_t>(oldest)].cycle + 20);
    busy_until[node] = at;
    uint32_t last = add(at, node, home, kReadReq, oldest);
    at += 40;
    if (random.below(10) == 0) {
      const uint32_t memory = n - 1 - random.below(2);
      last = add(at, home, memory, kReadReq, last);
      last = add(at + 150, memory, home, kReadResp, last);
      at += 190;
    }
    answers[node].push_back(add(at, home, node, kReadResp, last));
  }
  std::vector<uint32_t> order(packets.size());
  for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return packets[a].cycle < packets[b].cycle; });
  std::string out;
  put(out, kMagic);
  const float version = 1;
  uint32_t version_bits = 0;
  std::memcpy(&version_bits, &version, sizeof version_bits);
  put(out, version_bits);
  std::string name = "generated";
  name.resize(kNameLength);
  out += name;
  put(out, static_cast<uint8_t>(nodes));
  put(out, uint8_t{0});
  put(out, packets.empty() ? uint64_t{0} : packets[order.back()].cycle + 1);
  put(out, static_cast<uint64_t>(packets.size()));
  const std::string notes = std::string("generated by odonata (cache misses), not recorded from an application") + '\0';
  put(out, static_cast<uint32_t>(notes.size()));
  put(out, uint32_t{0});
  put(out, uint64_t{0});
  out += notes;
  for (const uint32_t i : order) {
    const TracePacket& p = packets[i];
    put(out, p.cycle);
    put(out, p.id);
    put(out, uint32_t{0});
    for (const uint32_t byte :
         {uint32_t{types[i]}, p.source, p.dest, uint32_t{0}, static_cast<uint32_t>(p.dependents.size())})
      put(out, static_cast<uint8_t>(byte));
    for (const uint32_t d : p.dependents) put(out, d);
  }
  return out;
}

}  // namespace odonata::workload
