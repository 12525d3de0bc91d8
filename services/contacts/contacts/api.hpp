#pragma once
#include "common/chassis/peer.hpp"
#include "common/chassis/process.hpp"
#include "contacts/contacts/store.hpp"

namespace parley::contacts::contacts {

class Api {
 public:
  Api(chassis::Process& process, Store& store, chassis::Peer& conversations);

 private:
  awaitable<http::Response> list(chassis::Call& call);
  awaitable<http::Response> find(chassis::Call& call);
  awaitable<http::Response> parts(chassis::Call& call);

  awaitable<void> embed_conversations(chassis::Call& call, std::vector<PageContact>& contacts);

  Store& store_;
  chassis::Peer& conversations_;
};

}  // namespace parley::contacts::contacts
