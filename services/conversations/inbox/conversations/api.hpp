#pragma once
#include "common/chassis/events.hpp"
#include "common/chassis/process.hpp"
#include "conversations/inbox/conversations/composer.hpp"
#include "conversations/inbox/conversations/directory.hpp"
#include "conversations/inbox/conversations/store.hpp"
#include "conversations/messages/address_book.hpp"
#include "conversations/messages/store.hpp"

namespace parley::conversations::conversations {

class Api {
 public:
  Api(chassis::Process& process, Store& store, messages::Store& messages, messages::AddressBook& addresses,
      channel::Accounts& accounts, chassis::ServiceClient& contacts, chassis::ServiceClient& organizations);

 private:
  awaitable<http::Response> list(chassis::Call& call);
  awaitable<http::Response> counts(chassis::Call& call);
  awaitable<http::Response> start(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> find(chassis::Call& call);
  awaitable<http::Response> update(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> remove(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> assign(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> unassign(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> mark_read(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> set_tags(chassis::Call& call, chassis::Change& change);
  awaitable<contracts::conversations::ConversationLines> of_contacts(chassis::Call& call,
                                                                     contracts::conversations::OfContactsQuery query);

  // Changes one locked conversation by `apply`. `others` are the parts of `expected`, the result, requested before the
  // transaction so that no lock is held meanwhile; requested again only after a concurrent change.
  using Apply = std::function<awaitable<Found>(pg::Transaction&, const Locked&)>;
  awaitable<http::Response> apply(chassis::Call& call, chassis::Change& change, Found expected, Others others,
                                  Apply step);
  awaitable<Found> known(chassis::Call& call);
  awaitable<Others> ask(chassis::Call& call, const Found& found);

  Store& store_;
  messages::Store& messages_;
  messages::AddressBook& addresses_;
  channel::Accounts& accounts_;
  Composer composer_;
  Directory directory_;
};

}  // namespace parley::conversations::conversations
