#pragma once
#include "common/chassis/events.hpp"
#include "common/chassis/process.hpp"
#include "conversations/messages/address_book.hpp"
#include "conversations/messages/store.hpp"

namespace parley::conversations::messages {

class Api {
 public:
  Api(chassis::Process& process, Store& store, AddressBook& addresses);

 private:
  awaitable<http::Response> of_conversation(chassis::Call& call);
  awaitable<http::Response> send(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> list(chassis::Call& call);
  awaitable<http::Response> find(chassis::Call& call);

  Store& store_;
  AddressBook& addresses_;
};

}  // namespace parley::conversations::messages
