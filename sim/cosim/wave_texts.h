// SPDX-License-Identifier: Apache-2.0
// Texts for the values in a waveform, so that a viewer shows HopGA and StRead in the place of 1 and 1.
#pragma once

#include <string>
#include <string_view>

namespace odonata::cli {

/// The same waveform with the enumerations of the block's RTL package (signals by the ends of their names,
/// cmake/units/texts.py): tables in an FST, in a VCD a signal of texts `NAME_text` beside each. What is neither comes
/// back as it is.
std::string with_texts(const std::string& waveform, std::string_view block);

/// Does that to a file, unless it is no regular one or larger than the memory that this should cost (256 MB).
void add_texts(const std::string& path, std::string_view block);

}  // namespace odonata::cli
