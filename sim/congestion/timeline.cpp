// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "sim/congestion/measure.h"

namespace odonata::cli {

using namespace congestion;

namespace {

constexpr int kLeft = 90, kWidth = 860, kRow = 22, kTop = 40;
constexpr const char* kColours[] = {"#8da0cb", "#fc8d62", "#e78ac3", "#66c2a5", "#ffd92f"};

std::string bar(double x0, double x1, int y, Stage stage, int64_t from, int64_t to) {
  return fmt::format("<rect x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"16\" fill=\"{}\"><title>{}: edge {} to {}, {} cycles</title></rect>\n",
                     x0, y, x1 - x0, kColours[static_cast<int>(stage)], to_string(stage), from, to, to - from);
}

/// A row a destination: wait, PCS, link, multiplex, ring (to the last stop), with the time axis in cycles since the change.
std::string way_of_a_bit(const AgeMeasurement& m) {
  if (m.first.empty()) return "<p>No change arrived.</p>\n";
  const int64_t start = m.first.front().changed;
  int64_t end = start;
  for (const AgeSample& s : m.first) end = std::max(end, s.loaded + m.parameters.ring_stops);
  const double scale = static_cast<double>(kWidth - kLeft - 20) / static_cast<double>(end - start);
  const auto x = [&](int64_t edge) { return kLeft + scale * static_cast<double>(edge - start); };
  const int height = kTop + kRow * static_cast<int>(m.first.size()) + 30;
  std::string svg = fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"Way of one congestion bit\">\n", kWidth, height);
  for (int64_t t = 0; t <= end - start; t += 10) {
    svg += fmt::format(
        "<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\" class=\"grid\"/><text x=\"{0:.1f}\" y=\"{3}\" class=\"tick\">{4}</text>\n",
        x(start + t), kTop - 8, height - 20, kTop - 14, t);
  }
  int y = kTop;
  for (const AgeSample& s : m.first) {
    svg += fmt::format("<text x=\"6\" y=\"{}\">router {}</text>\n", y + 13, s.destination);
    svg += bar(x(s.changed), x(s.sent), y, Stage::wait, s.changed, s.sent);
    svg += bar(x(s.sent), x(s.sent + m.parameters.pcs), y, Stage::pcs, s.sent, s.sent + m.parameters.pcs);
    svg += bar(x(s.sent + m.parameters.pcs), x(s.arrived), y, Stage::link, s.sent + m.parameters.pcs, s.arrived);
    svg += bar(x(s.arrived), x(s.loaded), y, Stage::multiplex, s.arrived, s.loaded);
    svg += bar(x(s.loaded), x(s.loaded + m.parameters.ring_stops), y, Stage::ring, s.loaded, s.loaded + m.parameters.ring_stops);
    y += kRow;
  }
  return svg + "</svg>\n";
}

std::string legend() {
  std::string out = "<p>";
  for (int i = 0; i < kNumStages - 1; ++i) {
    out += fmt::format("<span class=\"key\" style=\"background:{}\"></span>{} ", kColours[i], to_string(static_cast<Stage>(i)));
  }
  return out + "</p>\n";
}

std::string stage_table(const AgeMeasurement& m) {
  std::string out = "<table><tr><th>stage</th><th>min</th><th>mean</th><th>max</th><th>closed form</th></tr>\n";
  for (int i = 0; i < kNumStages; ++i) {
    const auto s = static_cast<Stage>(i);
    const Range range = closed_form(m.parameters, s);
    out += fmt::format("<tr><td>{}</td><td>{}</td><td>{:.2f}</td><td>{}</td><td>{} .. {}</td></tr>\n", to_string(s), m.stage(s).min(),
                       m.stage(s).mean(), m.stage(s).max(), range.min, range.max);
  }
  return out + "</table>\n";
}

/// Bars of the total age.
std::string histogram(const Histogram& h) {
  const int low = h.min(), high = h.max();
  uint64_t most = 1;
  for (uint64_t n : h.counts()) most = std::max(most, n);
  const double step = static_cast<double>(kWidth - kLeft - 20) / (high - low + 1);
  std::string svg = fmt::format("<svg viewBox=\"0 0 {} 180\" role=\"img\" aria-label=\"Histogram of the total age\">\n", kWidth);
  for (int x = low; x <= high; ++x) {
    const uint64_t n = static_cast<size_t>(x) < h.counts().size() ? h.counts()[x] : 0;
    const double height = 130.0 * static_cast<double>(n) / static_cast<double>(most);
    svg += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"#8da0cb\"><title>{} cycles: {} samples</title></rect>\n",
        kLeft + step * (x - low), 150 - height, step * 0.9, height, x, n);
    if (x == low || x == high || x % 10 == 0) {
      svg += fmt::format("<text x=\"{:.1f}\" y=\"168\" class=\"tick\">{}</text>\n", kLeft + step * (x - low + 0.5), x);
    }
  }
  return svg + "</svg>\n";
}

}  // namespace

std::string timeline_page(const Dragonfly& d, const PlaneConfig& config, const std::vector<AgeMeasurement>& measurements) {
  std::string out =
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Age of congestion information</title>\n<style>"
      "body{font:15px system-ui,sans-serif;max-width:900px;margin:2em auto;padding:0 1em;color:#222}"
      "svg{width:100%;font:12px system-ui,sans-serif}.tick{text-anchor:middle;font-size:11px;fill:#555}.grid{stroke:#ddd}"
      "table{border-collapse:collapse}td,th{padding:.2em .8em;border-bottom:1px solid "
      "#ddd;text-align:right}td:first-child,th:first-child{text-align:left}"
      ".key{display:inline-block;width:1em;height:1em;margin:0 .3em 0 1em;vertical-align:-2px}</style></head><body>\n";
  out += fmt::format("<h1>Age of congestion information</h1>\n<p>{}; broadcast interval {}, PCS {}, link {} cycles.</p>\n", d.name(), config.interval,
                     config.pcs, config.link);
  for (const AgeMeasurement& m : measurements) {
    out += fmt::format("<h2>Traffic on the local links: {}</h2>\n", to_string(m.traffic));
    out += "<p>The way of global port 0 of router 0 to the other routers; cycles since the change.</p>\n" + legend() + way_of_a_bit(m);
    out += stage_table(m) + "<p>Total age of all samples, in cycles:</p>\n" + histogram(m.stage(Stage::total));
  }
  return out + "</body></html>\n";
}

}  // namespace odonata::cli
