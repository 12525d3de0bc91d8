// The demo data, by the services' own logins and schemas: its campaigns reach analytics as events, and the report is
// what plain SQL counts in the messages.
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <cstdio>

#include "analytics/reports/store.hpp"
#include "analytics/rollups/store.hpp"
#include "tests/integration/events_bed.hpp"
#include "tests/integration/new_database.hpp"

using namespace parley;
using namespace parley::events_tests;

namespace {

const std::string kSource = PARLEY_SOURCE_DIR;
const char* const kServices[] = {"contacts", "conversations", "organizations", "analytics"};
const char* const kOrganization = "01949c3b-0000-7000-8000-000000000001";

// Runs a shell command, gives what it printed; a failure is the test's.
std::string shell(const std::string& command) {
  std::string out;
  FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  char piece[4096];
  for (std::size_t n = 0; (n = std::fread(piece, 1, sizeof piece, pipe)) > 0;) out.append(piece, n);
  const int status = ::pclose(pipe);
  if (status != 0) throw std::runtime_error(command + ": " + out);
  return out;
}

// One database with all four schemas and an organization, as deploy/local/up makes it.
struct Product {
  Product() {
    shared_server().execute("CREATE DATABASE demo");
    environment = "env PGHOST=127.0.0.1 PGPORT=" + std::to_string(shared_server().port()) +
                  " PGDATABASE=demo ORGANIZATION_ID=" + kOrganization + " ";
    for (const std::string service : kServices) {
      shell("(echo '\\set name " + service + "'; echo '\\set password x'; sed 's/database parley/database demo/' " +
            kSource + "/deploy/local/database.sql) | " + environment + "psql -X -q -U postgres -v ON_ERROR_STOP=1");
      pg::migrate(url(service), pg_tests::schema_of(service));
    }
    const std::string id = "'" + std::string(kOrganization) + "'";
    support::execute(url("organizations"),
                     "INSERT INTO organization (organization_id, name) VALUES (" + id + ", 'Demo');" +
                         "INSERT INTO person (id, email, name) VALUES (" + id +
                         ", 'owner@demo.example', 'Demo Owner');" +
                         "INSERT INTO member (organization_id, id, person_id, access_level) VALUES (" + id + ", " + id +
                         ", " + id + ", 'Owner')");
  }
  std::string url(const std::string& service) const { return shared_server().url(service, "demo"); }
  void fill() const { shell(environment + kSource + "/deploy/local/demo.d/fill"); }
  std::string count(const std::string& service, const std::string& table) const {
    return support::execute(url(service), "SELECT count(*) FROM " + table);
  }
  // Everything that the demo makes, as one text.
  std::string contents() const {
    std::string out;
    for (const char* table : {"contact", "list", "tag", "membership", "contact_tag", "list_tag", "tally"})
      out += support::execute(
          url("contacts"), "SELECT '" + std::string(table) +
                               "' || count(*) || md5(string_agg(t::text, ',' ORDER BY t::text)) FROM " + table + " t");
    for (const char* table :
         {"conversation", "message", "conversation_tag", "campaign", "target", "click", "engagement", "campaign_count"})
      out +=
          support::execute(url("conversations"),
                           "SELECT '" + std::string(table) +
                               "' || count(*) || md5(string_agg(t::text, ',' ORDER BY t::text)) FROM " + table + " t");
    for (const char* table : {"person", "member", "role", "member_role"})
      out +=
          support::execute(url("organizations"),
                           "SELECT '" + std::string(table) +
                               "' || count(*) || md5(string_agg(t::text, ',' ORDER BY t::text)) FROM " + table + " t");
    return out;
  }

