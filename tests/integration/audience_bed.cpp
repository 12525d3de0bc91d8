#include "tests/integration/audience_bed.hpp"

#include "common/http/body.hpp"
#include "tests/support/process.hpp"

namespace parley::audience_tests {

chassis::ProcessSettings process_settings() {
  auto out = support::process_settings("conversations");
  out.role = "dispatch";
  return out;
}

Settings quick() { return {.page = 20, .lease = 1s, .look_pause = 5ms, .retry_pause = 5ms, .max_pause = 20ms}; }

Contacts::Contacts(chassis::Process& process, pg::Settings database, int port)
    : pool_(process.context(), std::move(database)),
      store_(pool_),
      server_(process.context(), process.wheel(),
              {boost::asio::ip::make_address("127.0.0.1"), static_cast<boost::asio::ip::port_type>(port)}, {},
              {[this](http::Request& request) { return serve(request); },
               [](unsigned status, std::string_view, std::string_view) {
                 return http::to_response({.status = status, .detail{}}, "", "");
               }}) {
  pool_.start();
  server_.start();
}

awaitable<http::Response> Contacts::serve(http::Request& request) {
  auto body = co_await http::read_body<contacts::audience::AudienceQuestion>(request);
  ++asked;
  before();
  http::Response response;
  if (instead) response = std::move(*std::exchange(instead, std::nullopt));
  if (response.status != 200 || !response.body.empty()) co_return response;
  const auto page = co_await store_.page(std::move(body));
  response.body = contacts::audience::lines_of(page).text;
  co_return response;
}

Uuid World::person(int n) {
  char text[40];
  std::snprintf(text, sizeof text, "01900000-0000-7000-8000-%012d", n);
  return *Uuid::parse(text);
}

std::vector<Uuid> World::people_of(int first, int last) {
  std::vector<Uuid> out;
  for (int n = first; n <= last; ++n) out.push_back(person(n));
  return out;
}

void World::add_people(int count, int first) {
  change("INSERT INTO contact (organization_id, id, name, phone, attributes) SELECT " + quoted(organization) +
         ", ('01900000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'Person ' || n, '+49151' || lpad(n::text, 8, "
         "'0'), jsonb_build_object('city', 'City ' || n % 7) FROM generate_series(" +
         std::to_string(first) + ", " + std::to_string(first + count - 1) + ") AS n");
}

Uuid World::run_campaign(const Draft& draft) const {
  const auto array = [](const std::vector<Uuid>& ids) {
    return "'" + support::sql_array(contacts_tests::texts(ids)) + "'";
  };
  const auto id = model::new_uuid();
  database.execute(
      "INSERT INTO campaign (organization_id, id, name, status, message, variants, list_ids, excluded_list_ids, "
      "started_at) VALUES (" +
      quoted(organization) + ", " + quoted(id) + ", 'a campaign', 'Running', '" + draft.message + "', '" +
      draft.variants + "', " + array(draft.lists) + ", " + array(draft.excluded) + ", now())");
  return id;
}

std::string World::faults(const Uuid& campaign) const {
  const auto id = quoted(campaign);
  std::string out;
  const auto check = [&](const std::string& what, const std::string& sql) {
    const auto found = database.execute(sql);
    if (found != "0") out += what + ": " + found + "\n";
  };
  const std::string targets = " FROM target WHERE campaign_id = " + id;
  const std::string counted =
      "SELECT coalesce(sum(n), 0) FROM campaign_count WHERE campaign_id = " + id + " AND what = ";
  check("not told apart from the ordinals", "SELECT count(*) - coalesce(max(ordinal), 0)" + targets);
  check("the campaign's count differs by",
        "SELECT (SELECT count(*)" + targets + ") - audience_count FROM campaign WHERE id = " + id);
  check("not in order", "SELECT count(*) FROM (SELECT contact_id <= lag(contact_id) OVER (ORDER BY ordinal) AS wrong" +
                            targets + ") t WHERE wrong");
  check("message ids given twice", "SELECT count(*) - count(DISTINCT message_id)" + targets);
  check("recipients twice", "SELECT count(*) - count(DISTINCT recipient)" + targets + " AND skipped IS NULL");
  check("counted targets differ by", "SELECT (SELECT count(*)" + targets + ") - (" + counted + "'Targets')");
  check("counted skips differ by", "SELECT (SELECT count(skipped)" + targets + ") - (" + counted + "'Skipped')");
  check("not in exactly one chunk of 500",
        "SELECT count(*) FROM target t WHERE campaign_id = " + id +
            " AND (SELECT count(*) FROM chunk c WHERE c.organization_id = t.organization_id AND c.campaign_id = "
            "t.campaign_id AND t.ordinal BETWEEN c.first AND c.last AND c.last - c.first < 500 AND c.owner IS NULL AND "
            "NOT c.done) <> 1");
  check("chunks of nobody", "SELECT count(*) FROM chunk WHERE campaign_id = " + id + " AND (first > last OR last > (" +
                                "SELECT count(*)" + targets + "))");
  check("still owned", "SELECT count(*) FROM campaign WHERE audience_owner IS NOT NULL AND id = " + id);
  return out;
}

Bed::Bed(Settings settings)
    : process(process_settings()),
      contacts(process, people.settings()),
      pool(process.context(), database.settings()),
      peer_(process, "contacts", contacts.url()),
      worker_(process, pool, peer_, settings) {
  pool.start();
  until([&] { return pg_tests::is_connected(pool); });
}

Bed::~Bed() {
  bool over = false;
  process.spawn("the end", [](conversations::audience::Worker& worker, bool& done) -> awaitable<void> {
    co_await worker.stop();
    done = true;
  }(worker_, over));
  until([&] { return over; });
  contacts.stop();
  until([&] { return contacts.stopped(); });
  run_for(20ms);
}

void Bed::until(const std::function<bool()>& condition) {
  support::wait_until(condition, [&] {
    process.context().restart();
    process.context().run_for(3ms);  // conditions ask a server
  });
}

void Bed::run_for(std::chrono::milliseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  until([&] { return std::chrono::steady_clock::now() >= end; });
}

}  // namespace parley::audience_tests
