#include "tests/integration/events_bed.hpp"

#include <memory>

namespace parley::events_tests {

namespace {

const pg::Statement insert_applied("tests.events.insert_applied",
                                   "INSERT INTO applied (n, by_whom) SELECT n, $2 FROM unnest($1) n", pg::Lane::write,
                                   {pg::oid::int8_array, pg::oid::int4}, pg::Statement::Kind::unlisted);
const pg::Statement delete_applied("tests.events.delete_applied", "DELETE FROM applied", pg::Lane::write, {},
                                   pg::Statement::Kind::unlisted);

}  // namespace

std::int64_t number_of(const events::Event& event) {
  model::Fault fault;
  const auto json = model::parse(event.changes.text, fault);
  if (!json || !json->is_array() || json->as_array().size() != 1) throw events::BadEvent("not one change");
  Number change;
  model::Reader reader;
  reader.read(json->as_array()[0], change);
  if (!reader.faults.empty()) throw events::BadEvent("no number");
  return change.n;
}

awaitable<void> record(pg::Transaction& transaction, std::span<const events::Event> events, int whom) {
  std::vector<std::int64_t> numbers;
  for (const auto& event : events) numbers.push_back(number_of(event));
  co_await transaction.run(pg::Batch(insert_applied, numbers, whom));
}

namespace {
awaitable<void> forget(pg::Transaction& transaction) { co_await transaction.run(pg::Batch(delete_applied)); }
}  // namespace

events::ConsumerWork recording_work(int whom) {
  return {.ask = {},
          .apply = [whom](pg::Transaction& transaction,
                          std::span<const events::Event> events) { return record(transaction, events, whom); },
          .forget = forget,
          .report = quiet()};
}

events::FeedPage page_of(const http::Response& response) {
  model::Fault fault;
  const auto json = model::parse(response.body, fault);
  CAPTURE(fault.detail);
  REQUIRE(json);
  events::FeedPage page;
  model::Reader reader;
  reader.read(*json, page);
  REQUIRE(reader.faults.empty());
  return page;
}

}  // namespace parley::events_tests
