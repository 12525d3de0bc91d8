#include "tests/integration/analytics_snapshot_bed.hpp"

#include "common/events/conversation_changes.hpp"
#include "conversations/inbox/webhooks/apply.hpp"
#include "conversations/messages/engagement/engagement.hpp"
#include "conversations/messages/outgoing.hpp"
#include "conversations/recovery/snapshot/sql.hpp"

namespace parley::analytics_tests {

using model::Uuid;
namespace webhooks = conversations::webhooks;

namespace {

using Kind = pg::Statement::Kind;
const pg::Statement open_conversation("tests.analytics.open_conversation", R"(
  INSERT INTO conversation (organization_id, id, contact_id, campaign_id, initiated_by, created_at)
  VALUES ($1, $2, $3, $4, CASE WHEN $4 IS NULL THEN 'Member' ELSE 'Campaign' END, $5)
  ON CONFLICT (organization_id, contact_id) WHERE status = 'Active' DO UPDATE SET status = conversation.status
  RETURNING id)",
                                      pg::Lane::write,
                                      {pg::oid::uuid, pg::oid::uuid, pg::oid::uuid, pg::oid::uuid,
                                       pg::oid::timestamptz},
                                      Kind::unlisted);
const pg::Statement send_message("tests.analytics.send_message", R"(
  WITH sent AS (
    INSERT INTO message (organization_id, id, conversation_id, contact_id, campaign_id, direction, status, message_type,
                         data, created_at)
    VALUES ($1, $2, $3, $4, $5, 'OutBound', 'Queued', 'Text', '{"text": ""}', $6))
  INSERT INTO target (organization_id, campaign_id, ordinal, contact_id, recipient, message_id, parameters)
  VALUES ($1, $5, nextval('test_ordinal'), $2, '', $2, '{}'))",
                                 pg::Lane::write,
                                 {pg::oid::uuid, pg::oid::uuid, pg::oid::uuid, pg::oid::uuid, pg::oid::uuid,
                                  pg::oid::timestamptz},
                                 Kind::unlisted);
const pg::Statement any_message("tests.analytics.any_message", R"(
  SELECT m.organization_id, m.id, m.contact_id, coalesce(m.channel_message_id, '') AS channel_id, t.campaign_id,
         coalesce(t.ordinal, 0) AS ordinal, u.id AS url_id
  FROM message m LEFT JOIN target t ON t.organization_id = m.organization_id AND t.message_id = m.id
    LEFT JOIN campaign_url u ON u.organization_id = m.organization_id AND u.campaign_id = t.campaign_id
  WHERE m.direction = 'OutBound' ORDER BY random() LIMIT 1)",
                                pg::Lane::write, {}, Kind::unlisted);
const pg::Statement rename("tests.analytics.rename",
                           "UPDATE campaign SET name = $3, list_ids = $4, told_tags = $5 WHERE organization_id = $1 "
                           "AND id = $2",
                           pg::Lane::write,
                           {pg::oid::uuid, pg::oid::uuid, pg::oid::text, pg::oid::uuid_array, pg::oid::text_array},
                           Kind::unlisted);
const pg::Statement all_events("tests.analytics.all_events",
                               "SELECT position, changes, created_at AS at FROM outbox ORDER BY position",
                               pg::Lane::read, {}, Kind::unlisted);

events::FeedSettings feed_settings() {
  auto settings = quick_feed({"analytics"});
  settings.min_age = std::chrono::hours(1);  // nothing is pruned but by the tests
  return settings;
}

class Owned final : public http::BodySource {
 public:
  explicit Owned(std::shared_ptr<http::BodySource> stream) : stream_(std::move(stream)) {}
  awaitable<std::string_view> next() override { return stream_->next(); }

 private:
  std::shared_ptr<http::BodySource> stream_;
};

class Slow final : public http::BodySource {
 public:
  Slow(std::unique_ptr<http::BodySource> source, std::chrono::milliseconds longest)
      : source_(std::move(source)), longest_(longest) {}
  awaitable<std::string_view> next() override {
    static std::mt19937 random(std::random_device{}());
    co_await pause_for(std::chrono::microseconds(random() % static_cast<unsigned>(longest_.count() * 1000 + 1)));
    co_return co_await source_->next();
  }

