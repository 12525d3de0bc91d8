#pragma once
// Contacts and conversations, each with its database, telling each other of people.

#include "common/removals/worker.hpp"
#include "contacts/contacts/store.hpp"
#include "contacts/identities/opt_outs.hpp"
#include "contacts/identities/store.hpp"
#include "conversations/recovery/deletions/store.hpp"
#include "conversations/recovery/reconciliation/feed.hpp"
#include "conversations/recovery/reconciliation/reconciler.hpp"
#include "tests/integration/contacts_bed.hpp"
#include "tests/integration/conversations_bed.hpp"
#include "tests/integration/events_children.hpp"

namespace parley::events_tests {

using model::ContactStatus;
using model::Uuid;
using pg_tests::Loop;

// Sends a consumer's questions somewhere.
using Ask = std::function<awaitable<http::ClientResponse>(http::ClientRequest)>;

inline events::ConsumerSettings quick_follower(std::string name, std::string producer) {
  auto settings = quick_consumer();
  settings.name = std::move(name);
  settings.producer = std::move(producer);
  return settings;
}

// What a process of contacts has of it, on a loop.
struct ContactsHalf {
  ContactsHalf(Loop& loop_, Ask ask)
      : loop(loop_),
        feed(loop.context(), loop.pool, quick_feed({"conversations"}), quiet()),
        consumer(loop.context(), loop.pool, quick_follower("contacts", "conversations"),
                 {std::move(ask), contacts::identities::apply_conversations, contacts::identities::emit_all, quiet(),
                  events::Dropped::made_up}),
        redis(loop.context().get_executor(), redis::Settings{.url = "redis://127.0.0.1:1/0"}),
        counts(redis, ""),
        store(loop.pool, counts),
        people(loop.pool) {}
  void start() {
    loop.launch(feed.run());
    loop.launch(consumer.run());
  }
  void stop() {
    feed.stop();
    consumer.stop();
  }
  // What a member does.
  awaitable<void> give(Uuid organization, Uuid id, ContactStatus status);
  awaitable<void> remove(Uuid organization, Uuid id, bool told = true);

  Loop& loop;
  events::Feed feed;
  events::Consumer consumer;
  redis::Client redis;
  redis::CountCache counts;
  contacts::contacts::Store store;
  contacts::identities::Store people;
};

// The same of conversations.
struct ConversationsHalf {
  ConversationsHalf(Loop& loop_, Ask ask, Ask addresses)
      : loop(loop_),
        feed(loop.context(), loop.pool, quick_feed({"contacts"}), quiet()),
        consumer(loop.context(), loop.pool, quick_follower("conversations", "contacts"),
                 {std::move(ask), conversations::reconciliation::apply_feed, conversations::reconciliation::begin_walk,
                  quiet(), events::Dropped::made_up}),
        removals(loop.context(), loop.pool, conversations::deletions::kinds(), quiet(),
                 {.most = 5, .busy_pause = 1ms, .idle_pause = 2ms, .retry_pause = 0s}),
        walker(loop.context(), loop.pool, std::move(addresses), quiet(),
               {.most = 4, .busy_pause = 1ms, .idle_pause = 2ms, .retry_pause = 5ms}) {}
  void start() {
    loop.launch(feed.run());
    loop.launch(consumer.run());
    loop.launch(removals.run());
    loop.launch(walker.run());
  }
  void stop() {
    feed.stop();
    consumer.stop();
    removals.stop();
    walker.stop();
  }

  Loop& loop;
  events::Feed feed;
  events::Consumer consumer;
  removals::Worker removals;
  conversations::reconciliation::Reconciler walker;
};

// A contact says STOP or START in a message, as webhooks' worker applies it; `at` in milliseconds.
awaitable<void> speak(pg::Pool& pool, Uuid organization, Uuid contact, bool opted_out, std::int64_t at);

// As if what is removed had begun long ago. Passes over what is at work: that may be this thread.
void hasten_removals(const std::string& url);

// Contacts' answer of addresses, without HTTP.
awaitable<http::ClientResponse> answer_addresses(contacts::identities::Store& people, std::string target);

// What both sides know of each contact of contacts, one a line; `differing`: only where they are at odds, and what is
// known of contacts that are no more.
std::string compare(const std::string& contacts_url, const std::string& conversations_url, bool differing = true);

}  // namespace parley::events_tests
