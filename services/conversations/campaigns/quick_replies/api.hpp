#pragma once
#include "common/chassis/process.hpp"
#include "conversations/campaigns/quick_replies/store.hpp"
#include "conversations/campaigns/test_sends/contact_lookup.hpp"

namespace parley::conversations::quick_replies {

class Api {
 public:
  Api(chassis::Process& process, Store& store, chassis::ServiceClient& contacts);

 private:
  awaitable<http::Response> list(chassis::Call& call);
  awaitable<http::Response> create(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> find(chassis::Call& call);
  awaitable<http::Response> update(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> remove(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> preview(chassis::Call& call);

  awaitable<VersionedReply> known(chassis::Call& call);

  Store& store_;
  test_sends::ContactLookup contacts_;
};

}  // namespace parley::conversations::quick_replies
