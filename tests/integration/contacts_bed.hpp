#pragma once
// A database of the contacts service, what its tests put into it, and replicas of the service's stores beside each
// other.

#include <doctest/doctest.h>

#include "common/pg/migrate.hpp"
#include "contacts/contacts/store.hpp"
#include "contacts/lists/store.hpp"
#include "contacts/tags/store.hpp"
#include "tests/integration/pg_loop.hpp"
#include "tests/support/sql.hpp"

namespace parley::contacts_tests {

using namespace std::chrono_literals;
using boost::asio::awaitable;
using Filter = contacts::contacts::PageFilter;
using contacts::contacts::Page;
using contacts::contacts::SortBy;
using model::ContactStatus;
using model::Uuid;
using pg_tests::Loop;
using pg_tests::pause_for;
using support::Sql;

// A database of its own with the service's schema. On the shared server it outlives its object.
class Database {
 public:
  explicit Database(const support::PostgresServer& server = pg_tests::shared_server());

  std::string url() const { return url_; }
  pg::Settings settings() const;
  // A connection for seeding and for looking; renewed by reconnect(), for servers that were restarted.
  Sql& sql() { return *sql_; }
  void reconnect() { sql_ = std::make_unique<Sql>(url_); }

  // Each in one transaction with the tally, as the service's own writers do it.
  Uuid add_contact(const Uuid& organization, const std::string& name, const std::string& phone = "",
                   const std::string& status = "Active", const std::string& attributes = "{}");
  std::vector<Uuid> add_contacts(const Uuid& organization, int count);  // of one statement; without phones
  Uuid add_list(const Uuid& organization, const std::string& name, const std::vector<Uuid>& members = {});
  Uuid add_tag(const Uuid& organization, const std::string& label);
  void tag_contact(const Uuid& organization, const Uuid& contact, const Uuid& tag);
  void tag_list(const Uuid& organization, const Uuid& list, const Uuid& tag);

  // Rows of every table, and how many tallies are not what counting gives: "contact 3, list 1 ...".
  std::string row_counts();
  std::int64_t drifted();

 private:
  void add_to_tally(const Uuid& organization, const Uuid& list, std::int64_t contacts);

  std::string url_;
  std::unique_ptr<Sql> sql_;
};

// What a process of the service has: its own pool, its own Redis connection, its own cache.
struct Replica {
  Replica(Loop& loop, const pg::Settings& database, const std::string& redis_url);
  ~Replica();

  pg::Pool pool;
  redis::Client redis;
  redis::CountCache counts;
  contacts::contacts::Store contacts;
  contacts::lists::Store lists;
  contacts::tags::Store tags;
};

// Runs a use case in a transaction of its own, as the service's routes do.
template <class UseCase>
auto transact(pg::Pool& pool, UseCase use) -> std::invoke_result_t<UseCase, pg::Transaction&> {
  auto transaction = co_await pool.begin();
  using Result = typename std::invoke_result_t<UseCase, pg::Transaction&>::value_type;
  if constexpr (std::is_void_v<Result>) {
    co_await use(transaction);
    co_await transaction.commit();
  } else {
    auto result = co_await use(transaction);
    co_await transaction.commit();
    co_return result;
  }
}

inline awaitable<model::List> create_list(Replica& replica, Uuid organization, contacts::lists::NewList list) {
  return transact(replica.pool, [&replica, organization, list = std::move(list)](pg::Transaction& transaction) {
    return replica.lists.create(transaction, organization, list);
  });
}

// Settings under which only a broken server makes a batch fail, however slow the machine.
pg::Settings patient(pg::Settings settings);

std::vector<std::string> texts(const std::vector<Uuid>& ids);

// A contact as clients read it, but for conversations.
struct Contact : model::ContactSummary {
  std::vector<model::List> lists;
  std::vector<model::Tag> tags;
};
BOOST_DESCRIBE_STRUCT(Contact, (model::ContactSummary), (lists, tags))

// A contact with its lists and tags read back from the JSON that they are written as.
inline Contact read_back(const contacts::contacts::PageContact& contact) {
  const auto read = [](const model::RawJson& json, auto& out) {
    model::Fault fault;
    model::Reader reader;
    reader.read(model::parse(json.text, fault).value(), out);
    REQUIRE(reader.faults.empty());
  };
  Contact out;
  static_cast<model::ContactSummary&>(out) = contact;
  read(model::RawJson{model::to_json(contact.lists)}, out.lists);
  read(model::RawJson{model::to_json(contact.tags)}, out.tags);
  return out;
}

}  // namespace parley::contacts_tests
