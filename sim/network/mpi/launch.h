// SPDX-License-Identifier: Apache-2.0
// How mpirun and srun tell a process that it is one of several.
#pragma once

#include <cstdlib>

namespace odonata {

/// Number of processes started together, as Open MPI (also under srun --mpi=pmix) and MPICH have it; 1: alone, or not
/// known.
inline int launched_ranks() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"}) {
    if (const char* text = std::getenv(name); text != nullptr && std::atoi(text) > 0) return std::atoi(text);
  }
  const char* steps = std::getenv("SLURM_STEP_NUM_TASKS");  // a step of srun, whose PMIx tells the rank only
  return std::getenv("PMIX_RANK") != nullptr && steps != nullptr ? std::atoi(steps) : 1;
}

/// The number of this one, 0..; before it has joined the others.
inline int launched_rank() {
  if (launched_ranks() == 1) return 0;
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"}) {
    if (const char* text = std::getenv(name); text != nullptr) return std::atoi(text);
  }
  return 0;
}

}  // namespace odonata
