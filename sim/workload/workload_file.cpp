// SPDX-License-Identifier: Apache-2.0
#include "sim/workload/workload_file.h"

#include <bzlib.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <sstream>

#include "models/common/error.h"
#include "models/common/split.h"
#include "models/workload/chakra.h"
#include "models/workload/goal.h"
#include "models/workload/motif.h"
#include "models/workload/netrace.h"
#include "tb/harness/files.h"

namespace odonata::cli {

namespace {

constexpr std::string_view kChakraEnd = ".0.et";
constexpr size_t kMostBytes = 1u << 30;  // of a file, packed or not

std::string read_bytes(const std::string& path) { return read_text(path, kMostBytes); }

/// The least rank from `first` on that PREFIX has a file of.
std::optional<size_t> next_rank(const std::string& prefix, size_t first) {
  const std::filesystem::path path(prefix);
  const std::string begin = path.filename().string() + ".";
  std::optional<size_t> out;
  std::error_code ignored;
  for (const auto& entry :
       std::filesystem::directory_iterator(path.has_parent_path() ? path.parent_path() : ".", ignored)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(begin)) continue;
    size_t rank = 0;
    const char* const end = name.data() + name.size();
    const auto [stop, error] = std::from_chars(name.data() + begin.size(), end, rank);
    if (error != std::errc{} || std::string_view(stop, end) != ".et" || rank < first) continue;
    out = std::min(out.value_or(rank), rank);
  }
  return out;
}

std::string rank_file(const std::string& prefix, size_t rank) { return prefix + "." + std::to_string(rank) + ".et"; }

std::string prefix_of(const std::string& first) { return first.substr(0, first.size() - kChakraEnd.size()); }

/// PREFIX.0.et, PREFIX.1.et, .. as long as there are some.
std::vector<std::string> rank_files(const std::string& first) {
  const std::string prefix = prefix_of(first);
  std::vector<std::string> out{first};
  while (may_exist(rank_file(prefix, out.size()))) out.push_back(rank_file(prefix, out.size()));
  return out;
}

/// Throws Error when one between others is missing.
std::vector<std::string> read_ranks(const std::string& first) {
  const std::string prefix = prefix_of(first);
  std::vector<std::string> out;
  for (const std::string& file : rank_files(first)) out.push_back(read_bytes(file));
  if (const auto later = next_rank(prefix, out.size()); later)
    throw Error(rank_file(prefix, out.size()) + " is missing, and " + rank_file(prefix, *later) + " is there");
  return out;
}

bool is_motif(const std::string& text) {
  const std::string name = text.substr(0, text.find(':'));
  const auto& all = workload::motifs();
  return std::any_of(all.begin(), all.end(), [&name](const workload::Motif& m) { return m.name == name; });
}

class Packer {
 public:
  explicit Packer(bool pack) : pack_(pack) {
    if ((pack ? BZ2_bzCompressInit(&stream_, 9, 0, 0) : BZ2_bzDecompressInit(&stream_, 0, 0)) != BZ_OK)
      throw Error("bzip2: cannot be started");
  }
  ~Packer() { pack_ ? BZ2_bzCompressEnd(&stream_) : BZ2_bzDecompressEnd(&stream_); }
  Packer(const Packer&) = delete;
  Packer& operator=(const Packer&) = delete;
  /// Until the end of a stream; what stands behind it is left in `bytes`.
  std::string run(std::string_view& bytes) {
    std::string out;
    std::vector<char> block(1 << 16);
    stream_.next_in = const_cast<char*>(bytes.data());  // it is only read
    stream_.avail_in = static_cast<unsigned>(bytes.size());
    for (int state = BZ_OK; state != BZ_STREAM_END;) {
      stream_.next_out = block.data();
      stream_.avail_out = static_cast<unsigned>(block.size());
      state = pack_ ? BZ2_bzCompress(&stream_, BZ_FINISH) : BZ2_bzDecompress(&stream_);
      const size_t made = block.size() - stream_.avail_out;
      out.append(block.data(), made);
      if (out.size() > kMostBytes) throw Error("bzip2: more than " + std::to_string(kMostBytes) + " unpacked bytes");
      const bool goes_on = state == BZ_OK || state == BZ_FINISH_OK;
      if (!goes_on && state != BZ_STREAM_END)
        throw Error("bzip2: damaged after " + std::to_string(out.size()) + " unpacked bytes");
      if (goes_on && made == 0 && stream_.avail_in == 0)
        throw Error("bzip2: cut off after " + std::to_string(out.size()) + " unpacked bytes");
    }
    bytes.remove_prefix(bytes.size() - stream_.avail_in);
    return out;
  }

 private:
  bool pack_;
  bz_stream stream_{};
};

workload::Job read_file(const std::string& path) {
  if (path.ends_with(kChakraEnd)) return workload::read_chakra(read_ranks(path));
  if (path.ends_with(".et")) throw Error(path + ": expected the trace of the first rank, PREFIX.0.et");
  std::string bytes = read_bytes(path);
  if (bytes.starts_with("BZh")) bytes = unpack_bz2(bytes);
  return workload::is_netrace(bytes) ? workload::read_netrace(bytes) : workload::read_goal(bytes);
}

}  // namespace

std::string pack_bz2(std::string_view bytes) { return Packer(true).run(bytes); }

std::string unpack_bz2(std::string_view bytes) {
  std::string out;
  do {
    out += Packer(false).run(bytes);
    if (out.size() > kMostBytes) throw Error("bzip2: more than " + std::to_string(kMostBytes) + " unpacked bytes");
  } while (!bytes.empty());
  return out;
}

workload::Job read_job(const std::string& text) {
  if (is_motif(text) || !may_exist(text)) return workload::make_motif(text);
  try {
    workload::Job job = read_file(text);
    if (job.name == "goal") job.name = std::filesystem::path(text).filename();  // files of this format have no name
    return job;
  } catch (const Error& e) {
    const std::string why = e.what();
    throw Error(why.starts_with(text) || why.starts_with("'" + text) ? why : text + ": " + why);
  }
}

workload::Workload read_workload(const std::string& text) {
  workload::Workload out;
  for (const std::string_view job : split(text, ';')) out.jobs.push_back(read_job(std::string(job)));
  return out;
}

std::vector<std::string> workload_files(const std::string& text) {
  std::vector<std::string> out;
  for (const std::string_view part : split(text, ';')) {
    const std::string job(part);
    if (is_motif(job) || !may_exist(job)) continue;
    const std::vector<std::string> files = job.ends_with(kChakraEnd) ? rank_files(job) : std::vector{job};
    out.insert(out.end(), files.begin(), files.end());
  }
  return out;
}

std::vector<uint32_t> read_places(const std::string& path) {
  std::istringstream text(read_bytes(path));
  std::vector<uint32_t> out;
  int number = 0;
  for (std::string line; std::getline(text, line);) {
    ++number;
    line = line.substr(0, line.find('#'));
    const size_t first = line.find_first_not_of(" \t\r"), last = line.find_last_not_of(" \t\r");
    if (first == std::string::npos) continue;
    const std::string word = line.substr(first, last + 1 - first);
    uint32_t node = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), node);
    if (error != std::errc() || end != word.data() + word.size()) {
      throw Error(path + ": line " + std::to_string(number) + ": '" + word.substr(0, 40) +
                  "', expected a node's number");
    }
    out.push_back(node);
  }
  if (out.empty()) throw Error(path + ": no node");
  return out;
}

}  // namespace odonata::cli
