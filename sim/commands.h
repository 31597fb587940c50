// SPDX-License-Identifier: Apache-2.0
// Every sub-command of `odonata`. A function adds one (or a family) to the program; main() registers them all. Each is
// in the folder of its name, unless said.
#pragma once

namespace CLI {
class App;
}

namespace odonata::cli {

/// All of them.
void add_all_commands(CLI::App& app);

void add_route_command(CLI::App& app);
void add_pipeline_command(CLI::App& app);
void add_cosim_command(CLI::App& app);
void add_arb_commands(CLI::App& app);
void add_fault_command(CLI::App& app);         ///< sim/fault_command
void add_fault_timing_command(CLI::App& app);  ///< sim/fault_command
void add_fault_study_command(CLI::App& app);
void add_congestion_command(CLI::App& app);
void add_net_command(CLI::App& app);         ///< sim/net_command
void add_crosscheck_command(CLI::App& app);  ///< sim/net_command
void add_mesh_trace_command(CLI::App& app);  ///< sim/net_command
void add_workload_command(CLI::App& app);
void add_sweep_command(CLI::App& app);  ///< sim/net_command/sweep
void add_jobs_command(CLI::App& app);   ///< sim/cluster
void add_wrap_command(CLI::App& app);
void add_vectors_command(CLI::App& app);
void add_report_command(CLI::App& app);  ///< sim/report
void add_view_command(CLI::App& app);    ///< sim/report

}  // namespace odonata::cli
