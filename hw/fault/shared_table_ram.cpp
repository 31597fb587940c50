// SPDX-License-Identifier: Apache-2.0
#include "hw/fault/shared_table_ram.h"

namespace odonata::fault {

SharedTableRam::SharedTableRam(route_compute::RouteComputePipeline& pipeline, const Dragonfly& d, int port, Ports ports)
    : pipeline_(pipeline),
      d_(d),
      at_(d.port_class(port)),
      ports_(ports),
      marks_("marks", static_cast<size_t>(num_rows(d))) {
  pipeline_.set_entry_filter(
      [this](const route_compute::Request& request, const route_compute::Decoded& decoded,
             const route_compute::Entries& entries) { return look_up(request, decoded, entries); });
}

/// Of several options in a word of table A the lowest speaks for all.
Options SharedTableRam::configured(int row, const EntryWords& words) const {
  Options o = options_of_words(d_, at_, entry_of_row(d_, row), words);
  o.a &= ~o.a + 1;
  if (!has_b(row)) o.b = 0;
  return o;
}

RowWord SharedTableRam::read(int row) {
  if (ports_ == Ports::two) return peek(row);  // beside a look-up; a write takes place at the edge
  EntryWords words;
  words.a = pipeline_.table_a().read(static_cast<uint32_t>(row));
  if (has_b(row)) words.b = pipeline_.table_b().read(static_cast<uint32_t>(row - d_.p()));
  return {configured(row, words), marks_.read(static_cast<uint32_t>(row))};
}

/// The whole RAM word is written: the configured part as it is.
void SharedTableRam::write(int row, const RowWord& word) {
  marks_.write(static_cast<uint32_t>(row), word.marks);
  if (ports_ == Ports::two) return;
  hw::SinglePortRam &a = pipeline_.table_a(), &b = pipeline_.table_b();
  a.write(static_cast<uint32_t>(row), a.peek(static_cast<uint32_t>(row)));
  if (has_b(row)) b.write(static_cast<uint32_t>(row - d_.p()), b.peek(static_cast<uint32_t>(row - d_.p())));
}

RowWord SharedTableRam::peek(int row) const {
  EntryWords words;
  words.a = pipeline_.table_a().peek(static_cast<uint32_t>(row));
  if (has_b(row)) words.b = pipeline_.table_b().peek(static_cast<uint32_t>(row - d_.p()));
  return {configured(row, words), marks_.peek(static_cast<uint32_t>(row))};
}

/// A look-up of stage 2: the marks come with the words, and what they forbid is not there.
route_compute::Entries SharedTableRam::look_up(const route_compute::Request& request,
                                               const route_compute::Decoded& decoded,
                                               const route_compute::Entries& entries) {
  if (decoded.zone == Zone::invalid) return entries;
  const int row = decoded.index_a;
  const EntryId id = entry_of_row(d_, row);
  const EntryWords words{entries.a, entries.b};
  const Options options = configured(row, words);
  const PortMap out = mask_ | (unit_ == nullptr ? 0 : unit_->unheard());
  const auto index = static_cast<uint32_t>(row);
  const Marks marks = without_unheard(options, ports_ == Ports::two ? marks_.peek(index) : marks_.read(index), out);
  RowConfig config;
  config.id = id;
  config.local_ports = low_mask(d_.a() - 1) << d_.first_local();
  config.global_ports = low_mask(d_.h()) << d_.first_global();
  const Options kept = effective(config, at_, options, marks, decoded.transit, request.vc);
  const EntryWords left = masked_words(d_, at_, id, words, {kept.a != 0 ? ~PortMap{0} : 0, kept.b});
  return {left.a, left.b};
}

}  // namespace odonata::fault
