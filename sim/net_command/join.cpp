// SPDX-License-Identifier: Apache-2.0
#include "sim/net_command/join.h"

#include <cerrno>
#include <cstring>
#include <optional>

#include "models/common/error.h"
#include "sim/common/program.h"
#include "sim/common/share_command.h"
#include "sim/network/mpi/mpi_exchange.h"

namespace odonata::cli {

std::unique_ptr<network::Exchange> join_command() {
  std::unique_ptr<network::Exchange> out = network::join_ranks();
  if (!out) return out;
  share_command(out->own(), network::leave_ranks);
  check_equal(*out, "the ranks run different programs", "build=" + build_id());
  return out;
}

namespace {

/// The error of the first rank that has one, on all of them.
void agree(network::Exchange& ranks, const std::string& own) {
  const std::string error = first_text(&ranks, own);
  if (!error.empty()) throw Error(error);
}

/// What `work` throws, in words.
std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

void write_first_part(const OutputFile& file, network::Exchange& ranks,
                      const std::function<void(std::ostream&)>& fill) {
  file.write_with([&](std::ostream& to) {
    first_text(&ranks, file.place());
    agree(ranks, "");
    errno = 0;
    fill(to);
    const bool good = static_cast<bool>(to.flush());
    const std::string why = errno == 0 ? "" : std::string(": ") + std::strerror(errno);
    agree(ranks, good ? "" : "output '" + file.path() + "' cannot be written" + why);
  });
}

void write_other_part(network::Exchange& ranks, const std::function<void(std::ostream&)>& fill) {
  const std::string place = first_text(&ranks, ""), rank = "rank " + std::to_string(ranks.own()) + ": ";
  std::optional<FilePart> part;
  const std::string missing = error_of([&] { part.emplace(place); });
  agree(ranks, missing.empty() ? "" : rank + missing + "; expected a folder that all ranks see");
  fill(part->stream());
  const std::string lost = error_of([&] { part->close(); });
  agree(ranks, lost.empty() ? "" : rank + lost);
}

}  // namespace

void write_together(const OutputFile& file, network::Exchange* ranks, const std::function<void(std::ostream&)>& fill) {
  if (ranks == nullptr) return file.write_with(fill);
  if (ranks->own() == 0) return write_first_part(file, *ranks, fill);
  write_other_part(*ranks, fill);
}

}  // namespace odonata::cli
