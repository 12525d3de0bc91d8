#include "conversations/inbox/webhooks/opt_outs.hpp"

#include <boost/json/serialize.hpp>

#include "common/events/conversation_changes.hpp"
#include "conversations/inbox/webhooks/sql.hpp"
#include "conversations/messages/outgoing.hpp"

namespace parley::conversations::webhooks {

namespace {
constexpr std::int64_t kWindow = 24 * 60 * 60 * 1000;  // milliseconds after a message in which it may be answered
}

OptOuts::OptOuts(const model::Uuid& organization, optout::OptOutSettings settings)
    : organization_(organization), settings_(std::move(settings)), words_(settings_) {}

void OptOuts::note(const model::Uuid& contact, bool opted_out, model::Timestamp at, std::optional<Way> way) {
  auto& newest = newest_[contact];
  if (newest.at <= at) newest = {opted_out, at, std::move(way)};
}

void OptOuts::note_word(const model::Uuid& contact, const InboundMessage& message, std::optional<Way> way) {
  using Meaning = optout::Words::Meaning;
  auto meaning = words_.meaning_of(message.word);
  if (meaning == Meaning::none) meaning = words_.meaning_of(message.other_word);
  if (meaning != Meaning::none) note(contact, meaning == Meaning::stop, message.at, std::move(way));
}

void OptOuts::add_to(pg::Batch& batch) const {
  std::vector<model::Uuid> contacts;
  std::vector<bool> opted_out;
  std::vector<model::Timestamp> moments;
  for (const auto& [contact, said] : newest_) {
    contacts.push_back(contact);
    opted_out.push_back(said.opted_out);
    moments.push_back(said.at);
  }
  batch.add(sql::ensure_suppressions, organization_, contacts);
  batch.add(sql::set_opted_out, organization_, contacts, opted_out, moments);
}

// Emits every word, since contacts may know a newer one. Answers only words that changed something.
void OptOuts::conclude(const std::vector<OptedOutRow>& rows, pg::Batch& answers, events::Changes& changes) const {
  for (const auto& row : rows) {
    if (row.opted_out)
      changes.add(events::ContactOptedOut{organization_, row.contact_id, row.at});
    else
      changes.add(events::ContactOptedIn{organization_, row.contact_id, row.at});
    const auto& way = newest_.at(row.contact_id).way;
    if (way && row.opted_out != row.was_opted_out) answer(row, *way, answers, changes);
  }
}

void OptOuts::answer(const OptedOutRow& row, const Way& way, pg::Batch& answers, events::Changes& changes) const {
  const auto& text = row.opted_out ? settings_.stopAnswer : settings_.startAnswer;
  const auto now = model::Timestamp::now();
  const model::Timestamp until{row.at.milliseconds_since_epoch + kWindow};
  if (text.empty() || until <= now) return;  // too late: the channel would refuse it
  const messages::NewOutgoing outgoing{.organization_id = organization_,
                                       .id = model::new_uuid(),
                                       .conversation_id = way.conversation,
                                       .contact_id = row.contact_id,
                                       .reply_to = {},
                                       .type = model::MessageType::Text,
                                       .data = {boost::json::serialize(boost::json::object{{"text", text}})},
                                       .phone_number_id = way.phone_number_id,
                                       .recipient = way.recipient,
                                       .sent_by = {model::MessageSenderType::Automatic, {}, {}},
                                       .expires_at = until};
  messages::add_outgoing(answers, outgoing);
  changes.add(events::MessageCreated{organization_, way.conversation, row.contact_id, outgoing.id,
                                     model::MessageDirection::OutBound, now});
}

}  // namespace parley::conversations::webhooks
