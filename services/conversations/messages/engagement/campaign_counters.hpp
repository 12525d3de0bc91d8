#pragma once
#include <map>
#include <tuple>

#include "common/events/campaign_changes.hpp"
#include "common/events/event.hpp"
#include "common/pg/batch.hpp"

namespace parley::conversations::engagement {

// What one transaction does to campaigns' figures. The service's own counts and what analytics is told come from here
// both, so that they cannot differ.
class CampaignCounters {
 public:
  explicit CampaignCounters(const model::Uuid& organization) : organization_(organization) {}

  // A recipient's message, made at `sent_at`, went from one status to another; from nullopt: it was made.
  void message(const model::Uuid& campaign, model::Timestamp sent_at, std::optional<model::MessageStatus> from,
               model::MessageStatus to, std::int64_t count = 1);
  // A campaign's message opened a conversation.
  void conversation(const model::Uuid& campaign, model::Timestamp sent_at, std::int64_t count = 1);
  void add(const events::CampaignReply& reply);
  void add(const events::CampaignClick& click);  // not of previews
  // Of one of its URLs, by its number: how often it was followed, by how many who had not followed it before, and how
  // often it was fetched for a preview. Analytics is not told.
  void link(const model::Uuid& campaign, std::int64_t url, std::int64_t clicks, std::int64_t people,
            std::int64_t previews);
  // Targets were added to a campaign, so many of them, or skipped (now or later): analytics is not told.
  void targets(const model::Uuid& campaign, std::int64_t count);
  void skipped(const model::Uuid& campaign, std::int64_t count);

  bool empty() const { return counts_.empty(); }
  void emit(events::Changes& changes) const;
  // After all other rows that the transaction locks, before outbox::append. Nothing when empty.
  void add_to(pg::Batch& batch) const;

 private:
  using Quarter = std::int64_t;  // its begin, in milliseconds since 1970
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
