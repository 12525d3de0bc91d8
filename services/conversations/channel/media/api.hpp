#pragma once
#include "common/chassis/process.hpp"
#include "conversations/channel/client.hpp"
#include "conversations/channel/media/kinds.hpp"
#include "conversations/channel/media/store.hpp"

namespace parley::conversations::media {

// Streams files piece by piece in both directions; never holds a whole file.
class Api {
 public:
  Api(chassis::Process& process, Store& store, channel::Accounts& accounts, channel::Client& channel);

 private:
  awaitable<http::Response> upload(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> download(chassis::Call& call);
  awaitable<std::shared_ptr<const channel::Account>> account_of(chassis::Call& call);

  Store& store_;
  channel::Accounts& accounts_;
  channel::Client& channel_;
};

}  // namespace parley::conversations::media
