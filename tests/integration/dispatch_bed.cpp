#include "tests/integration/dispatch_bed.hpp"

#include <boost/json/parse.hpp>

#include "common/events/changes.hpp"
#include "common/events/contact_changes.hpp"
#include "common/http/query.hpp"
#include "common/removals/worker.hpp"
#include "conversations/recovery/deletions/store.hpp"
#include "conversations/recovery/reconciliation/feed.hpp"
#include "tests/support/loop.hpp"

namespace parley::dispatch_tests {

namespace {

chassis::ProcessSettings process_settings() {
  identity::start_cryptography();
  chassis::ProcessSettings out;
  out.name = "conversations";
  out.role = "dispatch";
  out.log_level = chassis::Level::error;
  out.identity_key = identity::new_seed();
  return out;
}

channel::Settings channel_settings(const std::string& url, std::chrono::milliseconds answer_time) {
  channel::Settings out;
  out.url = url;
  out.answer_time = answer_time;
  return out;
}

http::ServerHandler handler(std::function<awaitable<http::Response>(http::Request&)> serve) {
  return {std::move(serve), [](unsigned status, std::string_view, std::string_view) {
            return http::to_response({.status = status, .detail{}}, "", "");
          }};
}

const boost::asio::ip::tcp::endpoint kAnyPort{boost::asio::ip::make_address("127.0.0.1"), 0};

std::string text_of(const boost::json::object& object, std::string_view name) {
  const auto* value = object.if_contains(name);
  return value && value->is_string() ? std::string(value->get_string()) : std::string();
}

Sent read(std::string_view path, std::string_view body) {
  const auto json = boost::json::parse({body.data(), body.size()}).as_object();
  Sent out;
  out.at = Clock::now();
  out.number = std::string(path.substr(7, path.rfind('/') - 7));  // behind /v20.0/
  out.receipt = text_of(json, "status") == "read";
  out.opaque = text_of(json, out.receipt ? "message_id" : "biz_opaque_callback_data");
  out.recipient = text_of(json, "to");
  if (const auto* text = json.if_contains("text")) out.text = text_of(text->as_object(), "body");
  if (const auto* context = json.if_contains("context")) out.reply_to = text_of(context->as_object(), "message_id");
  return out;
}

pg::Settings settings_by(pg::Settings settings, int port) {
  const auto direct = ":" + std::to_string(pg_tests::shared_server().port()) + "/";
  if (port != 0) settings.url.replace(settings.url.find(direct), direct.size(), ":" + std::to_string(port) + "/");
  return settings;
}

awaitable<void> wait(chassis::Process& process, std::chrono::milliseconds time) {
  boost::asio::steady_timer timer(process.context(), time);
  co_await timer.async_wait(boost::asio::deferred);
}

}  // namespace

Channel::Channel(chassis::Process& process)
    : process_(process),
      server_(process.context(), process.wheel(), kAnyPort, {},
              handler([this](http::Request& request) { return serve(request); })) {
  server_.start();
}

awaitable<http::Response> Channel::serve(http::Request& request) {
  const auto body = co_await request.body();
  const auto got = read(request.path, body);
  sent.push_back(got);
  auto& at_once = at_once_[got.recipient];
  max_at_once[got.recipient] = std::max(max_at_once[got.recipient], ++at_once);
  const auto reply = this->reply(got);
  if (reply.code == 0 || reply.done) ++accepted[got.opaque];
  co_await wait(process_, reply.lose ? 3s : reply.delay);
  --at_once;
  http::Response response;
  response.status = reply.code == 0 ? 200 : reply.status;
  if (reply.code != 0)
    response.body = R"({"error":{"message":"refused for the test","code":)" + std::to_string(reply.code) + "}}";
  else if (got.receipt)
    response.body = R"({"success":true})";
  else
    response.body = R"({"messaging_product":"whatsapp","messages":[{"id":"wamid.)" + got.opaque + "\"}]}";
  co_return response;
}

std::vector<std::string> Channel::texts_to(const std::string& recipient) const {
  std::vector<std::string> out;
  for (const auto& each : sent)
    if (each.recipient == recipient) out.push_back(each.text);
  return out;
}

Organizations::Organizations(chassis::Process& process)
    : server_(process.context(), process.wheel(), kAnyPort, {},
              handler([this](http::Request& request) { return serve(request); })) {
  server_.start();
}

awaitable<http::Response> Organizations::serve(http::Request& request) {
  ++asked;
  const std::string number(request.query.substr(request.query.find('=') + 1));
  http::Response response;
  const auto owner = owners.find(number);
  if (owner == owners.end()) {
    response.status = 404;
    co_return response;
  }
  channel::Account account;
  account.organizationId = owner->second;
  account.phoneNumberId = number;
  account.accessToken = "token";
  model::write(response.body, account);
  co_return response;
}

dispatch::Settings quick() {
  dispatch::Settings out;
  out.rate = 0;
  out.look_pause = 5ms;
  out.takeover_pause = 50ms;
  out.stop_pause = 300ms;
  return out;
}

