#pragma once
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/pg/batch.hpp"
#include "conversations/inbox/webhooks/apply.hpp"
#include "conversations/inbox/webhooks/rows.hpp"

namespace parley::conversations::webhooks {

// What a batch reports of outbound messages: the best status of each, of those that are alike the latest.
class Statuses {
 public:
  void note(Item& item, const StatusReport& report, const model::Uuid& message);
  void add_to(pg::Batch& batch, const model::Uuid& organization) const;
  // Sets the verdicts of the items whose message did not rise, by the rows that the statement gives.
  void conclude(const std::vector<RaisedRow>& rows);

  // Adds what follows from those rows: the ids at the channel that were not known, and that the sending is settled.
  void settle(const std::vector<RaisedRow>& rows, pg::Batch& batch, const model::Uuid& organization) const;

 private:
  struct Status {
    model::MessageStatus status = model::MessageStatus::Queued;
    model::Timestamp at;
    std::optional<std::int64_t> error_code;
    std::optional<std::string> error_text;
    std::optional<std::string> channel_id;
  };

  std::map<model::Uuid, Status> best_;                // by message
  std::vector<std::pair<Item*, model::Uuid>> items_;  // with the message of each
};

}  // namespace parley::conversations::webhooks
