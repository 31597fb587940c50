// SPDX-License-Identifier: Apache-2.0
#include "models/workload/chakra.h"

#include <functional>
#include <optional>
#include <queue>
#include <unordered_map>

#include "models/common/error.h"
#include "models/workload/script.h"

namespace odonata::workload {

namespace {

enum Wire : uint32_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };
enum NodeType : uint64_t { kMetadata = 1, kLoad = 2, kStore = 3, kComp = 4, kSend = 5, kRecv = 6, kColl = 7 };
enum Collective : uint64_t {
  kAllReduce,
  kReduce,
  kAllGather,
  kGather,
  kScatter,
  kBroadcast,
  kAllToAll,
  kReduceScatter,
  kReduceScatterBlock,
  kBarrier
};

/// The fields of a protobuf message, one after the other.
class Fields {
 public:
  explicit Fields(std::string_view bytes) : bytes_(bytes) {}
  bool next() {
    if (bytes_.empty()) return false;
    const uint64_t key = varint(bytes_);
    number = key >> 3;
    wire = static_cast<uint32_t>(key & 7);
    if (number == 0) throw Error("a field with number 0");
    if (wire == kVarint) {
      value = varint(bytes_);
    } else if (wire == kBytes) {
      const uint64_t size = varint(bytes_);
      if (size > bytes_.size()) throw Error("field " + std::to_string(number) + " ends beyond its message");
      text = bytes_.substr(0, size);
      bytes_.remove_prefix(size);
    } else if (wire == kFixed64 || wire == kFixed32) {
      const size_t size = wire == kFixed64 ? 8 : 4;
      if (size > bytes_.size()) throw Error("field " + std::to_string(number) + " ends beyond its message");
      bytes_.remove_prefix(size);
    } else {
      throw Error("field " + std::to_string(number) + " has wire type " + std::to_string(wire));
    }
    return true;
  }
  uint64_t as_number() const {
    if (wire != kVarint) throw Error("field " + std::to_string(number) + " is no number");
    return value;
  }
  std::string_view as_text() const {
    if (wire != kBytes) throw Error("field " + std::to_string(number) + " is no text or message");
    return text;
  }
  /// A repeated number, packed or not.
  void add_numbers(std::vector<uint64_t>& to) const {
    if (wire == kVarint) return to.push_back(value);
    for (std::string_view left = as_text(); !left.empty();) to.push_back(varint(left));
  }
  static uint64_t varint(std::string_view& from) {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (from.empty()) throw Error("ends inside a number");
      const auto byte = static_cast<uint8_t>(from[0]);
      from.remove_prefix(1);
      value |= static_cast<uint64_t>(byte & 127) << shift;
      if (byte < 128) return value;
    }
    throw Error("a number of more than 64 bits");
  }

  uint64_t number = 0, value = 0;
  uint32_t wire = 0;
  std::string_view text;

 private:
  std::string_view bytes_;
};

/// An attribute of our own, beside a duration that is no whole number of microseconds.
constexpr std::string_view kNanoseconds = "odonata_ns";
/// The duration_micros of a calculation.
uint64_t micros_of(uint64_t ns) { return ns / 1000 + (ns % 1000 != 0 ? 1 : 0); }

struct Node {
  uint64_t id = 0, type = 0, micros = 0;
  std::vector<uint64_t> waits_for;
  std::optional<uint64_t> size, source, dest, tag, collective, ns;
  std::string group;
  bool on_cpu = true;
  int record = 0;
};

/// Attribute fields that hold one whole number; odd steps of two from int32_val.
bool is_whole_number(uint64_t field) {
  return field == 7 || field == 9 || field == 11 || field == 13 || field == 15 || field == 17 || field == 27;
}
bool is_zigzag(uint64_t field) { return field == 15 || field == 17; }

