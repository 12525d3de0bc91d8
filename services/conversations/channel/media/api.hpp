#pragma once
#include "common/chassis/process.hpp"
#include "conversations/channel/client.hpp"
#include "conversations/channel/media/files.hpp"
#include "conversations/channel/media/kinds.hpp"
#include "conversations/channel/media/store.hpp"

namespace parley::conversations::media {

// Streams files piece by piece: members' to the channel, and messages' from their copy or from the channel.
class Api {
 public:
  Api(chassis::Process& process, Store& store, Files& files, channel::Accounts& accounts, channel::Client& channel);

 private:
  awaitable<http::Response> upload(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> upload_example(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> download(chassis::Call& call);
  // nullopt: no copy is kept.
  awaitable<std::optional<http::Response>> show_copy(chassis::Call& call, const FoundRow& found);
  awaitable<http::Response> show_original(chassis::Call& call, const FoundRow& found);
  awaitable<std::shared_ptr<const channel::Account>> account_of(chassis::Call& call);

  Store& store_;
  Files& files_;
  channel::Accounts& accounts_;
  channel::Client& channel_;
};

}  // namespace parley::conversations::media
