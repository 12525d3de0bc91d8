#pragma once
#include <map>

#include "common/events/event.hpp"
#include "conversations/inbox/optout/store.hpp"
#include "conversations/inbox/webhooks/payload.hpp"
#include "conversations/inbox/webhooks/rows.hpp"

namespace parley::conversations::webhooks {

// The newest opt-out or opt-in of each contact in a batch.
class OptOuts {
 public:
  OptOuts(const model::Uuid& organization, optout::OptOutSettings settings);

  struct Way {
    model::Uuid conversation;
    std::string phone_number_id, recipient;
  };
  void note(const model::Uuid& contact, bool opted_out, model::Timestamp at, std::optional<Way> way = {});
  void note_word(const model::Uuid& contact, const InboundMessage& message, std::optional<Way> way);
  bool empty() const { return newest_.empty(); }

  // Adds the statements; pass the result of the last one to conclude().
  void add_to(pg::Batch& batch) const;
  void conclude(const std::vector<OptedOutRow>& rows, pg::Batch& answers, events::Changes& changes) const;

 private:
  struct Said {
    bool opted_out = false;
    model::Timestamp at;
    std::optional<Way> way;
  };
  void answer(const OptedOutRow& row, const Way& way, pg::Batch& answers, events::Changes& changes) const;

  const model::Uuid organization_;
  const optout::OptOutSettings settings_;
  const optout::Words words_;
  std::map<model::Uuid, Said> newest_;  // by contact
};

}  // namespace parley::conversations::webhooks