void read_attribute(Node& node, std::string_view bytes) {
  std::string name, text;
  std::optional<uint64_t> value;
  for (Fields f(bytes); f.next();) {
    if (f.number == 1) name = f.as_text();
    if (f.number == 29) text = f.as_text();
    if (is_whole_number(f.number))
      value = is_zigzag(f.number) ? (f.as_number() >> 1) ^ (~(f.value & 1) + 1) : f.as_number();
  }
  const auto take = [&](std::optional<uint64_t>& to) {
    if (!value) throw Error("attribute " + name + " is no whole number");
    if (*value > static_cast<uint64_t>(INT64_MAX))
      throw Error("attribute " + name + " is negative or has more than 63 bits");
    to = value;
  };
  if (name == "comm_size") take(node.size);
  if (name == "comm_src") take(node.source);
  if (name == "comm_dst") take(node.dest);
  if (name == "comm_tag") take(node.tag);
  if (name == "comm_type") take(node.collective);
  if (name == kNanoseconds) take(node.ns);
  if (name == "is_cpu_op" && value) node.on_cpu = *value != 0;
  if (name == "pg_name") node.group = text;
}

Node read_node(std::string_view bytes) {
  Node node;
  bool has_id = false;
  for (Fields f(bytes); f.next();) {
    if (f.number == 1) node.id = f.as_number(), has_id = true;
    if (f.number == 3) node.type = f.as_number();
    if (f.number == 4 || f.number == 5) f.add_numbers(node.waits_for);
    if (f.number == 7) node.micros = f.as_number();
    if (f.number == 10) read_attribute(node, f.as_text());
  }
  if (!has_id) node.id = 0;  // protobuf leaves zeros out
  return node;
}

std::vector<Node> read_nodes(std::string_view bytes) {
  std::vector<Node> out;
  if (bytes.empty()) throw Error("record 0: the file is empty");
  for (int record = 0; !bytes.empty(); ++record) {
    try {
      const uint64_t size = Fields::varint(bytes);
      if (size > bytes.size())
        throw Error("has " + std::to_string(size) + " bytes, " + std::to_string(bytes.size()) + " are left");
      const std::string_view message = bytes.substr(0, size);
      bytes.remove_prefix(size);
      if (record == 0) {
        for (Fields f(message); f.next();) {
          if (f.number == 1) f.as_text();
        }
      } else {
        out.push_back(read_node(message));
        out.back().record = record;
      }
    } catch (const Error& e) {
      throw Error("record " + std::to_string(record) + ": " + e.what());
    }
  }
  return out;
}

/// The nodes of a rank as operations, each after those that it waits for.
class Writer {
 public:
  Writer(std::vector<Node> nodes, uint32_t rank, uint32_t ranks)
      : nodes_(std::move(nodes)), rank_(rank), ranks_(ranks) {}
  Rank write() {
    std::vector<size_t> left(nodes_.size());
    std::vector<std::vector<size_t>> followers(nodes_.size());
    for (size_t i = 0; i < nodes_.size(); ++i) {
      if (!number_.emplace(nodes_[i].id, i).second) refuse(i, "node " + std::to_string(nodes_[i].id) + " comes twice");
    }
    for (size_t i = 0; i < nodes_.size(); ++i) {
      for (const uint64_t id : nodes_[i].waits_for) {
        const auto found = number_.find(id);
        if (found == number_.end()) refuse(i, "waits for node " + std::to_string(id) + ", which does not exist");
        followers[found->second].push_back(i);
        ++left[i];
      }
    }
    number_collectives();
    std::priority_queue<size_t, std::vector<size_t>, std::greater<>> ready;
    for (size_t i = 0; i < nodes_.size(); ++i) {
      if (left[i] == 0) ready.push(i);
    }
    end_.resize(nodes_.size());
    size_t written = 0;
    for (; !ready.empty(); ++written) {
      const size_t i = ready.top();
      ready.pop();
      try {
        end_[i] = write_node(i);
      } catch (const Error& e) {
        refuse(i, e.what());
      }
      for (const size_t f : followers[i]) {
        if (--left[f] == 0) ready.push(f);
      }
    }
    if (written != nodes_.size()) {
      size_t i = 0;
      while (left[i] == 0) ++i;
      refuse(i, "node " + std::to_string(nodes_[i].id) + " waits in a circle of nodes");
    }
    return std::move(out_);
  }

