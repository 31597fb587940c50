// SPDX-License-Identifier: Apache-2.0
#include "models/common/frame.h"

#include <gtest/gtest.h>

#include "models/common/error.h"

namespace odonata {
namespace {

TEST(Frame, KnownCrc) {
  EXPECT_EQ(crc32("123456789"), 0xCBF43926u);  // the check value of CRC-32
  EXPECT_EQ(crc32(""), 0u);
  EXPECT_EQ(crc32("The quick brown fox jumps over the lazy dog"), 0x414FA339u);
}

TEST(Frame, PiecesAreAsTheWhole) {
  const std::string text = "The quick brown fox jumps over the lazy dog";
  for (size_t cut = 0; cut <= text.size(); ++cut) {
    Crc32 crc;
    crc.add(text.substr(0, cut));
    crc.add(text.substr(cut));
    EXPECT_EQ(crc.value(), crc32(text)) << cut;
  }
}

TEST(Frame, GoesThereAndBack) {
  for (const std::string content : {"", "x", "twelve bytes"})
    EXPECT_EQ(unframe("test", "TESTMARK", frame("TESTMARK", content)), content);
}

// Other programs read these files: the CRC is over mark, content and length.
TEST(Frame, ItsBytesAreThoseOfTheFormat) {
  const std::string length("\1\0\0\0\0\0\0\0", 8);
  EXPECT_EQ(crc32("TESTMARKx" + length), 0x95AA3871u);
  EXPECT_EQ(frame("TESTMARK", "x"), "TESTMARKx" + length + "\x71\x38\xAA\x95");
}

TEST(Frame, EveryDamageIsNoticed) {
  const std::string whole = frame("TESTMARK", "some content");
  for (size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::string broken = whole;
    broken[bit / 8] = static_cast<char>(broken[bit / 8] ^ (1 << bit % 8));
    EXPECT_THROW(unframe("test", "TESTMARK", broken), Error) << bit;
  }
  for (size_t size = 0; size < whole.size(); ++size)
    EXPECT_THROW(unframe("test", "TESTMARK", whole.substr(0, size)), Error) << size;
  EXPECT_THROW(unframe("test", "TESTMARK", whole + "x"), Error);
  EXPECT_THROW(unframe("test", "OTHERONE", whole), Error);
}

}  // namespace
}  // namespace odonata
