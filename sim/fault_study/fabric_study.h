// SPDX-License-Identifier: Apache-2.0
// `odonata fault-study --torus` and `--fat-tree`: how long every router needs to know of random faults (docs/torus.md
// §10, docs/vtftr.md §7).
#pragma once

#include <string>

#include "sim/common/command.h"
#include "sim/common/output.h"

namespace odonata::cli {

struct FabricStudyOptions {
  std::string torus, fat_tree, rule = "any";
  std::string fault_class;  ///< torus: node or link
  uint64_t detect = 16, service = 1000;
  bool mask_form = false;

  bool given() const { return !torus.empty() || !fat_tree.empty(); }
};
/// Adds --torus, --rule, --fat-tree, --detect, --service, --mask-form.
void add_fabric_study_options(Command& command, FabricStudyOptions& options);

/// Random sets of `faults` faults, drawn from the seed. Torus: `classes.{node,link}` with `rounds`, `marks`, `walls`,
/// `total`, `disabled`, in cycles and nodes. Fat-tree: the leaves of a set fail one after the other, each when the
/// tables know of those before; of the last one `classes.leaf` with `manager` and `without_manager`, each `detection`,
/// `report`, `service`, `broadcast`, `update`, `roots`, `leaves`, `total` in cycles of 1 ns, of the sets of which
/// somebody hears, and the number of the others, `unheard`. Throws Error.
Json torus_study(const FabricStudyOptions& options, uint64_t samples, uint64_t faults, uint64_t seed);
Json fat_tree_study(const FabricStudyOptions& options, uint64_t samples, uint64_t faults, uint64_t seed);
/// The command: prints a table, writes the result.
void run_fabric_study(const FabricStudyOptions& options, uint64_t samples, uint64_t faults, uint64_t seed,
                      const std::string& json);

}  // namespace odonata::cli