Bed::Dispatcher::Dispatcher(Bed& bed, const dispatch::Settings& settings)
    : peer(bed.process, "organizations", bed.organizations.url()),
      accounts(bed.process, peer),
      client(bed.process, channel_settings(bed.channel.url(), bed.answer_time_)),
      worker(bed.process, bed.pool_, accounts, client, settings) {}

Bed::Bed(dispatch::Settings settings, std::chrono::milliseconds answer_time, int database_port)
    : process(process_settings()),
      channel(process),
      organizations(process),
      pool_(process.context(), settings_by(database.settings(), database_port)),
      feed_(process, pool_, {"analytics"}),
      settings_(settings),
      answer_time_(answer_time),
      store(pool_, settings_),
      campaign_store(pool_, settings_, stranger),
      campaigns(process, pool_) {
  connect("1");
  pool_.start();
  until([&] { return pg_tests::is_connected(pool_); });
  dispatcher_ = std::make_unique<Dispatcher>(*this, settings);
}

Bed::~Bed() {
  stop();
  channel.stop();
  organizations.stop();
  until([&] { return channel.stopped() && organizations.stopped(); });
  run_for(20ms);
}

void Bed::begin(awaitable<void> work, bool& over) {
  process.spawn("a step", [](awaitable<void> step, bool& done) -> awaitable<void> {
    co_await std::move(step);
    done = true;
  }(std::move(work), over));
}

void Bed::run(awaitable<void> work) {
  bool over = false;
  begin(std::move(work), over);
  until([&] { return over; });
}

void Bed::merge(const Uuid& from, const Uuid& into) {
  events::Changes changes;
  changes.add(events::ContactMerged{organization, from, into});
  hear(changes);
}

void Bed::remove(const Uuid& contact) {
  events::Changes changes;
  changes.add(events::ContactsDeleted{organization, {contact}});
  hear(changes);
}

void Bed::hear(const events::Changes& changes) {
  run([](pg::Pool& pool, events::Event event) -> awaitable<void> {
    auto transaction = co_await pool.begin();
    co_await reconciliation::apply_feed(transaction, {&event, 1});
    co_await transaction.commit();
  }(pool_, {1, changes.json()}));
}

void Bed::sweep() {
  database.execute("UPDATE removal SET started_at = now() - interval '3 minutes'");
  std::string failure;
  removals::Worker worker(process.context(), pool_, deletions::kinds(), [&](std::string_view what) { failure = what; },
                          {.busy_pause = 1ms, .idle_pause = 5ms});
  bool over = false;
  process.spawn("removals", [](removals::Worker& one, bool& done) -> awaitable<void> {
    co_await one.run();
    done = true;
  }(worker, over));
  until([&] { return !failure.empty() || database.number("SELECT count(*) FROM removal") == 0; });
  worker.stop();
  until([&] { return over; });
  if (!failure.empty()) throw std::runtime_error(failure);
}

bool Bed::forget_merges() { return get(campaigns.forget_merges()); }

void Bed::add_dispatcher() {
  others_.push_back(
      std::make_unique<dispatch::Worker>(process, pool_, dispatcher_->accounts, dispatcher_->client, settings_));
  others_.back()->start();
}

void Bed::stop() {
  if (std::exchange(stopped_, true)) return;
  run(dispatcher_->worker.stop());
  for (const auto& other : others_) run(other->stop());
}

void Bed::until(const std::function<bool()>& condition) {
  support::wait_until(condition, [&] {
    process.context().restart();
    process.context().run_for(5ms);
  });
}

void Bed::run_for(std::chrono::milliseconds time) {
  const auto end = Clock::now() + time;
  until([&] { return Clock::now() >= end; });
}

void Bed::until_empty() {
  until([&] { return database.number("SELECT count(*) FROM outgoing") == 0; });
}

Uuid Bed::add(const Message& message) {
  auto& conversation = conversations_[message.recipient];
  if (conversation.is_nil()) conversation = database.add_conversation(organization, model::new_uuid());
  const auto id = model::new_uuid();
  const auto reply_to = message.reply_to ? quoted(*message.reply_to) : "NULL";
  database.execute(
      "WITH m AS (INSERT INTO message (organization_id, id, conversation_id, contact_id, reply_to_message_id, "
      "direction, "
      "status, message_type, data) SELECT organization_id, " +
      quoted(id) + ", id, contact_id, " + reply_to + ", 'OutBound', 'Queued', 'Text', jsonb_build_object('text', '" +
      message.text + "') FROM conversation WHERE id = " + quoted(conversation) +
      " RETURNING *), s AS (INSERT INTO sender (organization_id, phone_number_id) VALUES (" + quoted(organization) +
      ", '" + message.number +
      "') ON CONFLICT DO NOTHING) INSERT INTO outgoing (organization_id, message_id, kind, phone_number_id, "
      "contact_id, "
      "recipient, expires_at, due_at, created_at) SELECT organization_id, id, 'Message', '" +
      message.number + "', contact_id, '" + message.recipient + "', " + message.expires + ", " + message.due +
      ", clock_timestamp() FROM m");
  return id;
}

