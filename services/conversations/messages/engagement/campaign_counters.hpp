#pragma once
#include <map>
#include <tuple>

#include "common/events/campaign_changes.hpp"
#include "common/events/event.hpp"
#include "common/pg/batch.hpp"

namespace parley::conversations::engagement {

// One transaction's changes to campaigns' counters. Stored counts and events both come from here, so that they agree.
class CampaignCounters {
 public:
  explicit CampaignCounters(const model::Uuid& organization) : organization_(organization) {}

  // A recipient's message, created at `sent_at`, changed its status; `from` is nullopt if it was created.
  void message(const model::Uuid& campaign, model::Timestamp sent_at, std::optional<model::MessageStatus> from,
               model::MessageStatus to, std::int64_t count = 1);
  void conversation(const model::Uuid& campaign, model::Timestamp sent_at, std::int64_t count = 1);
  void add(const events::CampaignReply& reply);
  void add(const events::CampaignClick& click);  // not for previews
  // Clicks on one URL of the campaign, by its number; `people` counts first clicks. Not reported to analytics.
  void link(const model::Uuid& campaign, std::int64_t url, std::int64_t clicks, std::int64_t people,
            std::int64_t previews);
  // Targets added, or skipped (now or later). Not reported to analytics.
  void targets(const model::Uuid& campaign, std::int64_t count);
  void skipped(const model::Uuid& campaign, std::int64_t count);

  bool empty() const { return counts_.empty(); }
  void emit(events::Changes& changes) const;
  // Call after all other rows are locked, and before outbox::append. No-op when empty.
  void add_to(pg::Batch& batch) const;

 private:
  using Quarter = std::int64_t;  // its start, in milliseconds since 1970
  void count(const model::Uuid& campaign, Quarter quarter, std::string_view what, std::int64_t n);

  model::Uuid organization_;
  std::map<std::tuple<model::Uuid, Quarter, std::string>, std::int64_t> counts_;
  std::map<std::tuple<model::Uuid, Quarter, std::optional<model::MessageStatus>, model::MessageStatus>,
           events::CampaignMessages>
      messages_;
  std::map<std::pair<model::Uuid, Quarter>, events::CampaignConversations> conversations_;
  std::vector<events::CampaignReply> replies_;
  std::vector<events::CampaignClick> clicks_;
};

}  // namespace parley::conversations::engagement