 private:
  std::unique_ptr<http::BodySource> source_;
  std::chrono::milliseconds longest_;
};

awaitable<void> apply_element(pg::Transaction& transaction, const Uuid& organization, webhooks::Element element,
                              std::optional<webhooks::Contact> contact, events::Changes& changes) {
  webhooks::Item item;
  item.element = &element;
  item.organization = organization;
  item.contact = contact;
  webhooks::Item* const items[] = {&item};
  co_await webhooks::apply(transaction, organization, items, changes);
}

}  // namespace

struct Writer::Target {
  Uuid organization_id, id, contact_id;
  std::string channel_id;
  std::optional<Uuid> campaign_id;
  std::int64_t ordinal = 0;
  std::optional<std::int64_t> url_id;
  BOOST_DESCRIBE_CLASS(Target, (), (organization_id, id, contact_id, channel_id, campaign_id, ordinal, url_id), (), ())
};

ToldDatabase::ToldDatabase() {
  std::string sql = "BEGIN; CREATE SEQUENCE test_ordinal;";
  for (const int organization : {0, 1})
    for (int campaign = 0; campaign < 3; ++campaign) {
      const auto ids = "'" + uuid(1, organization).text() + "', '" + uuid(2, campaign).text() + "'";
      sql += "INSERT INTO campaign (organization_id, id, name, status) VALUES (" + ids + ", 'c', 'Running');" +
             "INSERT INTO campaign_url (organization_id, campaign_id, url, secret) VALUES (" + ids +
             ", 'https://example.com', decode(repeat('00', 16), 'hex'));";
      // As the service tells whatever campaign it makes: snapshots have all campaigns, changed since or not.
      events::Changes made;
      made.add(events::CampaignDescribed{uuid(1, organization), uuid(2, campaign), "c", {}, {}});
      sql += "INSERT INTO outbox (changes) VALUES ('" + made.json().text + "');";
    }
  execute(sql + R"(
    CREATE VIEW raw_message AS
    SELECT m.id AS n, m.organization_id, m.campaign_id, m.created_at AS sent_at, m.status,
           EXISTS (SELECT FROM conversation c WHERE c.id = m.conversation_id AND c.campaign_id = m.campaign_id
                     AND c.created_at = m.created_at) AS opened
    FROM message m WHERE direction = 'OutBound' AND campaign_id IS NOT NULL;
    CREATE VIEW raw_reply AS
    SELECT r.reply_to_message_id AS n, r.created_at AS at
    FROM message r JOIN raw_message m ON m.n = r.reply_to_message_id WHERE direction = 'InBound' AND NOT untold;
    CREATE VIEW raw_click AS
    SELECT t.message_id AS n, c.at FROM click c JOIN target t USING (organization_id, campaign_id, ordinal)
    WHERE NOT preview;
    CREATE FUNCTION made_at(uuid) RETURNS timestamptz LANGUAGE sql AS
      $$ SELECT to_timestamp(('x' || left(translate($1::text, '-', ''), 12))::bit(48)::bigint / 1000.0) $$;
    CREATE VIEW raw_life AS
    SELECT organization_id, CASE direction WHEN 'InBound' THEN 'inbound' ELSE status END AS what,
           CASE WHEN direction = 'InBound' OR campaign_id IS NOT NULL THEN created_at ELSE made_at(id) END AS at
    FROM message WHERE NOT untold
    UNION ALL SELECT organization_id, 'opened by ' || initiated_by, made_at(id) FROM conversation WHERE NOT untold;
    COMMIT)");
}

std::vector<events::Event> ToldDatabase::events() const {
  Loop loop(settings());
  loop.wait_until_available();
  return loop.run(loop.pool.read(pg::Batch(all_events))).rows<events::Event>();
}

awaitable<void> Writer::run(int steps) {
  for (int i = 0; i < steps; ++i) {
    std::string state;
    try {
      co_await step();
    } catch (const pg::SqlError& error) {
      state = error.state;
    } catch (const pg::Unavailable&) {
      state = "away";
    }
    if (state == "away") co_await pause_for(5ms);
    if (!state.empty() && state != "away" && state != "40P01") throw std::runtime_error("a writer met " + state);
  }
}

