// SPDX-License-Identifier: Apache-2.0
#include "sim/net_command/sweep/sweep_sqlite.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <set>

#include "models/common/error.h"
#include "sim/net_command/sweep/sweep_groups.h"
#include "sim/net_command/sweep/sweep_report.h"

namespace odonata::cli {

namespace {

/// A database in memory.
class Database {
 public:
  Database() {
    sqlite3* made = nullptr;
    const int code = sqlite3_open(":memory:", &made);
    db_.reset(made);
    check(code);
  }
  void run(const std::string& statement) {
    check(sqlite3_exec(db_.get(), statement.c_str(), nullptr, nullptr, nullptr));
  }
  /// A row; texts that are null become NULL.
  void insert(const std::string& table, const std::vector<Json>& values) {
    std::string marks;
    for (size_t i = 0; i < values.size(); ++i) marks += i == 0 ? "?" : ",?";
    sqlite3_stmt* made = nullptr;
    check(
        sqlite3_prepare_v2(db_.get(), ("INSERT INTO " + table + " VALUES(" + marks + ")").c_str(), -1, &made, nullptr));
    const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> statement(made, sqlite3_finalize);
    for (size_t i = 0; i < values.size(); ++i) check(bind(made, static_cast<int>(i) + 1, values[i]));
    if (sqlite3_step(made) != SQLITE_DONE) check(SQLITE_ERROR);
  }
  std::string bytes() const {
    sqlite3_int64 size = 0;
    const std::unique_ptr<unsigned char, void (*)(void*)> data(sqlite3_serialize(db_.get(), "main", &size, 0),
                                                               sqlite3_free);
    if (!data) throw Error("SQLite: the database cannot be read back");
    return {reinterpret_cast<const char*>(data.get()), static_cast<size_t>(size)};
  }

 private:
  static int bind(sqlite3_stmt* statement, int at, const Json& value) {
    if (value.is_null()) return sqlite3_bind_null(statement, at);
    if (value.is_number_float()) return sqlite3_bind_double(statement, at, value.get<double>());
    if (value.is_number() || value.is_boolean())
      return sqlite3_bind_int64(statement, at, value.is_boolean() ? value.get<bool>() : value.get<int64_t>());
    const std::string text = value.get<std::string>();
    return sqlite3_bind_text(statement, at, text.c_str(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
  }
  void check(int code) const {
    if (code != SQLITE_OK) throw Error(fmt::format("SQLite: {}", sqlite3_errmsg(db_.get())));
  }
  std::unique_ptr<sqlite3, int (*)(sqlite3*)> db_{nullptr, sqlite3_close};
};

/// Every setting of any run, and what every table has.
std::set<std::string> settings_of(const SweepResults& results) {
  std::set<std::string> out = always_told();
  for (const SweepPoint& p : results.points) {
    for (const auto& [key, value] : p.settings) out.insert(key);
  }
  return out;
}

/// SQLite turns the text of a number into one in a column of its kind NUMERIC. Its integers have a sign: a seed from
/// 2^63 on would lose digits there.
bool is_number(const std::string& setting, const SweepResults& results) {
  const network::Parameter* parameter = network::find_parameter(setting);
  if (parameter == nullptr || !(parameter->is_number() || parameter->is_fraction())) return false;
  return parameter->is_fraction() ||
         std::all_of(results.points.begin(), results.points.end(), [&](const SweepPoint& p) {
           const Json value = setting_of(p, setting);
           return !value.is_string() ||
                  std::strtoull(value.get<std::string>().c_str(), nullptr, 10) <= uint64_t{INT64_MAX};
         });
}

}  // namespace

std::string sweep_sqlite(const SweepFile& sweep, const SweepResults& results) {
  const std::set<std::string> settings = settings_of(results);
  std::string columns = "id INTEGER PRIMARY KEY, part INTEGER, title TEXT";
  for (const std::string& key : settings)
    columns += fmt::format(", \"{}\" {}", key, is_number(key, results) ? "NUMERIC" : "TEXT");
  const std::vector<std::string> measured = columns_of(results);
  for (const std::string& name : measured)
    columns += fmt::format(", \"{}{}\" REAL", name, settings.count(name) != 0 ? "_measured" : "");
  Database db;
  db.run("BEGIN; CREATE TABLE runs(" + columns + ", digest TEXT, result TEXT)");
  db.run("CREATE TABLE hops(run INTEGER REFERENCES runs(id), links INTEGER, share REAL)");
  db.run("CREATE TABLE saturation(part INTEGER, settings TEXT, load REAL, at_least INTEGER)");
  int64_t id = 0;
  for (const SweepPoint& p : results.points) {
    std::vector<Json> row{++id, p.part + 1, sweep.parts[p.part].title};
    for (const std::string& key : settings) row.push_back(setting_of(p, key));
    for (const std::string& name : measured) row.push_back(value_of(*p.result, name));
    row.push_back(p.result->value("digest", ""));
    row.push_back(p.result->dump());
    db.insert("runs", row);
    const Json hops = p.result->value("hops", Json::array());
    for (size_t n = 0; n < hops.size(); ++n) db.insert("hops", {id, n, hops[n].get<double>()});
  }
  for (const SaturationPoint& s : results.saturation)
    db.insert("saturation", {s.part + 1, to_text(s.settings), s.load >= 0 ? Json(s.load) : Json(),
                             sweep.parts[s.part].saturation->is_top(s.load)});
  db.run("COMMIT");
  return db.bytes();
}

}  // namespace odonata::cli
