// SPDX-License-Identifier: Apache-2.0
#include "hw/fault/shared_table_ram.h"

namespace odonata::fault {

SharedTableRam::SharedTableRam(route_compute::RouteComputePipeline& pipeline, const Dragonfly& d, RouterId own, int port, Mode mode)
    : pipeline_(pipeline), d_(d), own_(own), at_(d.port_class(port)), mode_(mode), marks_("marks", static_cast<size_t>(num_rows(d))) {
  pipeline_.set_entry_filter([this](const route_compute::Request& request, const route_compute::Decoded& decoded,
                                    const route_compute::Entries& entries) { return look_up(request, decoded, entries); });
}

Options SharedTableRam::configured(int row, const EntryWords& words) const { return options_of_words(d_, at_, entry_of_row(d_, row), words); }

RowWord SharedTableRam::read(int row) {
  EntryWords words;
  words.a = pipeline_.table_a().read(static_cast<uint32_t>(row));
  if (has_b(row)) words.b = pipeline_.table_b().read(static_cast<uint32_t>(row - d_.p()));
  return {configured(row, words), marks_.read(static_cast<uint32_t>(row))};
}

/// The whole RAM word is written: the configured part as it is.
void SharedTableRam::write(int row, const RowWord& word) {
  hw::SinglePortRam &a = pipeline_.table_a(), &b = pipeline_.table_b();
  a.write(static_cast<uint32_t>(row), a.peek(static_cast<uint32_t>(row)));
  if (has_b(row)) b.write(static_cast<uint32_t>(row - d_.p()), b.peek(static_cast<uint32_t>(row - d_.p())));
  marks_.write(static_cast<uint32_t>(row), word.marks);
}

RowWord SharedTableRam::peek(int row) const {
  EntryWords words;
  words.a = pipeline_.table_a().peek(static_cast<uint32_t>(row));
  if (has_b(row)) words.b = pipeline_.table_b().peek(static_cast<uint32_t>(row - d_.p()));
  return {configured(row, words), marks_.peek(static_cast<uint32_t>(row))};
}

/// A look-up of stage 2: the marks come with the words, and what they forbid is not there.
route_compute::Entries SharedTableRam::look_up(const route_compute::Request& request, const route_compute::Decoded& decoded,
                                               const route_compute::Entries& entries) {
  if (decoded.zone == Zone::invalid) return entries;
  const int row = decoded.index_a;
  const EntryId id = entry_of_row(d_, row);
  const EntryWords words{entries.a, entries.b};
  const Options options = configured(row, words);
  const PortMap out = mask_ | (unit_ == nullptr ? 0 : unit_->unheard());
  const Marks marks = without_unheard(options, marks_.read(static_cast<uint32_t>(row)), out);
  const RowConfig config = row_config(d_, own_, id, mode_);
  const EntryWords kept = masked_words(d_, at_, id, words, effective(config, at_, options, marks, decoded.transit, request.vc));
  return {kept.a, kept.b};
}

}  // namespace odonata::fault
