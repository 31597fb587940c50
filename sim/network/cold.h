// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Of a function of the engine that runs once or a few times a run: it is made small. It is compiled for every routing,
/// and made fast, all of them together took a fifth of the compile time of the policies.
#ifdef __clang__
#define ODONATA_COLD __attribute__((cold, minsize))
#else
#define ODONATA_COLD __attribute__((cold))
#endif
