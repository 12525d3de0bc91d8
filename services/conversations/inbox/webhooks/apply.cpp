#include "conversations/inbox/webhooks/apply.hpp"

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <map>
#include <set>
#include <unordered_map>

#include "common/channel/errors.hpp"
#include "common/pg/column.hpp"
#include "conversations/inbox/optout/sql.hpp"
#include "conversations/inbox/webhooks/opt_outs.hpp"
#include "conversations/inbox/webhooks/sql.hpp"
#include "conversations/inbox/webhooks/statuses.hpp"
#include "conversations/messages/engagement/engagement.hpp"

namespace parley::conversations::webhooks {

using model::ConversationInitiator;
using model::MessageDirection;
using model::MessageStatus;
using model::MessageType;
using model::Uuid;

namespace {

using pg::column;

struct Message {
  Item* item;
  const InboundMessage* inbound;
  Uuid id;                  // its id, if it is new
  bool is_new = false;      // not here before, or only untold, and to be told now
  bool was_untold = false;  // is here untold, and has come live
  Uuid conversation{};

  const Uuid& contact() const { return item->contact->contactId; }
  bool is_blocked() const { return item->contact->status == model::ContactStatus::Blocked; }
  bool is_outbound() const { return inbound->direction == MessageDirection::OutBound; }
  // Stored without an event: messages of blocked contacts, and those of the app's history.
  bool is_untold() const { return is_blocked() || inbound->is_old; }
  // Stored without opening a conversation or counting as unread: these, and system messages.
  bool is_quiet() const { return is_untold() || inbound->type == MessageType::System; }
  // Makes an untold one of the app's history told.
  bool is_live() const { return !is_outbound() && !inbound->is_old && inbound->type != MessageType::System; }
  MessageStatus status() const {
    if (is_outbound()) return inbound->status;
    return is_quiet() ? MessageStatus::Read : MessageStatus::Unread;
  }
  // May reply to a campaign: anything but the removal of a reaction.
  bool is_answer() const {
    const auto* reaction = inbound->type == MessageType::Reaction ? inbound->data.if_contains("reaction") : nullptr;
    return !is_outbound() && !is_quiet() && !(reaction && reaction->is_string() && reaction->get_string().empty());
  }
};

// A contact who wrote something that opens a conversation, or was written to from the phone's app.
struct Writer {
  std::optional<model::Timestamp> latest;  // when they wrote last
  ConversationInitiator initiator = ConversationInitiator::Contact;
  Uuid offered{};          // the id of its conversation, if that is new
  std::int32_t place = 0;  // among the batch's writers, from 1
  std::int32_t first = 0;  // its first message that opens a conversation: place among the new ones, from 1
};

std::optional<std::string> some(const std::string& text) { return text.empty() ? std::nullopt : std::optional(text); }

// Lock order of all transactions here: channel_message, conversations, inbound messages, outbound messages, outgoing,
// suppressions, engagement, campaign counts.
class Application {
 public:
  Application(pg::Transaction& transaction, const Uuid& organization, std::span<Item* const> items,
              events::Changes& changes)
      : transaction_(transaction), organization_(organization), changes_(changes), counters_(organization) {
    for (auto* item : items) {
      if (const auto* inbound = std::get_if<InboundMessage>(&item->element->what))
        messages_.push_back({item, inbound, model::new_uuid()});
      else
        others_.push_back(item);
    }
  }

  awaitable<void> run() {
    co_await claim();
    co_await find_conversations();
    co_await write();
    co_await settle();
    co_await count();
  }

 private:
  awaitable<void> claim();
  void prefer_live();
  awaitable<void> find_untold();
  awaitable<void> find_conversations();
  awaitable<void> find_latest_conversations(std::set<Uuid> contacts);
  awaitable<void> write();
  awaitable<void> settle();
  awaitable<void> count();
  void add_messages(pg::Batch& batch);
  void add_completions(pg::Batch& batch);
  void add_alterations(pg::Batch& batch);
  void add_statuses(pg::Batch& batch);
  void note_words();
  void note_added(const std::vector<ConversationRow>& active);
  void emit_message(const Message& message);
  void note_completed(const std::vector<ChangedRow>& rows);
  void read_changed(const std::vector<ChangedRow>& rows);
  void read_raised(const std::vector<RaisedRow>& rows);
  std::optional<Uuid> known(const std::string& key) const;
  void add_fillings(pg::Batch& batch);
  void emit_created(const Uuid& conversation, const Uuid& contact,
                    ConversationInitiator initiator = ConversationInitiator::Contact);