 private:
  [[noreturn]] void refuse(size_t i, const std::string& why) const {
    throw Error("record " + std::to_string(nodes_[i].record) + ": " + why);
  }
  /// The k-th collective of every rank in the order of its file is the same one.
  void number_collectives() {
    for (size_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].type == kColl) collectives_.emplace(i, static_cast<uint32_t>(collectives_.size()));
    }
  }
  uint32_t write_node(size_t i) {
    const Node& n = nodes_[i];
    std::vector<Need> needs;
    for (const uint64_t id : n.waits_for) needs.push_back({end_[number_.at(id)], 0});
    if (n.type == kColl) return write_collective(n, needs, collectives_.at(i));
    Op op;
    if (n.type == kSend || n.type == kRecv) {
      op.kind = n.type == kSend ? OpKind::send : OpKind::recv;
      op.peer = rank_of(n.type == kSend ? n.dest : n.source, n.type == kSend ? "comm_dst" : "comm_src");
      op.amount = size_of(n);
      const uint64_t tag = n.tag.value_or(0);
      if (tag >= kCollectiveTag)
        throw Error("comm_tag is " + std::to_string(tag) + ", expected a number below " +
                    std::to_string(kCollectiveTag));
      op.tag = static_cast<uint32_t>(tag);
    } else if (n.type == kComp || n.type == kLoad || n.type == kStore) {
      op.amount = n.ns ? *n.ns : multiply_63(n.micros, 1000, "duration_micros");
      if (n.ns && micros_of(*n.ns) != n.micros)
        throw Error("odonata_ns is " + std::to_string(*n.ns) + ", but duration_micros is " + std::to_string(n.micros));
      op.cpu = n.on_cpu ? 0 : 1;
    } else if (n.type != kMetadata) {
      throw Error("node type " + std::to_string(n.type) + ", expected 1 to 7");
    }
    return out_.add(op, needs);
  }
  uint32_t rank_of(const std::optional<uint64_t>& value, const char* name) const {
    if (!value) throw Error(std::string("no attribute ") + name);
    if (*value >= ranks_)
      throw Error(std::string(name) + " is " + std::to_string(*value) + ", there are " + std::to_string(ranks_) +
                  " ranks");
    return static_cast<uint32_t>(*value);
  }
  static uint64_t size_of(const Node& n) {
    if (!n.size) throw Error("no attribute comm_size");
    return *n.size;
  }
  uint32_t write_collective(const Node& n, const std::vector<Need>& needs, uint32_t number) {
    if (!n.group.empty() && n.group != "0" && n.group != "default_pg")
      throw Error("a collective of group '" + n.group + "', expected one of all ranks");
    if (!n.collective) throw Error("no attribute comm_type");
    if (number >= kCollectiveTag) throw Error("too many collectives");
    std::vector<uint32_t> all(ranks_);
    for (uint32_t r = 0; r < ranks_; ++r) all[r] = r;
    Script script(out_, needs);
    script.tag(kCollectiveTag + number);
    const uint64_t bytes = *n.collective == kBarrier ? 0 : size_of(n);
    const auto part = [&](uint32_t, uint32_t b) { return part_of(bytes, ranks_, b); };
    switch (*n.collective) {
      case kAllReduce:
        allreduce_tree(script, all, rank_, bytes);
        break;
      case kReduce:
        reduce_tree(script, all, rank_, bytes);
        break;
      case kBroadcast:
        broadcast_tree(script, all, rank_, bytes);
        break;
      case kBarrier:
        barrier_tree(script, all, rank_);
        break;
      case kAllGather:
        allgather_ring(script, all, rank_, bytes);
        break;
      case kAllToAll:
        alltoallv_ring(script, all, rank_, part);
        break;
      case kReduceScatter:
      case kReduceScatterBlock:
        reduce_scatter_ring(script, all, rank_, bytes);
        break;
      case kGather:
      case kScatter:
        one_to_all(script, bytes, *n.collective == kScatter);
        break;
      default:
        throw Error("comm_type " + std::to_string(*n.collective) + ", expected 0 to 9");
    }
    return script.end();
  }
  /// Rank 0 and each other rank, without a tree; every one has its part (scatter) or all of `bytes` (gather).
  void one_to_all(Script& script, uint64_t bytes, bool scatter) const {
    const auto message = [&](uint32_t peer, uint64_t size, bool sends) {
      sends ? script.isend(peer, size) : script.irecv(peer, size);
    };
    for (uint32_t r = rank_ == 0 ? 1 : rank_; r < (rank_ == 0 ? ranks_ : rank_ + 1); ++r) {
      message(rank_ == 0 ? r : 0, scatter ? part_of(bytes, ranks_, r) : bytes, (rank_ == 0) == scatter);
    }
  }

  static constexpr uint32_t kCollectiveTag = 1u << 31;
  std::vector<Node> nodes_;
  uint32_t rank_, ranks_;
  Rank out_;
  std::unordered_map<uint64_t, size_t> number_;       // of an id
  std::unordered_map<size_t, uint32_t> collectives_;  // number among them, by node
  std::vector<uint32_t> end_;                         // [node]: the operation that ends it
};

