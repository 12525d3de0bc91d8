#include "tests/integration/links_bed.hpp"

#include <boost/asio/co_spawn.hpp>

#include "tests/integration/new_database.hpp"
#include "tests/support/process.hpp"

namespace parley::links_tests {

namespace asio = boost::asio;

namespace {

std::string quoted(const Uuid& id) { return "'" + id.text() + "'"; }

}  // namespace

// ---- the database ---------------------------------------------------------------------------------------------------

Campaign::Campaign(support::PostgresServer& server, int recipients) {
  url = pg_tests::new_database("conversations", server);
  add(organization, id, recipients);
}

void Campaign::add(const Uuid& of, const Uuid& campaign, int recipients) {
  sql().rows(
      "INSERT INTO campaign (organization_id, id, name, status) VALUES (" + quoted(of) + "," + quoted(campaign) +
      ", 'Spring', 'Finished');"
      "INSERT INTO target (organization_id, campaign_id, ordinal, contact_id, recipient, message_id, parameters) "
      "SELECT " +
      quoted(of) + "," + quoted(campaign) +
      ", n, gen_random_uuid(), '+4915100' || n, gen_random_uuid(), '{}' FROM generate_series(1, " +
      std::to_string(recipients) +
      ") n;"
      "INSERT INTO conversation (organization_id, id, contact_id, initiated_by) SELECT organization_id, "
      "gen_random_uuid(), contact_id, 'Campaign' FROM target WHERE campaign_id = " +
      quoted(campaign) +
      ";"
      "INSERT INTO message (organization_id, id, conversation_id, contact_id, campaign_id, direction, status, "
      "message_type, data, created_at) SELECT t.organization_id, t.message_id, c.id, t.contact_id, t.campaign_id, "
      "'OutBound', 'Delivered', 'Text', '{\"text\": \"hello\"}', now() - interval '1 hour' FROM target t JOIN "
      "conversation c USING (organization_id, contact_id) WHERE t.campaign_id = " +
      quoted(campaign));
}

void Campaign::check_figures() const {
  auto sql = this->sql();
  const auto count = [&](const std::string& what) {
    return sql.number("SELECT coalesce(sum(n), 0) FROM campaign_count WHERE what LIKE '" + what + "'");
  };
  const auto told = [&](const std::string& condition) {
    return sql.number(
        "SELECT count(*) FROM outbox, jsonb_array_elements(changes) c WHERE c ->> 'type' = "
        "'campaign.click' AND " +
        condition);
  };
  const auto clicks = sql.number("SELECT count(*) FROM click WHERE NOT preview");
  CHECK_EQ(count("ClicksAt"), clicks);
  CHECK_EQ(count("Clicks %"), clicks);
  CHECK_EQ(told("true"), clicks);
  CHECK_EQ(sql.number("SELECT coalesce(sum(clicks), 0) FROM engagement"), clicks);
  CHECK_EQ(count("Previews %"), sql.number("SELECT count(*) FROM click WHERE preview"));
  CHECK_EQ(count("People %"), sql.number("SELECT count(DISTINCT (url_id, ordinal)) FROM click WHERE NOT preview"));
  CHECK_EQ(count("People %"), sql.number("SELECT count(*) FROM click WHERE first"));
  CHECK_EQ(count("Engaged"), sql.number("SELECT count(*) FROM engagement"));
  CHECK_EQ(told("(c ->> 'engaged')::bool"), sql.number("SELECT count(*) FROM engagement WHERE replies = 0"));
  // Who clicked, and in which campaign, as contacts is told.
  CHECK_EQ(
      sql.value("SELECT coalesce(string_agg(DISTINCT concat_ws(' ', c ->> 'organizationId', c ->> 'campaignId', i), ', "
                "'), '') "
                "FROM outbox, jsonb_array_elements(changes) c, jsonb_array_elements_text(c -> 'contactIds') i "
                "WHERE c ->> 'type' = 'campaign.engaged' AND c ->> 'did' = 'Clicked'"),
      sql.value(
          "SELECT coalesce(string_agg(DISTINCT concat_ws(' ', organization_id, campaign_id, contact_id), ', '), '') "
          "FROM click c JOIN target t USING (organization_id, campaign_id, ordinal) WHERE NOT c.preview"));
  CHECK_EQ(told("(c ->> 'sentAt')::timestamptz NOT IN (SELECT date_trunc('milliseconds', created_at) FROM message)"),
           0);
  CHECK_EQ(
      sql.number("SELECT count(*) FROM engagement e WHERE clicked_at IS DISTINCT FROM (SELECT min(at) FROM click c "
                 "JOIN target t USING (organization_id, campaign_id, ordinal) WHERE t.message_id = e.message_id "
                 "AND NOT c.preview)"),
      0);
}

// ---- the process ----------------------------------------------------------------------------------------------------

std::string Visit::location() const {
  constexpr std::string_view name = "Location: ";
  const auto at = response->head.find(name);
  if (at == std::string::npos) return "";
  const auto begin = at + name.size();
  return response->head.substr(begin, response->head.find("\r\n", begin) - begin);
}

pg::Settings Replica::database_settings(const std::string& url) {
  pg::Settings out;
  out.url = url;
  out.write_deadline = 1s;  // not to wait long for servers that do not answer
  out.read_deadline = 1s;
  return out;
}

Replica::Replica(const std::string& url)
    : process_(support::process_settings("conversations", {"gateway"})),
      database(process_.context(), database_settings(url)),
      feed_(process_, database, {"analytics"}) {
  database.start();
  until([this] { return database.available(); });
  clicks.start();
}

Replica::~Replica() {
  stop();
  static_cast<http::Loop&>(process_.context()).end();
}

void Replica::stop() {
  if (std::exchange(stopped_, true)) return;
  bool over = false;
  asio::co_spawn(
      process_.context(),
      [](Replica& self) -> awaitable<void> {
        co_await self.clicks.stop();
        co_await self.database.close();
      }(*this),
      [&](std::exception_ptr) { over = true; });
  until([&] { return over; });
}

void Replica::turn() {
  process_.context().restart();
  process_.context().run_one_for(5ms);
}

void Replica::until(const std::function<bool()>& condition) {
  support::wait_until(condition, [&] { turn(); });
}

std::size_t Replica::answered() const {
  return static_cast<std::size_t>(
      std::count_if(visits_.begin(), visits_.end(), [](const auto& visit) { return visit.over(); }));
}

Visit& Replica::start(const std::string& code, const std::string& agent, http::Method method) {
  auto& visit = visits_.emplace_back();
  visit.path = "/l/" + code;
  visit.agent = agent;
  visit.token = identity::Signer("gateway", support::seed_of("gateway")).own_token("conversations");
  visit.fields = {{identity::kField, visit.token}, {"User-Agent", visit.agent}};
  visit.request.method = method;
  visit.request.target = visit.request.path = visit.path;
  visit.request.fields = visit.fields;
  process_.spawn("a visit", serve(visit));
  return visit;
}

awaitable<void> Replica::serve(Visit& visit) { visit.response = co_await process_.pipeline().serve(visit.request); }

std::vector<Url> Replica::urls(const Campaign& campaign, std::vector<std::string> urls) {
  std::vector<Url> out;
  bool over = false;
  asio::co_spawn(process_.context(),
                 conversations::links::urls_of(database, campaign.organization, campaign.id, std::move(urls)),
                 [&](std::exception_ptr error, std::vector<Url> found) {
                   over = true;
                   if (error) std::rethrow_exception(error);
                   out = std::move(found);
                 });
  until([&] { return over; });
  return out;
}

std::vector<model::CampaignLink> Replica::figures(const Campaign& campaign) {
  pg::Batch batch;
  conversations::links::add_links(batch, campaign.organization, campaign.id);
  std::vector<model::CampaignLink> out;
  bool over = false;
  asio::co_spawn(process_.context(), database.read(std::move(batch)),
                 [&](std::exception_ptr error, pg::Results results) {
                   over = true;
                   if (error) std::rethrow_exception(error);
                   out = results.rows<model::CampaignLink>();
                 });
  until([&] { return over; });
  return out;
}

}  // namespace parley::links_tests
