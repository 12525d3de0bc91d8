#include "tests/integration/recipients_bed.hpp"
#include "tests/support/loop.hpp"

#include "tests/support/process.hpp"

#include <algorithm>

namespace parley::recipients_tests {

namespace {

using support::seed_of;

awaitable<void> answer(chassis::Process& process, http::Request& request, Answer& out,
                       std::vector<std::shared_ptr<http::BodySource>>* unread, bool& over) {
  auto response = co_await process.pipeline().serve(request);
  out = {response.status, std::move(response.head), std::move(response.body)};
  if (unread && response.stream) unread->push_back(std::move(response.stream));
  while (response.stream) {
    const auto piece = co_await response.stream->next();
    if (piece.empty()) break;
    out.body += piece;
  }
  over = true;
}

}  // namespace

boost::json::value Answer::json() const {
  model::Fault fault;
  auto parsed = model::parse(body, fault);
  REQUIRE_MESSAGE(parsed, body);
  return std::move(*parsed);
}

std::string Answer::next() const {
  const auto end = head.find(">; rel=\"next\"");
  if (end == head.npos) return {};
  const auto begin = head.rfind('<', end) + 1;
  return head.substr(begin, end - begin);
}

std::string Answer::pointer() const { return std::string(json().at("errors").at(0).at("pointer").as_string()); }

Bed::Bed(std::int64_t max_looked_at)
    : process_(support::process_settings("conversations", {"gateway", "conversations", "analytics"})),
      contacts_process_(support::process_settings("conversations", {"gateway", "conversations", "analytics"})),
      pool_(process_.context(), database.settings()),
      contacts_pool_(process_.context(), contacts.settings()),
      redis_(process_.context().get_executor(), redis::Settings{.url = "redis://127.0.0.1:1/0"}),
      counts_(redis_, ""),
      list_store_(contacts_pool_, counts_),
      list_api_(contacts_process_, list_store_),
      server_(process_.context(), process_.wheel(), {boost::asio::ip::make_address("127.0.0.1"), 0}, {},
              {[this](http::Request& request) { return serve(request); },
               [](unsigned status, std::string_view, std::string_view) {
                 return http::to_response({.status = status, .detail{}}, "", "");
               }}),
      // contacts answers here too, under this name
      peer_(process_, "conversations", "http://127.0.0.1:" + std::to_string(server_.endpoint().port())),
      recipient_store_(pool_, max_looked_at),
      recipient_api_(process_, recipient_store_),
      figure_store_(pool_),
      figure_api_(process_, figure_store_),
      retarget_store_(pool_),
      retarget_api_(process_, retarget_store_, peer_) {
  pool_.start();
  contacts_pool_.start();
  server_.start();
  until([&] { return pg_tests::is_connected(pool_) && pg_tests::is_connected(contacts_pool_); });
}

Bed::~Bed() {
  unread.clear();  // which have places of the routes'
  stop_workers();
  server_.stop_accepting();
  server_.close_all();
  until([&] { return server_.stats().connections == 0; });
  static_cast<http::Loop&>(process_.context()).end();
}

awaitable<http::Response> Bed::serve(http::Request& request) {
  ++asked;
  auto fate = Fate::serve;
  if (!fates.empty()) {
    fate = fates.front();
    fates.pop_front();
  }
  http::Response response;
  if (fate == Fate::serve || fate == Fate::lose_answer) response = co_await contacts_process_.pipeline().serve(request);
  const unsigned status = fate == Fate::lead_away ? 302 : fate == Fate::distrust ? 401 : 503;
  if (fate != Fate::serve) response = http::to_response({.status = status, .detail = "for the test"}, "", "");
  co_return response;
}

void Bed::until(const std::function<bool()>& condition) { support::run_until(process_.context(), condition); }

void Bed::run(awaitable<void> work) {
  bool over = false;
  process_.spawn("the test's", [](awaitable<void> inner, bool& done) -> awaitable<void> {
    co_await std::move(inner);
    done = true;
  }(std::move(work), over));
  until([&] { return over; });
}

Answer Bed::ask(http::Method method, const std::string& target, const std::string& text, const std::string& service,
                const std::string& key) {
  identity::Identity caller;
  if (service.empty()) {
    caller.organization_id = organization;
    caller.member_id = organization;
    caller.permissions = permissions;
  } else {
    caller.service = service;
  }
  const auto signer = service.empty() ? "gateway" : service;
  const auto token = identity::Signer(signer, seed_of(signer)).sign(caller, "conversations");
  support::StoredRequest::Fields more;
  if (!key.empty()) more.emplace_back("Idempotency-Key", key);
  support::StoredRequest asked(method, target, text, token, std::move(more));
  auto& request = asked.request;
  Answer out;
  bool over = false;
  auto& process = request.path.find("/lists") != request.path.npos ? contacts_process_ : process_;
  process_.spawn("a request", answer(process, request, out, reads_ ? nullptr : &unread, over));
  until([&] { return over; });
  return out;
}

unsigned Bed::begin(const std::string& target) {
  reads_ = false;
  const auto status = get(target).status;
  reads_ = true;
  return status;
}

// ---- campaigns ------------------------------------------------------------------------------------------------------

Uuid Bed::add_campaign(int count, const std::string& status, const std::string& more,
                       const std::string& campaign_status, const std::string& skipped) {
  const auto id = model::new_uuid();
  const auto ids = quoted(organization) + ", " + quoted(id);
  database.execute(
      "INSERT INTO campaign (organization_id, id, name, status, audience_done, audience_count, variants) "
      "VALUES (" +
      ids + ", 'Spring', '" + campaign_status + "', true, " + std::to_string(count) +
      R"(, '[{"name": "B", "share": 20, "message": {"type": "Text", "text": "b"}}]'))");
  // As many conversations and contacts. Contacts' ids are those here.
  const auto series = " FROM generate_series(1, " + std::to_string(count) + ") AS n ";
  const auto id_of = [&](const std::string& what) { return "md5('" + id.text() + " " + what + " ' || n)::uuid"; };
  const auto contact = "md5('" + organization.text() + " ' || n)::uuid";
  database.execute("INSERT INTO conversation (organization_id, id, contact_id, initiated_by, status) SELECT " +
                   quoted(organization) + ", " + id_of("conversation") + ", " + contact + ", 'Campaign', 'Closed'" +
                   series);
  database.execute(
      "INSERT INTO target (organization_id, campaign_id, ordinal, contact_id, recipient, variant, message_id, "
      "parameters, skipped) SELECT " +
      ids + ", n, " + contact + ", '+49' || n, (n % 5 = 0)::int, " + id_of("message") + ", '{}', " + skipped + series);
  database.execute(
      "INSERT INTO message (organization_id, campaign_id, id, conversation_id, contact_id, direction, status, "
      "status_at, message_type, data, variant, error_code, error_text) SELECT " +
      ids +
      ", id, conversation, contact, 'OutBound', status, '2026-01-31T12:00:00Z', 'Text', '{}', (n % 5 = 0)::int, " +
      more + " FROM (SELECT n, " + id_of("message") + " AS id, " + id_of("conversation") + " AS conversation, " +
      contact + " AS contact, " + status + " AS status" + series + ") m WHERE status IS NOT NULL");
  contacts.sql().rows("INSERT INTO contact (organization_id, id, name, phone) SELECT " + quoted(organization) + ", " +
                      contact + ", 'Person ' || n, '+49' || n" + series + "ON CONFLICT DO NOTHING");
  contacts.sql().rows(
      "INSERT INTO tally SELECT organization_id, '00000000-0000-0000-0000-000000000000', 0, count(*), 1 FROM contact "
      "GROUP BY 1 ON CONFLICT (organization_id, list_id, slot) DO UPDATE SET contacts = excluded.contacts");
  count_figures(id);
  return id;
}

Uuid Bed::contact(const Uuid& campaign, int ordinal) const {
  return *Uuid::parse(database.execute("SELECT contact_id FROM target WHERE campaign_id = " + quoted(campaign) +
                                       " AND ordinal = " + std::to_string(ordinal)));
}

void Bed::count_figures(const Uuid& campaign) {
  database.execute(
      "INSERT INTO campaign_count (organization_id, campaign_id, quarter, what, slot, n) SELECT organization_id, "
      "campaign_id, 'epoch', what, 0, count(*) FROM (SELECT organization_id, campaign_id, 'Targets' AS what FROM "
      "target "
      "UNION ALL SELECT organization_id, campaign_id, 'Skipped' FROM target WHERE skipped IS NOT NULL UNION ALL SELECT "
      "organization_id, campaign_id, status FROM message) counted WHERE campaign_id = " +
      quoted(campaign) + " GROUP BY organization_id, campaign_id, what");
}

boost::json::array Bed::all(const Uuid& campaign, const std::string& query) {
  boost::json::array out;
  for (auto target = recipients_path(campaign, query); !target.empty();) {
    const auto page = get(target);
    REQUIRE_MESSAGE(page.status == 200, page.body);
    const auto json = page.json();
    for (const auto& recipient : json.at("recipients").as_array()) out.push_back(recipient);
    target = page.next();
  }
  return out;
}

std::vector<int> Bed::ordinals(const Uuid& campaign, const std::string& query) {
  std::vector<int> out;
  for (const auto& recipient : all(campaign, query))
    out.push_back(std::stoi(recipient.at("phone").as_string().c_str() + 3));
  return out;
}

// ---- retargets ------------------------------------------------------------------------------------------------------

boost::json::value Bed::retarget(const Uuid& campaign, const std::string& criteria) {
  const auto answer = post("/api/campaigns/" + campaign.text() + "/retarget", criteria);
  REQUIRE_MESSAGE(answer.status == 202, answer.body);
  return answer.json().at("retarget");
}

boost::json::value Bed::finished(const boost::json::value& retarget) {
  const auto text = [&](const char* name) { return std::string(retarget.at(name).as_string()); };
  boost::json::value out;
  until([&] {
    out = get("/api/campaigns/" + text("campaignId") + "/retargets/" + text("uniqueId")).json().at("retarget");
    return !out.at("finishedAt").is_null();
  });
  return out;
}

void Bed::start_worker(std::int64_t most) {
  const conversations::audience_lists::Settings settings{
      .most = most, .lease = 500ms, .idle_pause = 10ms, .retry_pause = 20ms};
  workers_.push_back(std::make_unique<conversations::audience_lists::Worker>(process_, pool_, peer_, settings));
  workers_.back()->start();
}

void Bed::stop_workers() {
  for (auto& worker : workers_) run(worker->stop());
  workers_.clear();
}

std::vector<int> Bed::members(const boost::json::value& retarget) {
  const std::string list(retarget.at("listId").as_string());
  std::vector<int> out;
  for (const auto& phone : contacts.sql().column("SELECT substr(c.phone, 4) FROM membership m JOIN contact c ON "
                                                 "c.organization_id = m.organization_id AND c.id = "
                                                 "m.contact_id WHERE m.list_id = $1 ORDER BY substr(c.phone, 4)::int",
                                                 {list}))
    out.push_back(std::stoi(phone));
  return out;
}

}  // namespace parley::recipients_tests
