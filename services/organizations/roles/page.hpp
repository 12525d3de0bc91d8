#pragma once
// Pages of what has roles: members and invitations. A few roles are many records', and may be long: each is read once,
// as JSON, and a page ends where its records would be too long.
#include <boost/asio/awaitable.hpp>
#include <span>
#include <unordered_map>

#include "common/http/page.hpp"
#include "common/pg/pool.hpp"

namespace parley::organizations::roles {

using boost::asio::awaitable;

// The JSON of roles, by their ids.
class Texts {
 public:
  static awaitable<Texts> read(pg::Pool& database, model::Uuid organization, std::vector<model::Uuid> ids);
  // A JSON array. Of what was deleted there may be ids left.
  std::string array_of(std::span<const model::Uuid> ids) const;

 private:
  std::unordered_map<model::Uuid, std::string> json_;
};

// Records that are shown with their roles.
template <class Record>
struct Shown {
  std::vector<Record> records;
  bool cut = false;  // there are more, that would be too long
};

// Puts their roles to the rows of a page, of which as many are shown as have roles of at most so many octets, one at
// least. A row is a record whose `roles` are a RawJson, with `role_ids` and `octets`: of the texts of its roles and of
// those of all rows before it. Where these are too many the statement ends, with the row that they are too many with.
template <class Record, class Row>
awaitable<Shown<Record>> show(pg::Pool& database, model::Uuid organization, std::vector<Row> rows,
                              std::size_t most = http::kMaxPageOctets) {
  Shown<Record> shown{{}, rows.size() > 1 && rows.back().octets > static_cast<std::int64_t>(most)};
  if (shown.cut) rows.pop_back();
  std::vector<model::Uuid> ids;
  for (const auto& row : rows) ids.insert(ids.end(), row.role_ids.begin(), row.role_ids.end());
  const auto texts = co_await Texts::read(database, organization, std::move(ids));
  std::size_t octets = 0;
  for (auto& row : rows) {
    row.roles.text = texts.array_of(row.role_ids);
    octets += row.roles.text.size();
    if (octets > most && !shown.records.empty()) {
      shown.cut = true;
      break;
    }
    shown.records.push_back(std::move(static_cast<Record&>(row)));
  }
  co_return shown;
}

}  // namespace parley::organizations::roles
