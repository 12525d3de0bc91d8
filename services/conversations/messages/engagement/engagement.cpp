#include "conversations/messages/engagement/engagement.hpp"

#include "common/pg/column.hpp"
#include "conversations/messages/engagement/sql.hpp"

namespace parley::conversations::engagement {

namespace {

using pg::column;

struct ReplyRow {
  model::Uuid campaign_id;
  model::Timestamp sent_at, at;
  bool first = false, engaged = false;
};
BOOST_DESCRIBE_STRUCT(ReplyRow, (), (campaign_id, sent_at, at, first, engaged))

struct ClickRow {
  model::Uuid organization_id, campaign_id;
  std::int64_t url_id = 0;
  model::Timestamp sent_at, at;
  bool preview = false;
  bool first = false;    // on this URL
  bool engaged = false;  // before any other click and any reply
};
BOOST_DESCRIBE_STRUCT(ClickRow, (), (organization_id, campaign_id, url_id, sent_at, at, preview, first, engaged))

}  // namespace

awaitable<void> note_replies(pg::Transaction& transaction, model::Uuid organization, std::vector<Answer> answers,
                             CampaignCounters& counters) {
  if (answers.empty()) co_return;
  const auto results =
      co_await transaction.run(pg::Batch(sql::note_replies, organization, column(answers, &Answer::quoted),
                                         column(answers, &Answer::conversation), column(answers, &Answer::at)));
  for (const auto& row : results.rows<ReplyRow>())
    counters.add(events::CampaignReply{organization, row.campaign_id, row.sent_at, row.at, row.first, row.engaged});
}

awaitable<void> note_clicks(pg::Transaction& transaction, std::vector<Click> clicks,
                            std::map<model::Uuid, CampaignCounters>& by_organization) {
  if (clicks.empty()) co_return;
  const auto results = co_await transaction.run(
      pg::Batch(sql::note_clicks, column(clicks, &Click::id), column(clicks, &Click::organization_id),
                column(clicks, &Click::campaign_id), column(clicks, &Click::url_id), column(clicks, &Click::ordinal),
                column(clicks, &Click::at), column(clicks, &Click::preview)));
  for (const auto& row : results.rows<ClickRow>()) {
    auto& counters = by_organization.try_emplace(row.organization_id, row.organization_id).first->second;
    counters.link(row.campaign_id, row.url_id, !row.preview, row.first, row.preview);
    if (!row.preview)
      counters.add(events::CampaignClick{row.organization_id, row.campaign_id, row.sent_at, row.at, row.engaged});
  }
}

}  // namespace parley::conversations::engagement