void Bed::add_many(const std::string& number, int count, const std::string& recipient) {
  const auto conversation = database.add_conversation(organization, model::new_uuid());
  database.execute(
      "INSERT INTO sender (organization_id, phone_number_id) VALUES (" + quoted(organization) + ", '" + number +
      "') ON CONFLICT DO NOTHING; WITH m AS (INSERT INTO message (organization_id, id, conversation_id, contact_id, "
      "direction, status, message_type, data) SELECT c.organization_id, gen_random_uuid(), c.id, c.contact_id, "
      "'OutBound', 'Queued', 'Text', '{\"text\": \"many\"}' FROM conversation c, generate_series(1, " +
      std::to_string(count) + ") WHERE c.id = " + quoted(conversation) +
      " RETURNING *) INSERT INTO outgoing (organization_id, message_id, kind, phone_number_id, contact_id, recipient, "
      "expires_at, created_at) SELECT organization_id, id, 'Message', '" +
      number + "', contact_id, " + recipient +
      ", now() + interval '1 day', clock_timestamp() FROM (SELECT *, row_number() OVER () AS n FROM m) m");
}

Uuid Bed::add_campaign(const Campaign& campaign) {
  const auto id = model::new_uuid();
  const auto key = quoted(organization) + ", " + quoted(id) + ", ";
  const auto count = std::to_string(campaign.recipients);
  database.execute(
      "INSERT INTO campaign (organization_id, id, name, status, message, phone_number_id, messages_per_second, "
      "audience_done, audience_count) VALUES (" +
      key + "'a campaign', 'Running', jsonb_build_object('type', 'Text', 'text', '" + campaign.text + "'), '" +
      campaign.number + "', " + campaign.rate + ", true, " + count +
      "); INSERT INTO target (organization_id, campaign_id, ordinal, contact_id, recipient, message_id, parameters) "
      "SELECT " +
      key + "n, gen_random_uuid(), '+49170' || (1000000 + n), gen_random_uuid(), ARRAY['number ' || n] FROM " +
      "generate_series(1, " + count + ") n; INSERT INTO chunk (organization_id, campaign_id, first, last) SELECT " +
      key + "n, least(n + " + std::to_string(campaign.chunk - 1) + ", " + count + ") FROM generate_series(1, " + count +
      ", " + std::to_string(campaign.chunk) +
      ") n; INSERT INTO campaign_count (organization_id, campaign_id, quarter, what, slot, n) VALUES (" + key +
      "'epoch', 'Targets', 0, " + count + ")");
  return id;
}

std::int64_t Bed::figure(const Uuid& campaign, const std::string& what) const {
  return database.number("SELECT coalesce(sum(n), 0) FROM campaign_count WHERE campaign_id = " + quoted(campaign) +
                         " AND what = '" + what + "'");
}

std::int64_t Bed::messages(const Uuid& campaign, const std::string& status) const {
  return database.number("SELECT count(*) FROM message WHERE campaign_id = " + quoted(campaign) + " AND status = '" +
                         status + "'");
}

bool Bed::over(const Uuid& campaign) const {
  return database.number("SELECT count(*) FROM chunk WHERE NOT done AND campaign_id = " + quoted(campaign)) == 0;
}

void Bed::take() {
  value("INSERT INTO sender (organization_id, phone_number_id) VALUES (" + quoted(organization) +
        ", '1') ON CONFLICT DO NOTHING; UPDATE sender SET owner = " + quoted(stranger) +
        ", lease_until = now() + interval '1 hour'");
}

std::vector<dispatch::Intent> Bed::intend(const dispatch::Chunk& chunk, std::size_t count) {
  std::vector<dispatch::NewMessage> messages;
  for (std::size_t i = 0; i < count; ++i)
    messages.push_back({chunk.left[i].ordinal, model::MessageType::Text, R"({"text":"hi"})"});
  return get(campaign_store.intend({organization, "1"}, chunk.id.campaign_id, messages));
}

bool Bed::is_blocked(const std::string& words) const {
  return database.number(
             "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND "
             "wait_event_type = 'Lock' AND strpos(query, '" +
             words + "') > 0") > 0;
}

std::int64_t Bed::told(const std::string& type) const {
  return database.number("SELECT count(*) FROM outbox o, jsonb_array_elements(o.changes) c WHERE c ->> 'type' = '" +
                         type + "'");
}

dispatch::Result result_of(const dispatch::Target& target, dispatch::Result::What what) {
  dispatch::Result out;
  out.what = what;
  out.message_id = out.claim = target.message_id;
  out.first = true;
  out.recipient = target.recipient;
  out.channel_message_id = "wamid." + target.message_id.text();
  return out;
}

}  // namespace parley::dispatch_tests
