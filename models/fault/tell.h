// SPDX-License-Identifier: Apache-2.0
// What a port tells the neighbour about an entry whose level has changed (Match_FD, Match_FR; docs/fault.md §4 "Tell").
#pragma once

#include "models/fault/entry.h"

namespace odonata::fault {

/// The message about entry `id` of router `own` that has come to `level` in class `c` (0 D, 1 S). `cause`: the message
/// that is being answered; its address is forwarded from prefix 2 on. No cause (a travel): the entry is named.
Message entry_message(Mode mode, RouterId own, EntryId id, int c, Level level, const Message* cause);

}  // namespace odonata::fault
