#pragma once
#include <map>

#include "common/events/event.hpp"
#include "conversations/inbox/optout/store.hpp"
#include "conversations/inbox/webhooks/payload.hpp"
#include "conversations/inbox/webhooks/rows.hpp"

namespace parley::conversations::webhooks {

// What the contacts of an organization said in one batch of whether they want campaigns: of each the newest.
class OptOuts {
 public:
  OptOuts(const model::Uuid& organization, optout::OptOutSettings settings);

  // How a message that said so can be answered.
  struct Way {
    model::Uuid conversation;
    std::string phone_number_id, recipient;
  };
  void note(const model::Uuid& contact, bool opted_out, model::Timestamp at, std::optional<Way> way = {});
  // If the message is one of the organization's words.
  void note_word(const model::Uuid& contact, const InboundMessage& message, std::optional<Way> way);
  bool empty() const { return newest_.empty(); }

  // Adds what writes it; the last statement's answer is for conclude().
  void add_to(pg::Batch& batch) const;
  // Tells of what changed, and adds the answers to be sent.
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