  pg::Transaction& transaction_;
  const Uuid organization_;
  events::Changes& changes_;
  engagement::CampaignCounters counters_;
  std::vector<Message> messages_;
  std::map<Uuid, Writer> writers_;  // by contact
  std::vector<Item*> others_;
  std::unordered_map<std::string, Uuid> known_;  // messages by the channel's id
  Statuses statuses_;
  std::vector<RaisedRow> raised_;
  std::optional<OptOuts> opt_outs_;
  std::vector<engagement::Answer> answers_;
};

std::optional<Uuid> Application::known(const std::string& key) const {
  const auto found = known_.find(key);
  return found == known_.end() ? std::nullopt : std::optional(found->second);
}

awaitable<void> Application::claim() {
  std::set<std::string> wanted;
  for (const auto& message : messages_) {
    if (!message.inbound->refers_to.empty()) wanted.insert({message.inbound->refers_to, message.inbound->key});
    if (message.inbound->is_later) wanted.insert(message.inbound->key);
  }
  for (const auto* item : others_) {
    if (const auto* alteration = std::get_if<Alteration>(&item->element->what)) wanted.insert(alteration->target);
    const auto* status = std::get_if<StatusReport>(&item->element->what);
    if (status && !status->message_id) wanted.insert(status->channel_id);
  }
  pg::Batch batch(sql::claim, organization_, column(messages_, [](const auto& m) { return m.inbound->key; }),
                  column(messages_, [](const auto& m) { return m.id; }));
  batch.add(sql::known, organization_, std::vector<std::string>(wanted.begin(), wanted.end()));
  batch.add(optout::sql::find, organization_);
  const auto results = co_await transaction_.run(std::move(batch));
  const auto claimed = results.rows<Uuid>(0);
  const std::set<Uuid> fresh(claimed.begin(), claimed.end());
  for (auto& message : messages_) message.is_new = fresh.contains(message.id);
  prefer_live();
  for (auto& message : messages_)
    if (!message.is_new) message.item->verdict = Verdict::repeated;
  for (auto& row : results.rows<KnownRow>(1)) known_.emplace(std::move(row.key), row.message_id);
  opt_outs_.emplace(organization_, optout::settings_of(results.optional<optout::SettingsRow>(2)));
  co_await find_untold();
}

// Of two with one key in the batch, the claim takes any: it shall be the live one.
void Application::prefer_live() {
  std::unordered_map<std::string, Message*> old;
  for (auto& message : messages_)
    if (message.is_new && message.inbound->is_old) old.emplace(message.inbound->key, &message);
  if (old.empty()) return;
  for (auto& message : messages_) {
    const auto found = old.find(message.inbound->key);
    if (found == old.end() || message.inbound->is_old) continue;
    std::swap(message.id, found->second->id);
    std::swap(message.is_new, found->second->is_new);
    old.erase(found);
  }
}

// The app's history may come before a message that it has, too. That is told nevertheless, once. Of a blocked contact
// only its words count, as always; again does not matter.
awaitable<void> Application::find_untold() {
  std::map<std::string, Message*> live;  // by key
  for (auto& message : messages_)
    if (!message.is_new && message.is_live()) live.emplace(message.inbound->key, &message);
  if (live.empty()) co_return;
  const auto keys = column(live, [](const auto& each) { return each.first; });
  pg::Batch batch(sql::find_untold, organization_, keys);
  batch.add(sql::find_untold, organization_, keys);
  const auto results = co_await transaction_.run(std::move(batch));
  for (const auto& row : results.rows<UntoldRow>(1)) {
    auto& message = *live.at(row.key);
    if (message.contact() != row.contact_id) continue;
    message.was_untold = true;
    if (message.is_blocked()) continue;
    message.id = row.id;
    message.is_new = true;
    message.item->verdict = Verdict::applied;
  }
}

void Application::emit_created(const Uuid& conversation, const Uuid& contact, ConversationInitiator initiator) {
  changes_.add(events::ConversationCreated{organization_, conversation, contact, initiator});
}

// Those of writers are found by the statement that adds their messages.
awaitable<void> Application::find_conversations() {
  std::set<Uuid> quiet;
  for (const auto& message : messages_) {
    if (!message.is_new) continue;
    if (message.is_quiet())
      quiet.insert(message.contact());
    else if (auto& writer = writers_[message.contact()]; !message.is_outbound())
      writer.latest = std::max(writer.latest.value_or(message.inbound->at), message.inbound->at);
  }
  std::erase_if(quiet, [&](const Uuid& contact) { return writers_.contains(contact); });
  if (!quiet.empty()) co_await find_latest_conversations(std::move(quiet));
}

awaitable<void> Application::find_latest_conversations(std::set<Uuid> contacts) {
  const std::vector<Uuid> ids(contacts.begin(), contacts.end());
  pg::Batch batch(sql::lock_contacts, organization_, ids);
  batch.add(sql::latest_conversations, organization_, ids);
  const auto results = co_await transaction_.run(std::move(batch));
  std::map<Uuid, Uuid> found;
  for (const auto& row : results.rows<ConversationRow>(1)) found[row.contact_id] = row.id;
  std::map<Uuid, Uuid> made;
  for (const auto& id : ids)
    if (!found.contains(id)) made[id] = model::new_uuid();
  std::set<Uuid> heard;  // contacts whose new conversations are announced
  for (const auto& message : messages_)
    if (message.is_new && !message.is_untold()) heard.insert(message.contact());
  if (!made.empty())
    co_await transaction_.run(pg::Batch(sql::add_closed, organization_,
                                        column(made, [](const auto& each) { return each.second; }),
                                        column(made, [](const auto& each) { return each.first; }),
                                        column(made, [&](const auto& each) { return !heard.contains(each.first); })));
  for (auto& message : messages_) {
    if (!message.is_new || writers_.contains(message.contact())) continue;
    const auto& contact = message.contact();
    const auto is_made = made.find(contact);
    message.conversation = is_made == made.end() ? found.at(contact) : is_made->second;
    if (is_made == made.end() || message.is_untold()) continue;
    emit_created(message.conversation, contact);
    found[contact] = message.conversation;  // announced once
    made.erase(is_made);
  }
}

awaitable<void> Application::write() {
  pg::Batch batch;
  add_messages(batch);
  add_completions(batch);
  add_alterations(batch);
  add_statuses(batch);
  add_fillings(batch);
  const auto results = co_await transaction_.run(std::move(batch));
  note_added(results.rows<ConversationRow>(0));
  note_completed(results.rows<ChangedRow>(1));
  read_changed(results.rows<ChangedRow>(1));
  read_changed(results.rows<ChangedRow>(2));
  read_raised(results.rows<RaisedRow>(3));
  read_changed(results.rows<ChangedRow>(4));
}

void Application::add_messages(pg::Batch& batch) {
  std::int32_t place = 0;
  for (auto& [contact, writer] : writers_) {
    writer.offered = model::new_uuid();
    writer.place = ++place;
  }
  std::vector<const Message*> fresh;
  std::vector<std::optional<Uuid>> replies, conversations;
  std::vector<std::int32_t> opened;
  std::vector<std::string> data;
  for (auto& message : messages_) {
    const auto& inbound = *message.inbound;
    const auto target = known(inbound.refers_to);
    if (!inbound.refers_to.empty() && !target)
      let_wait(*message.item, Awaited::message, "the message that it refers to is not known");
    if (!message.is_new) continue;
    const bool reacts = inbound.type == MessageType::Reaction;
    auto content = inbound.data;
    if (reacts && target) content["messageId"] = target->text();
    fresh.push_back(&message);
    replies.push_back(reacts ? std::nullopt : target);
    data.push_back(boost::json::serialize(content));
    const auto writer = writers_.find(message.contact());
    const bool writes = writer != writers_.end();
    conversations.push_back(writes ? std::nullopt : std::optional(message.conversation));
    opened.push_back(writes ? writer->second.place : 0);
    if (writes && writer->second.first == 0 && !message.is_quiet()) {
      writer->second.first = static_cast<std::int32_t>(fresh.size());
      if (message.is_outbound()) writer->second.initiator = ConversationInitiator::Member;
    }
  }
  const auto of_writers = [&](auto get) { return column(writers_, [get](const auto& w) { return get(w.second); }); };
  batch.add(sql::add_messages, organization_, column(fresh, [](const auto* m) { return m->id; }), conversations, opened,
            column(fresh, [](const auto* m) { return m->contact(); }), replies,
            column(fresh, [](const auto* m) { return m->inbound->direction; }),
            column(fresh, [](const auto* m) { return m->status(); }),
            column(fresh, [](const auto* m) { return m->inbound->type; }),
            column(fresh, [](const auto* m) { return some(m->inbound->channel_id); }), data,
            column(fresh, [](const auto* m) { return m->inbound->at; }),
            column(fresh, [](const auto* m) { return m->is_untold(); }),
            of_writers([](const Writer& w) { return w.offered; }),
            column(writers_, [](const auto& w) { return w.first; }),
            of_writers([](const Writer& w) { return w.latest; }), of_writers([](const Writer& w) { return w.first; }),
            of_writers([](const Writer& w) { return w.initiator; }));
}

void Application::note_added(const std::vector<ConversationRow>& active) {
  std::map<Uuid, Uuid> conversations;
  for (const auto& row : active) {
    conversations[row.contact_id] = row.id;
    const auto& writer = writers_.at(row.contact_id);
    if (writer.offered == row.id) emit_created(row.id, row.contact_id, writer.initiator);
  }
  for (auto& message : messages_) {
    if (!message.is_new) continue;
    const auto& inbound = *message.inbound;
    const auto target = known(inbound.refers_to);
    if (const auto found = conversations.find(message.contact()); found != conversations.end())
      message.conversation = found->second;
    // A reply whose quoted message is unknown counts once that is known.
    if (message.is_answer() && (target || inbound.refers_to.empty()))
      answers_.push_back({target, message.conversation, inbound.at});
    if (!message.is_untold()) emit_message(message);
  }
}

// One that the phone's app has sent is created as any other outbound one, Queued, and rises to its status at once: the
// next one rises from there.
void Application::emit_message(const Message& message) {
  const auto& inbound = *message.inbound;
  changes_.add(events::MessageCreated{organization_, message.conversation, message.contact(), message.id,
                                      inbound.direction, inbound.at});
  if (message.is_outbound() && inbound.status != MessageStatus::Queued)
    changes_.add(events::MessageStatusChanged{.organizationId = organization_,
                                              .conversationId = message.conversation,
                                              .contactId = message.contact(),
                                              .messageId = message.id,
                                              .campaignId = {},
                                              .from = MessageStatus::Queued,
                                              .to = inbound.status,
                                              .errorCode = {},
                                              .errorText = {},
                                              .at = inbound.at});
}

// Completes messages that came before the message they refer to.
void Application::add_completions(pg::Batch& batch) {
  std::map<Uuid, Uuid> targets;
  for (const auto& message : messages_) {
    const auto own = known(message.inbound->key), target = known(message.inbound->refers_to);
    if (!message.is_new && own && target) targets[*own] = *target;
  }
  batch.add(sql::complete, organization_, column(targets, [](const auto& each) { return each.first; }),
            column(targets, [](const auto& each) { return each.second; }));
}

void Application::add_alterations(pg::Batch& batch) {
  std::map<Uuid, const Alteration*> by_message;
  for (auto* item : others_) {
    const auto* alteration = std::get_if<Alteration>(&item->element->what);
    if (!alteration) continue;
    const auto target = known(alteration->target);
    if (!target) {
      let_wait(*item, Awaited::message, "the message that it changes is not known");
      continue;
    }
    auto& best = by_message[*target];
    const bool is_later = best && best->type && (!alteration->type || best->at < alteration->at);
    if (!best || is_later) best = alteration;
  }
  batch.add(
      sql::alter, organization_, column(by_message, [](const auto& each) { return each.first; }),
      column(by_message, [](const auto& each) { return each.second->type; }),
      column(by_message, [](const auto& each) { return each.second->data; }),
      column(by_message,
             [](const auto& each) { return each.second->type ? std::optional(each.second->at.text()) : std::nullopt; }),
      column(by_message, [](const auto& each) { return each.second->direction; }));
}

// What stood for content that was to come gets it.
void Application::add_fillings(pg::Batch& batch) {
  std::map<Uuid, const InboundMessage*> by_message;
  for (const auto& message : messages_)
    if (const auto own = known(message.inbound->key); own && message.inbound->is_later && !message.is_new)
      by_message[*own] = message.inbound;
  batch.add(sql::fill, organization_, column(by_message, [](const auto& each) { return each.first; }),
            column(by_message, [](const auto& each) { return each.second->type; }),
            column(by_message, [](const auto& each) { return boost::json::serialize(each.second->data); }));
}

void Application::add_statuses(pg::Batch& batch) {
  for (auto* item : others_) {
    const auto* report = std::get_if<StatusReport>(&item->element->what);
    if (!report) continue;
    const auto id = report->message_id ? report->message_id : known(report->channel_id);
    if (!id) {
      if (report->is_marked)
        item->verdict = Verdict::foreign;
      else
        let_wait(*item, Awaited::message, "the message that it is the status of is not known");
      continue;
    }
    statuses_.note(*item, *report, *id);
  }
  statuses_.add_to(batch, organization_);
}

// Each message is completed once.
void Application::note_completed(const std::vector<ChangedRow>& rows) {
  for (const auto& row : rows)
    for (const auto& message : messages_)
      if (message.is_answer() && known(message.inbound->key) == row.id) {
        answers_.push_back({known(message.inbound->refers_to), row.conversation_id, message.inbound->at});
        break;
      }
}

void Application::read_changed(const std::vector<ChangedRow>& rows) {
  for (const auto& row : rows)
    if (!row.untold)
      changes_.add(
          events::MessageChanged{organization_, row.conversation_id, row.contact_id, row.id, model::Timestamp::now()});
}

void Application::read_raised(const std::vector<RaisedRow>& rows) {
  std::vector<messages::Rise> rises;
  for (const auto& row : rows) {
    if (!row.rises) continue;
    if (!row.untold) rises.push_back(row);
    if (row.error_code && cloud_api::class_of(*row.error_code) == cloud_api::ErrorClass::opted_out)
      opt_outs_->note(row.contact_id, true, row.status_at);
  }
  messages::emit(changes_, counters_, organization_, rises);
  statuses_.conclude(rows);
  raised_ = rows;
}

awaitable<void> Application::settle() {
  note_words();
  pg::Batch batch;
  statuses_.settle(raised_, batch, organization_);
  if (!opt_outs_->empty()) opt_outs_->add_to(batch);
  if (batch.empty()) co_return;
  const auto last = batch.size() - 1;
  const auto results = co_await transaction_.run(std::move(batch));
  if (opt_outs_->empty()) co_return;
  pg::Batch answers;
  opt_outs_->conclude(results.rows<OptedOutRow>(last), answers, changes_);
  if (!answers.empty()) co_await transaction_.run(std::move(answers));
}

awaitable<void> Application::count() {
  co_await engagement::note_replies(transaction_, organization_, std::move(answers_), counters_);
  if (counters_.empty()) co_return;
  counters_.emit(changes_);
  pg::Batch batch;
  counters_.add_to(batch);
  co_await transaction_.run(std::move(batch));
}

void Application::note_words() {
  for (const auto& message : messages_) {
    if (!(message.is_new || message.was_untold) || message.is_outbound() || message.inbound->is_old) continue;
    const auto& element = *message.item->element;
    std::optional<OptOuts::Way> way;
    if (!message.is_quiet())
      way = {message.conversation, element.phone_number_id,
             element.sender.phone.empty() ? element.sender.user_id : element.sender.phone};
    opt_outs_->note_word(message.contact(), *message.inbound, std::move(way));
  }
  for (const auto* item : others_)
    if (const auto* preference = std::get_if<Preference>(&item->element->what))
      opt_outs_->note(item->contact->contactId, preference->opted_out, preference->at);
}

}  // namespace

awaitable<void> apply(pg::Transaction& transaction, Uuid organization, std::span<Item* const> items,
                      events::Changes& changes) {
  Application application(transaction, organization, items, changes);
  co_await application.run();
}

}  // namespace parley::conversations::webhooks
