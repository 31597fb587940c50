// SPDX-License-Identifier: Apache-2.0
// Programs by name: motifs, and files of the formats of docs/workloads.md §5.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/workload/program.h"

namespace odonata::cli {

/// A motif, or a file: GOAL, netrace (packed or not), Chakra (PREFIX.0.et stands for the files of all ranks). Throws
/// Error that names the file and the line or record.
workload::Job read_job(const std::string& text);
/// Several with ';' between.
workload::Workload read_workload(const std::string& text);
/// The files that read_workload() reads, of Chakra those of all ranks.
std::vector<std::string> workload_files(const std::string& text);
/// A node's number a line; '#' starts a comment. Throws Error "FILE: line N: ...".
std::vector<uint32_t> read_places(const std::string& path);

/// bzip2; `unpack` takes several streams one behind the other, and throws Error when the bytes are damaged or cut off.
std::string pack_bz2(std::string_view bytes);
std::string unpack_bz2(std::string_view bytes);

}  // namespace odonata::cli