awaitable<void> Writer::step() {
  static constexpr Work works[] = {&Writer::send,  &Writer::send,   &Writer::send,    &Writer::rise,  &Writer::rise,
                                   &Writer::rise,  &Writer::rise,   &Writer::reply,   &Writer::click, &Writer::click,
                                   &Writer::write, &Writer::answer, &Writer::describe};
  auto transaction = co_await pool_.begin();
  events::Changes changes;
  co_await (this->*works[below(std::size(works))])(transaction, changes);
  if (below(4) == 0) co_await pause_for(std::chrono::microseconds(below(3'000)));
  pg::Batch last;
  if (!changes.empty()) last.add(events::outbox::append, changes.json());
  co_await transaction.commit(std::move(last));
  if (below(3) == 0) feed_.notify();
}

awaitable<void> Writer::send(pg::Transaction& transaction, events::Changes& changes) {
  const auto of = organization(), campaign = uuid(2, below(3)), contact = uuid(9, below(200)), id = model::new_uuid(),
             offered = model::new_uuid();
  const auto at = moment();
  const auto opened =
      co_await transaction.run(pg::Batch(open_conversation, of, offered, contact, std::optional(campaign), at));
  const auto conversation = opened.one<Uuid>();
  co_await transaction.run(pg::Batch(send_message, of, id, conversation, contact, campaign, at));
  conversations::engagement::CampaignCounters tally(of);
  tally.message(campaign, at, std::nullopt, MessageStatus::Queued);
  if (conversation == offered) {
    changes.add(events::ConversationCreated{of, offered, contact, model::ConversationInitiator::Campaign});
    tally.conversation(campaign, at);
  }
  tally.emit(changes);
  pg::Batch counts;
  tally.add_to(counts);
  co_await transaction.run(std::move(counts));
}

awaitable<std::optional<Writer::Target>> Writer::any_target(pg::Transaction& transaction) {
  const auto found = co_await transaction.run(pg::Batch(any_message));
  co_return found.optional<Target>();
}

awaitable<void> Writer::rise(pg::Transaction& transaction, events::Changes& changes) {
  static constexpr MessageStatus statuses[] = {MessageStatus::Sent, MessageStatus::UnDelivered,
                                               MessageStatus::Delivered, MessageStatus::Read};
  const auto target = co_await any_target(transaction);
  if (!target) co_return;
  webhooks::StatusReport report;
  report.channel_id = "wamid." + target->id.text();
  report.message_id = target->id;
  report.status = statuses[below(std::size(statuses))];
  report.at = moment();
  webhooks::Element element;
  element.what = report;
  co_await apply_element(transaction, target->organization_id, std::move(element), std::nullopt, changes);
}

// Quotes what it answers; of a contact who may be blocked.
awaitable<void> Writer::reply(pg::Transaction& transaction, events::Changes& changes) {
  const auto target = co_await any_target(transaction);
  if (!target || target->channel_id.empty()) co_return;
  webhooks::InboundMessage message;
  message.channel_id = message.key = "in." + model::new_uuid().text();
  message.at = moment();
  message.type = model::MessageType::Text;
  message.data = {{"text", "yes"}};
  message.refers_to = target->channel_id;
  webhooks::Element element;
  element.what = std::move(message);
  const auto status = below(5) == 0 ? model::ContactStatus::Blocked : model::ContactStatus::Active;
  co_await apply_element(transaction, target->organization_id, std::move(element),
                         webhooks::Contact{target->contact_id, status}, changes);
}

// Somebody who is in no campaign.
awaitable<void> Writer::write(pg::Transaction& transaction, events::Changes& changes) {
  webhooks::InboundMessage message;
  message.channel_id = message.key = "in." + model::new_uuid().text();
  message.at = moment();
  message.type = below(4) == 0 ? model::MessageType::System : model::MessageType::Text;
  message.data = {{"text", "hello"}};
  webhooks::Element element;
  element.what = std::move(message);
  const int contact = below(60);
  const auto status = contact % 3 == 0 ? model::ContactStatus::Blocked : model::ContactStatus::Active;
  co_await apply_element(transaction, organization(), std::move(element), webhooks::Contact{uuid(8, contact), status},
                         changes);
}

awaitable<void> Writer::click(pg::Transaction& transaction, events::Changes& changes) {
  const auto target = co_await any_target(transaction);
  if (!target || !target->campaign_id) co_return;
  std::map<Uuid, conversations::engagement::CampaignCounters> tallies;
  std::vector<conversations::engagement::Click> clicks;
  for (int i = 0; i <= below(3); ++i)
    clicks.push_back({model::new_uuid(), target->organization_id, *target->campaign_id, target->url_id.value(),
                      static_cast<std::int32_t>(target->ordinal), moment(), below(4) == 0});
  co_await conversations::engagement::note_clicks(transaction, std::move(clicks), tallies);
  pg::Batch counts;
  for (const auto& [organization, tally] : tallies) {
    tally.emit(changes);
    tally.add_to(counts);
  }
  if (!counts.empty()) co_await transaction.run(std::move(counts));
}

// A member's message.
awaitable<void> Writer::answer(pg::Transaction& transaction, events::Changes& changes) {
  const auto of = organization(), contact = uuid(7, below(60)), offered = model::new_uuid();
  const auto now = model::Timestamp::now();
  const auto opened =
      co_await transaction.run(pg::Batch(open_conversation, of, offered, contact, std::optional<Uuid>(), now));
  const auto conversation = opened.one<Uuid>();
  if (conversation == offered)
    changes.add(events::ConversationCreated{of, offered, contact, model::ConversationInitiator::Member});
  const conversations::messages::NewOutgoing outgoing{.organization_id = of,
                                                      .id = model::new_uuid(),
                                                      .conversation_id = conversation,
                                                      .contact_id = contact,
                                                      .reply_to = {},
                                                      .type = model::MessageType::Text,
                                                      .data = {R"({"text": "hello"})"},
                                                      .phone_number_id = "1",
                                                      .recipient = "+1",
                                                      .sent_by = {model::MessageSenderType::Automatic, {}, {}},
                                                      .expires_at = now};
  pg::Batch batch;
  conversations::messages::add_outgoing(batch, outgoing);
  co_await transaction.run(std::move(batch));
  changes.add(events::MessageCreated{of, conversation, contact, outgoing.id, model::MessageDirection::OutBound, now});
}

awaitable<void> Writer::describe(pg::Transaction& transaction, events::Changes& changes) {
  const events::CampaignDescribed described{organization(),
                                            uuid(2, below(3)),
                                            "campaign \"" + std::to_string(below(99)),
                                            {uuid(3, below(3))},
                                            {"Spring", uuid(4, below(3)).text()}};
  co_await transaction.run(pg::Batch(rename, described.organizationId, described.campaignId, described.name,
                                     described.listIds, described.tags));
  changes.add(described);
}

Teller::Teller(Loop& loop)
    : feed(loop.context(), loop.pool, feed_settings(), quiet()),
      snapshots(feed,
                {.walks = {&conversations::snapshot::sql::campaigns, &conversations::snapshot::sql::conversations,
                           &conversations::snapshot::sql::messages}},
                [](std::string_view what) { MESSAGE(what); }) {}

awaitable<http::Response> Teller::serve(http::Request& request) {
  if (request.path == "/internal/snapshot") return snapshots.serve();
  return feed.serve(std::string(request.query));
}

events::ConsumerWork counting(std::function<awaitable<http::ClientResponse>(http::ClientRequest)> ask,
                              std::function<awaitable<std::unique_ptr<http::BodySource>>(http::ClientRequest)> open,
                              std::chrono::milliseconds max_pause) {
  return {.ask = std::move(ask),
          .apply = analytics::rollups::apply_conversations,
          .forget = analytics::rollups::forget_conversations,
          .report = quiet(),
          .open = [open = std::move(open),
                   max_pause](http::ClientRequest request) -> awaitable<std::unique_ptr<http::BodySource>> {
            auto source = co_await open(std::move(request));
            co_return std::make_unique<Slow>(std::move(source), max_pause);
          },
          .restore = analytics::rollups::restore_conversations};
}

events::ConsumerSettings counting_settings() {
  auto settings = quick_consumer();
  settings.name = "analytics";
  settings.producer = "conversations";
  settings.limit = 50;
  return settings;
}

std::unique_ptr<http::BodySource> own(std::shared_ptr<http::BodySource> stream) {
  return std::make_unique<Owned>(std::move(stream));
}

}  // namespace parley::analytics_tests
