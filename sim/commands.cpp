// SPDX-License-Identifier: Apache-2.0
#include "sim/commands.h"

namespace odonata::cli {

void add_all_commands(CLI::App& app) {
  add_route_command(app);
  add_pipeline_command(app);
  add_cosim_command(app);
  add_arb_commands(app);
  add_fault_command(app);
  add_fault_timing_command(app);
  add_fault_study_command(app);
  add_congestion_command(app);
  add_net_command(app);
  add_crosscheck_command(app);
  add_mesh_trace_command(app);
  add_workload_command(app);
  add_sweep_command(app);
  add_jobs_command(app);
  add_wrap_command(app);
  add_vectors_command(app);
  add_report_command(app);
  add_view_command(app);
}

}  // namespace odonata::cli
