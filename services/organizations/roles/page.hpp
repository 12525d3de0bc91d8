#pragma once
// Pages of members and invitations. Many share a few roles with long texts: each role is read and serialized once.
#include <boost/asio/awaitable.hpp>
#include <span>
#include <unordered_map>

#include "common/http/page.hpp"
#include "common/pg/pool.hpp"

namespace parley::organizations::roles {

using boost::asio::awaitable;

class Texts {
 public:
  static awaitable<Texts> read(pg::Pool& database, model::Uuid organization, std::vector<model::Uuid> ids);
  // A JSON array; skips ids of deleted roles.
  std::string array_of(std::span<const model::Uuid> ids) const;

 private:
  std::unordered_map<model::Uuid, std::string> json_;
};

template <class Record>
struct Shown {
  std::vector<Record> records;
  bool cut = false;  // more records exist, but the page would be too long
};

// Returns the records with their roles, up to `most` octets of roles, at least one record. A row has `roles` (RawJson),
// `role_ids` and `octets`, the running sum of its roles' texts. The statement ends with the row that exceeds the limit.
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
