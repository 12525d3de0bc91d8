#include "conversations/inbox/webhooks/statuses.hpp"

#include <algorithm>
#include <array>

#include "common/pg/column.hpp"
#include "conversations/inbox/webhooks/sql.hpp"

namespace parley::conversations::webhooks {

using model::MessageStatus;
using model::Uuid;

namespace {

int rank(MessageStatus status) {  // only statuses that the channel reports
  static constexpr std::array order{MessageStatus::Sent, MessageStatus::UnDelivered, MessageStatus::Delivered,
                                    MessageStatus::Read};
  return static_cast<int>(std::find(order.begin(), order.end(), status) - order.begin());
}

}  // namespace

void Statuses::note(Item& item, const StatusReport& report, const Uuid& message) {
  items_.emplace_back(&item, message);
  auto& best = best_[message];
  if (!report.channel_id.empty()) best.channel_id = report.channel_id;
  const bool is_worse = rank(report.status) < rank(best.status);
  const bool is_later = report.status == best.status && report.at >= best.at;
  if (best.status != MessageStatus::Queued && (is_worse || is_later)) return;
  best.status = report.status;
  best.at = report.at;
  best.error_code = report.error_code;
  best.error_text = report.error_text.empty() ? std::nullopt : std::optional(report.error_text);
}

void Statuses::add_to(pg::Batch& batch, const Uuid& organization) const {
  const auto of = [&](auto get) { return pg::column(best_, [get](const auto& each) { return get(each.second); }); };
  batch.add(sql::raise, organization, pg::column(best_, [](const auto& each) { return each.first; }),
            of([](const Status& s) { return s.status; }), of([](const Status& s) { return s.at; }),
            of([](const Status& s) { return s.error_code; }), of([](const Status& s) { return s.error_text; }),
            of([](const Status& s) { return s.channel_id; }));
}

void Statuses::conclude(const std::vector<RaisedRow>& rows) {
  std::map<Uuid, const RaisedRow*> by_id;
  for (const auto& row : rows) by_id[row.id] = &row;
  for (const auto& [item, id] : items_) {
    const auto found = by_id.find(id);
    if (found == by_id.end()) {
      let_wait(*item, Awaited::message, "the message that it is the status of is not known");
    } else if (!found->second->rises) {
      item->verdict = Verdict::repeated;
    }
  }
}

void Statuses::settle(const std::vector<RaisedRow>& rows, pg::Batch& batch, const Uuid& organization) const {
  std::vector<RaisedRow> learned;
  std::vector<Uuid> settled;
  for (const auto& row : rows) {
    if (row.learned) learned.push_back(row);
    if (row.rises) settled.push_back(row.id);
  }
  if (!learned.empty())
    batch.add(sql::learn, organization,
              pg::column(learned, [&](const auto& row) { return *best_.at(row.id).channel_id; }),
              pg::column(learned, &RaisedRow::id));
  if (!settled.empty()) batch.add(sql::forget_outgoing, organization, settled);
}

}  // namespace parley::conversations::webhooks