void put_varint(std::string& to, uint64_t value) {
  for (; value >= 128; value >>= 7) to.push_back(static_cast<char>((value & 127) | 128));
  to.push_back(static_cast<char>(value));
}
void put_number(std::string& to, uint32_t field, uint64_t value) {
  put_varint(to, uint64_t{field} << 3 | kVarint);
  put_varint(to, value);
}
void put_text(std::string& to, uint32_t field, std::string_view text) {
  put_varint(to, uint64_t{field} << 3 | kBytes);
  put_varint(to, text.size());
  to += text;
}
void put_attribute(std::string& node, std::string_view name, uint64_t value) {
  std::string attribute;
  put_text(attribute, 1, name);
  put_number(attribute, 9, value);
  put_text(node, 10, attribute);
}

}  // namespace

Job read_chakra(const std::vector<std::string>& files) {
  Job job;
  job.name = "chakra";
  job.note = "collectives: trees for broadcast, reduce, allreduce and barrier, rings for the others";
  for (uint32_t r = 0; r < files.size(); ++r) {
    try {
      job.ranks.push_back(Writer(read_nodes(files[r]), r, static_cast<uint32_t>(files.size())).write());
    } catch (const Error& e) {
      throw Error("rank " + std::to_string(r) + ", " + e.what());
    }
  }
  totals(job);
  return job;
}

std::string write_chakra(const Job& job, uint32_t rank) {
  if (job.iterations != 1)
    throw Error("Chakra: " + job.name + " has " + std::to_string(job.iterations) + " iterations, expected it=1");
  const Rank& r = job.ranks.at(rank);
  std::string out, head;
  put_text(head, 1, "0.0.4");
  put_varint(out, head.size());
  out += head;
  const auto has_none = [rank](const std::string& what) {
    throw Error("Chakra: rank " + std::to_string(rank) + " has " + what);
  };
  for (uint32_t i = 0; i < r.ops.size(); ++i) {
    const Op& o = r.ops[i];
    if (o.kind == OpKind::calc && o.cpu > 1)
      has_none("a calculation on processor " + std::to_string(o.cpu) + ", expected 0 or 1");
    if (o.kind != OpKind::calc && o.tag >= 1u << 31)
      has_none("tag " + std::to_string(o.tag) + ", expected a number below 2147483648");
    std::string node;
    put_number(node, 1, i);
    put_text(node, 2, o.kind == OpKind::calc ? "calc" : o.kind == OpKind::send ? "send" : "recv");
    put_number(node, 3, o.kind == OpKind::calc ? kComp : o.kind == OpKind::send ? kSend : kRecv);
    for (uint32_t k = o.first_need; k != o.first_need + o.needs; ++k) {
      if (r.needs[k].started != 0) has_none("an operation that waits for a start only");
      if (r.needs[k].op > i) has_none("an operation that waits for one behind it in the list");
      put_number(node, 5, r.needs[k].op);
    }
    if (o.kind == OpKind::calc) {
      put_number(node, 7, micros_of(o.amount));
      if (o.amount % 1000 != 0) put_attribute(node, kNanoseconds, o.amount);
      if (o.cpu != 0) put_attribute(node, "is_cpu_op", 0);
    } else {
      put_attribute(node, "comm_size", o.amount);
      put_attribute(node, o.kind == OpKind::send ? "comm_dst" : "comm_src", o.peer);
      put_attribute(node, "comm_tag", o.tag);
    }
    put_varint(out, node.size());
    out += node;
  }
  return out;
}

}  // namespace odonata::workload
