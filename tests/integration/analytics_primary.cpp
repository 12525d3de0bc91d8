// GET /api/analytics/primary against plain SQL over raw rows: random lives of messages, conversations and contacts,
// told as events in any order.
#include <algorithm>
#include <map>

#include "common/events/contact_changes.hpp"
#include "common/events/conversation_changes.hpp"
#include "tests/integration/analytics_bed.hpp"

using namespace parley;
using namespace parley::analytics_tests;
using model::MessageDirection;

namespace {

constexpr std::int64_t kDay = 86'400'000;

// A version 7 id that was made at a moment.
model::Uuid born(model::Timestamp moment, int number) {
  auto id = uuid(number % 250, number / 250);
  for (int i = 0; i < 6; ++i)
    id.bytes[static_cast<std::size_t>(i)] =
        static_cast<unsigned char>(moment.milliseconds_since_epoch >> (8 * (5 - i)));
  return id;
}

class Lives {
 public:
  Lives(unsigned seed, std::int64_t first, std::int64_t length) : random_(seed), first_(first), length_(length) {}

  void run(int steps) {
    for (int i = 0; i < steps; ++i) {
      const int what = below(8);
      if (what < 2) say();
      if (what == 2) of_campaign();
      if (what == 3) open();
      if (what == 4) meet();
      if (what == 5) part();
      if (what > 5 && !statuses_.empty()) rise();
    }
  }
  std::vector<events::Event> conversations, contacts;
  std::string raw_sql() const;

 private:
  struct Status {
    int n = 0, organization = 0;
    model::Uuid id;
    model::Timestamp at;
    bool is_campaign = false;
    MessageStatus status = MessageStatus::Queued;
  };
  int below(int most) { return std::uniform_int_distribution<int>(0, most - 1)(random_); }
  model::Timestamp moment() { return {first_ + std::uniform_int_distribution<std::int64_t>(0, length_ - 1)(random_)}; }
  template <class Change>
  void tell(std::vector<events::Event>& events, const Change& change, model::Timestamp at) {
    events::Changes changes;
    changes.add(change);
    events.push_back({static_cast<std::int64_t>(events.size()) + 1, changes.json(), at});
  }
  void add(const std::string& table, int organization, const std::string& what, model::Timestamp at) {
    rows_ += "INSERT INTO " + table + " VALUES ('" + uuid(1, organization).text() + "', '" + what + "', '" + at.text() +
             "');\n";
  }
  void say() {
    const int organization = below(2), n = ++count_;
    const auto at = moment();
    const auto id = born(at, n);
    const bool inbound = below(2) == 0;
    tell(conversations,
         events::MessageCreated{
             uuid(1, organization), {}, {}, id, inbound ? MessageDirection::InBound : MessageDirection::OutBound, at},
         at);
    if (inbound)
      add("raw_life", organization, "inbound", at);
    else
      statuses_.push_back({n, organization, id, at});
  }
  void of_campaign() {
    const int organization = below(2), n = ++count_;
    const auto at = moment();
    statuses_.push_back({n, organization, born(at, n), at, true});
    tell(conversations, events::CampaignMessages{uuid(1, organization), uuid(2, 1), at, {}, MessageStatus::Queued, {}},
         at);
  }
  void rise() {
    auto& message = statuses_[static_cast<std::size_t>(below(static_cast<int>(statuses_.size())))];
    const auto before = std::exchange(message.status, static_cast<MessageStatus>(below(6)));
    const auto organization = uuid(1, message.organization);
    events::Changes changes;
    const auto campaign = message.is_campaign ? std::optional(uuid(2, 1)) : std::nullopt;
    const auto now = moment();
    changes.add(
        events::MessageStatusChanged{organization, {}, {}, message.id, campaign, before, message.status, {}, {}, now});
    if (campaign)
      changes.add(events::CampaignMessages{organization, *campaign, message.at, before, message.status, {}});
    conversations.push_back({static_cast<std::int64_t>(conversations.size()) + 1, changes.json(), now});
  }
  void open() {
    const int organization = below(2);
    const auto at = moment();
    const auto by = static_cast<model::ConversationInitiator>(below(3));
    const bool is_old = below(4) == 0;  // an id that says nothing of its time: the transaction's counts
    tell(conversations,
         events::ConversationCreated{uuid(1, organization), is_old ? model::Uuid{} : born(at, ++count_), {}, by},
         is_old ? at : moment());
    add("raw_life", organization, "opened by " + std::string(model::name_of(by)), at);
  }
  void meet() {
    const int organization = below(2);
    events::ContactsCreated made{uuid(1, organization), {}};
    for (int i = 0; i < 1 + below(5); ++i) {
      const auto at = moment();
      made.contactIds.push_back(born(at, ++count_));
      add("raw_life", organization, "created", at);
    }
    tell(contacts, made, moment());
  }
  void part() {
    const int organization = below(2);
    const auto at = moment();
    if (below(3) == 0)
      tell(contacts, events::ContactMerged{uuid(1, organization), uuid(5, 1), uuid(5, 2)}, at);
    else
      tell(contacts, events::ContactsDeleted{uuid(1, organization), {uuid(5, 1)}}, at);
    add("raw_life", organization, "deleted", at);
  }

  std::mt19937 random_;
  std::int64_t first_, length_;
  int count_ = 0;
  std::vector<Status> statuses_;
  std::string rows_;
};

std::string Lives::raw_sql() const {
  auto sql = "BEGIN; CREATE TABLE raw_life (organization_id uuid, what text, at timestamptz);\n" + rows_;
  for (const auto& message : statuses_)
    sql += "INSERT INTO raw_life VALUES ('" + uuid(1, message.organization).text() + "', '" +
           std::string(model::name_of(message.status)) + "', '" + message.at.text() + "');\n";
  return sql + "COMMIT";
}

}  // namespace

TEST_SUITE("integration: analytics") {
  TEST_CASE("messages, conversations and contacts: every figure of random spans is what plain SQL counts") {
    using namespace analytics::rollups;
    for (unsigned seed = 1; seed <= 6; ++seed) {
      CAPTURE(seed);
      Bed bed, disordered;
      const auto first = model::Timestamp::parse("2025-10-20")->milliseconds_since_epoch;
      const std::int64_t length = (seed % 2 == 0 ? 2 : 20) * kDay;
      Lives lives(seed, first, length);
      lives.run(1'500);
      bed.database.execute(lives.raw_sql());
      std::mt19937 random(seed);
      bed.apply_split(lives.conversations, random);
      bed.apply_split(lives.contacts, random, apply_contacts);
      std::shuffle(lives.conversations.begin(), lives.conversations.end(), random);
      std::shuffle(lives.contacts.begin(), lives.contacts.end(), random);
      disordered.apply_split(lives.contacts, random, apply_contacts);
      disordered.apply_split(lives.conversations, random);
      CHECK(bed.tables() == disordered.tables());
      for (int i = 0; i < 12; ++i) {
        const auto span = random_span(first, length, random);
        CAPTURE(span.zone);
        CAPTURE(span.starts.text());
        CAPTURE(span.ends.text());
        for (const int organization : {0, 1}) {
          const auto figures = bed.loop.run(bed.store.primary(uuid(1, organization), span));
          CHECK(text_of(figures, span) == plain_primary(bed.database.url(), organization, span));
        }
      }
    }
  }
}
