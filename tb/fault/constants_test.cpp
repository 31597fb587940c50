// SPDX-License-Identifier: Apache-2.0
// Codes and layouts of messages and frames are written down once in models/fault; the RTL's package has its own copy,
// which is checked here, constant by constant.
#include <gtest/gtest.h>

#include "models/fault/entry.h"
#include "models/fault/packet.h"
#include "models/fault/port_unit.h"
#include "tb/common/sv_package.h"

namespace odonata::fault {
namespace {

template <class Enum>
uint64_t number(Enum value) {
  return static_cast<uint64_t>(value);
}

TEST(FaultConstants, PackageEqualsModels) {
  test::Package rtl("rtl/fault/fault_pkg.sv");

  EXPECT_EQ(rtl["ZoneN"], number(table::Zone::node));
  EXPECT_EQ(rtl["ZoneB"], number(table::Zone::group_local));
  EXPECT_EQ(rtl["ZoneG"], number(table::Zone::global));
  EXPECT_EQ(rtl["PortClassNode"], number(PortClass::node));
  EXPECT_EQ(rtl["PortClassLocal"], number(PortClass::local));
  EXPECT_EQ(rtl["PortClassGlobal"], number(PortClass::global));
  EXPECT_EQ(rtl["LevelFull"], number(Level::full));
  EXPECT_EQ(rtl["LevelPartial"], number(Level::partial));
  EXPECT_EQ(rtl["LevelLost"], number(Level::lost));
  EXPECT_EQ(rtl["LevelGateway"], number(Level::gateway));
  EXPECT_EQ(rtl["GatewayOnly"], kGatewayOnly);
  EXPECT_EQ(rtl["ScopeAll"], number(Scope::all));
  EXPECT_EQ(rtl["ScopeD"], number(Scope::d));
  EXPECT_EQ(rtl["ScopeS"], number(Scope::s));
  EXPECT_EQ(rtl["ScopeNone"], number(Scope::none));
  EXPECT_EQ(rtl["CommandDown"], number(CommandKind::link_down));
  EXPECT_EQ(rtl["CommandUp"], number(CommandKind::link_up));
  EXPECT_EQ(rtl["CommandFd"], number(CommandKind::diagnosis));
  EXPECT_EQ(rtl["CommandFr"], number(CommandKind::recovery));

  using State = PortUnit::State;
  EXPECT_EQ(rtl["StIdle"], number(State::idle));
  EXPECT_EQ(rtl["StRead"], number(State::read));
  EXPECT_EQ(rtl["StExecute"], number(State::execute));
  EXPECT_EQ(rtl["StSecond"], number(State::second));
  EXPECT_EQ(rtl["StTell"], number(State::tell));
  EXPECT_EQ(rtl["StTellSecond"], number(State::tell_second));
  EXPECT_EQ(rtl["StPortTell"], number(State::port_tell));

  // A message: the greatest value of each field, and where it stands.
  const auto greatest = [](uint64_t width) { return (uint64_t{1} << width) - 1; };
  Message gid{.prefix = 0}, bid = gid, nid = gid, prefix = gid, message_class = gid, kind = gid;
  gid.gid = static_cast<uint16_t>(greatest(rtl["GidWidth"]));
  bid.bid = static_cast<uint8_t>(greatest(rtl["BidWidth"]));
  nid.nid = static_cast<uint8_t>(greatest(rtl["NidWidth"]));
  prefix.prefix = static_cast<uint8_t>(rtl["PrefixNode"]);
  message_class.message_class = MessageClass::s;
  kind.kind = Kind::recovery;
  EXPECT_EQ(encode_message(gid), greatest(rtl["GidWidth"]) << rtl["InnerWidth"]);
  EXPECT_EQ(encode_message(bid), greatest(rtl["BidWidth"]) << rtl["NidWidth"]);
  EXPECT_EQ(encode_message(nid), greatest(rtl["NidWidth"]));
  EXPECT_EQ(encode_message(prefix), rtl["PrefixNode"] << rtl["PrefixLsb"]);
  EXPECT_EQ(encode_message(message_class), rtl["ClassS"] << rtl["ClassLsb"]);
  EXPECT_EQ(encode_message(kind), rtl["KindFr"] << rtl["KindLsb"]);
  EXPECT_EQ(rtl["KindFd"], number(Kind::diagnosis));
  EXPECT_EQ(rtl["ClassD"], number(MessageClass::d));
  EXPECT_EQ(rtl["AddressWidth"], rtl["PrefixLsb"]);
  EXPECT_EQ(rtl["MessageWidth"], 22u);
  const RouterId own{1, 1};
  for (const auto& [name, zone] : {std::pair{"PrefixGroup", table::Zone::global},
                                   {"PrefixRouter", table::Zone::group_local},
                                   {"PrefixNode", table::Zone::node}})
    EXPECT_EQ(aim({.prefix = static_cast<uint8_t>(rtl[name]), .gid = 1, .bid = 1, .nid = 1}, own).zone, zone) << name;
  EXPECT_FALSE(well_formed({.prefix = static_cast<uint8_t>(rtl["PrefixPort"])}, Dragonfly::named("tiny")));

  // A frame.
  EXPECT_EQ(rtl["FrameReserved"], number(FrameType::reserved));
  EXPECT_EQ(rtl["FrameMessage"], number(FrameType::message));
  EXPECT_EQ(rtl["FrameAcknowledge"], number(FrameType::acknowledge));
  EXPECT_EQ(rtl["FrameAskAgain"], number(FrameType::ask_again));
  const auto body = [&](const Frame& frame) { return encode_frame(frame) & greatest(rtl["BodyWidth"]); };
  EXPECT_EQ(body({.type = FrameType::ask_again, .sequence = 0}), rtl["FrameAskAgain"] << rtl["TypeLsb"]);
  EXPECT_EQ(body({.type = FrameType::reserved, .sequence = 15}), greatest(rtl["SequenceWidth"]) << rtl["SequenceLsb"]);
  EXPECT_EQ(body({.type = FrameType::message, .message = nid}),
            rtl["FrameMessage"] << rtl["TypeLsb"] | greatest(rtl["NidWidth"]) << rtl["FrameZeroWidth"]);
  EXPECT_EQ(rtl["CrcWidth"], 8 * sizeof(crc8(0)));
  EXPECT_EQ(rtl["FrameWidth"], 40u);

  EXPECT_EQ(rtl.unused(), std::vector<std::string>{}) << "constants of the package that are compared with nothing";
}

}  // namespace
}  // namespace odonata::fault
