#pragma once
// Random histories of campaigns, told as events and kept as raw rows, and a database to apply them to.
#include <random>

#include "analytics/reports/store.hpp"
#include "analytics/rollups/store.hpp"
#include "common/events/campaign_changes.hpp"
#include "tests/integration/events_bed.hpp"

namespace parley::analytics_tests {

using namespace parley::events_tests;
using analytics::reports::Span;
using model::MessageStatus;
using Apply = awaitable<void> (*)(pg::Transaction&, std::span<const events::Event>);

constexpr std::int64_t kQuarter = 15 * 60 * 1000;

inline model::Uuid uuid(int kind, int number) {
  model::Uuid id{};
  id.bytes[6] = 0x70;
  id.bytes[8] = 0x80;
  id.bytes[14] = static_cast<unsigned char>(kind);
  id.bytes[15] = static_cast<unsigned char>(number);
  return id;
}

// What really happened.
struct Message {
  int organization = 0, campaign = 0;
  model::Timestamp sent_at;
  MessageStatus status = MessageStatus::Queued;
  bool opened = false;
  std::vector<model::Timestamp> replies, clicks;
};

// A random history and the events that tell it, some changes a transaction.
class History {
 public:
  explicit History(unsigned seed, std::int64_t first, std::int64_t length)
      : random_(seed), first_(first), length_(length) {}

  void run(int steps) {
    for (int i = 0; i < steps; ++i) {
      if (messages_.empty() || below(3) == 0)
        send();
      else
        change(messages_[static_cast<std::size_t>(below(static_cast<int>(messages_.size())))]);
      if (below(4) == 0) commit();
    }
    commit();
  }
  std::vector<events::Event> events;
  // What happened, for raw_message, raw_reply and raw_click.
  std::string raw_sql() const;

 private:
  int below(int most) { return std::uniform_int_distribution<int>(0, most - 1)(random_); }
  model::Timestamp moment() { return {first_ + std::uniform_int_distribution<std::int64_t>(0, length_ - 1)(random_)}; }
  void commit() {
    if (changes_.empty()) return;
    events.push_back({static_cast<std::int64_t>(events.size()) + 1, changes_.json()});
    changes_ = {};
  }
  void tell(const Message& m, std::optional<MessageStatus> from) {
    changes_.add(events::CampaignMessages{uuid(1, m.organization), uuid(2, m.campaign), m.sent_at, from, m.status, {}});
  }
  void send() {
    Message m{.organization = below(2),
              .campaign = below(3),
              .sent_at = moment(),
              .opened = below(3) == 0,
              .replies = {},
              .clicks = {}};
    tell(m, std::nullopt);
    if (m.opened)
      changes_.add(events::CampaignConversations{uuid(1, m.organization), uuid(2, m.campaign), m.sent_at, {}});
    messages_.push_back(m);
  }
  void change(Message& m) {
    const bool engaged = m.replies.empty() && m.clicks.empty();
    const auto at = moment();
    switch (below(4)) {
      case 0:
        changes_.add(events::CampaignReply{uuid(1, m.organization), uuid(2, m.campaign), m.sent_at, at,
                                           m.replies.empty(), engaged});
        m.replies.push_back(at);
        break;
      case 1:
        changes_.add(events::CampaignClick{uuid(1, m.organization), uuid(2, m.campaign), m.sent_at, at, engaged});
        m.clicks.push_back(at);
        break;
      default:
        const auto before = m.status;
        m.status = static_cast<MessageStatus>(below(6));
        tell(m, before);
    }
  }

  std::mt19937 random_;
  std::int64_t first_, length_;
  std::vector<Message> messages_;
  events::Changes changes_;
};

struct Bed {
  Bed();
  // Applies events in one transaction, as the consumer of conversations does.
  void apply(std::span<const events::Event> events, Apply work = analytics::rollups::apply_conversations);
  // The same in pages of random sizes.
  void apply_split(std::span<const events::Event> events, std::mt19937& random,
                   Apply work = analytics::rollups::apply_conversations);
  model::CampaignAnalytics report(int organization, const Span& span, analytics::reports::Filter filter = {});
  // Every table that analytics has, as text, without the positions that it was told at.
  std::string tables() const;

  Database database;
  Loop loop;
  analytics::reports::Store store;
};

// The figures from the raw rows of a database: the totals, then a line a day or hour in which something happened.
// `filter` is about raw_message r.
std::string plain_figures(const std::string& url, int organization, const Span& span,
                          const std::string& filter = "true");
// The same of a report.
std::string text_of(const model::CampaignAnalytics& a);

// How often each thing happened, by day or hour, from raw_life (organization_id, what, at), after how many contacts
// there were before.
std::string plain_primary(const std::string& url, int organization, const Span& span);
// The same of a report.
std::string text_of(const analytics::reports::PrimaryFigures& figures, const Span& span);

// A span from quarter to quarter within a length of time, and a zone, both chosen at random.
Span random_span(std::int64_t first, std::int64_t length, std::mt19937& random);

}  // namespace parley::analytics_tests
