// SPDX-License-Identifier: Apache-2.0
#include "models/fault/tell.h"

namespace odonata::fault {

Message entry_message(Mode mode, RouterId own, EntryId id, int c, Level level, const Message* cause) {
  Message m;
  m.kind = level == Level::full ? Kind::recovery : Kind::diagnosis;
  m.message_class = static_cast<MessageClass>(c);
  if (id.zone == Zone::group_local) {
    m.prefix = 2;
    m.gid = static_cast<uint16_t>(own.gid);
    m.bid = static_cast<uint8_t>(id.index);
    if (level == Level::gateway) m.nid = kGatewayOnly;
    return m;
  }
  m.gid = static_cast<uint16_t>(id.index);
  const bool forwards = cause != nullptr && cause->prefix >= 2;
  const bool coarse = mode == Mode::safe ? level == Level::lost || (level == Level::full && !forwards) : !forwards;
  if (coarse) return m;
  const bool gateway = level == Level::gateway;
  m.prefix = forwards && !gateway ? cause->prefix : 2;
  m.bid = forwards ? cause->bid : 0;
  m.nid = gateway ? kGatewayOnly : m.prefix == 3 ? cause->nid : 0;
  return m;
}

}  // namespace odonata::fault
