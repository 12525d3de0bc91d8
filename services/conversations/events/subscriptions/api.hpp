#pragma once
#include "common/chassis/process.hpp"
#include "conversations/events/subscriptions/store.hpp"

namespace parley::conversations::subscriptions {

class Api {
 public:
  // `allow_private` permits any URL: for development.
  Api(chassis::Process& process, Store& store, bool allow_private);

 private:
  awaitable<http::Response> list(chassis::Call& call);
  awaitable<http::Response> create(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> find(chassis::Call& call);
  awaitable<http::Response> update(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> remove(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> test(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> rotate(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> deliveries(chassis::Call& call);
  awaitable<http::Response> replay(chassis::Call& call, chassis::Change& change);
  CreateWebhook check(CreateWebhook body) const;
  Webhook changed(Webhook webhook, UpdateWebhook body) const;

  Store& store_;
  bool allow_private_;
};

}  // namespace parley::conversations::subscriptions