  std::string environment;
};

// Without the moments, which plain SQL leaves out, and all numbers of one kind.
boost::json::value comparable(const boost::json::value& value) {
  if (value.is_number()) return value.to_number<double>();
  if (value.is_array()) {
    boost::json::array out;
    for (const auto& item : value.get_array()) out.push_back(comparable(item));
    return out;
  }
  if (!value.is_object()) return value;
  boost::json::object out;
  for (const auto& [key, item] : value.get_object())
    if (key != "date") out[key] = comparable(item);
  return out;
}

boost::json::value comparable(const std::string& json) {
  model::Fault fault;
  const auto value = model::parse(json, fault);
  CAPTURE(json);
  REQUIRE(value);
  return comparable(*value);
}

}  // namespace

TEST_SUITE("integration: analytics demo") {
  TEST_CASE("the demo is made once, and its report is what its messages say") {
    const Product product;
    product.fill();
    const auto contents = product.contents();
    product.fill();
    CHECK(product.contents() == contents);
    CHECK(product.count("contacts", "contact") == "150");
    CHECK(product.count("contacts", "contact WHERE phone !~ '^\\+[1-9][0-9]{7,14}$'") == "0");
    CHECK(std::stoi(product.count("conversations", "conversation")) >= 70);
    CHECK(product.count("conversations", "outbox") == "4");
    CHECK(product.count("contacts", "outbox") == "1");
    CHECK(product.count("organizations", "member") == "5");
    // numberOfContacts and total are sums of tallies: they must be the counts.
    CHECK(support::execute(product.url("contacts"), R"(
      SELECT count(*) FROM (SELECT list_id, sum(contacts) AS n FROM tally GROUP BY 1) t
      FULL JOIN (SELECT list_id, count(*) AS n FROM membership GROUP BY 1 UNION ALL
                 SELECT '00000000-0000-0000-0000-000000000000', count(*) FROM contact) c USING (list_id)
      WHERE t.n IS DISTINCT FROM c.n)") == "0");

    pg::Settings tells, counts;
    tells.url = product.url("conversations");
    counts.url = product.url("analytics");
    Loop loop(tells);
    pg::Pool analytics(loop.context(), counts);
    analytics.start();
    events::Feed feed(loop.context(), loop.pool, quick_feed({"analytics"}), quiet());
    auto settings = quick_consumer();
    settings.name = "analytics";
    settings.producer = "conversations";
    events::Consumer consumer(loop.context(), analytics, settings,
                              {.ask = [&](http::ClientRequest request) -> awaitable<http::ClientResponse> {
                                 const auto query = request.target.substr(request.target.find('?') + 1);
                                 const auto response = co_await feed.serve(query);
                                 co_return http::ClientResponse{response.status, response.body};
                               },
                               .apply = parley::analytics::rollups::apply_conversations,
                               .forget = parley::analytics::rollups::forget_conversations,
                               .report = [](std::string_view what) { MESSAGE(what); }});
    int background = 0;
    loop.wait_until_available();
    start_beside(loop, feed.run(), background);
    start_beside(loop, consumer.run(), background);
    loop.until([&] { return consumer.stats().position == 4; });
    CHECK(consumer.stats().parked == 0);

    parley::analytics::reports::Store store(analytics);
    const auto now = model::Timestamp::now().milliseconds_since_epoch;
    constexpr std::int64_t day = 86'400'000;
    for (const auto& [from, to] : {std::pair<std::int64_t, std::int64_t>{-30, 1}, {-27, -13}, {-14, -2}, {-3, 1}}) {
      const model::Timestamp starts{(now / day + from) * day}, ends{(now / day + to) * day};
      CAPTURE(starts.text());
      const auto found = loop.run(store.campaigns(*model::Uuid::parse(kOrganization), {starts, ends, false, "UTC"}));
      const auto report = parley::analytics::reports::summarise(found.slots);
      const auto figures =
          shell(product.environment + kSource + "/deploy/local/demo.d/figures " + starts.text() + " " + ends.text());
      CHECK(boost::json::serialize(comparable(model::to_json(report))) == boost::json::serialize(comparable(figures)));
      if (from == -30) CHECK(report.totalRecipients > 100);
      if (from == -30) CHECK(report.totalLinkClicks > 10);
    }
    feed.stop();
    consumer.stop();
    loop.until([&] { return background == 0; });
  }
}
