#pragma once
#include "common/chassis/events.hpp"
#include "common/chassis/process.hpp"
#include "common/chassis/service_client.hpp"
#include "conversations/inbox/notes/store.hpp"

namespace parley::conversations::notes {

class Api {
 public:
  Api(chassis::Process& process, Store& store, chassis::ServiceClient& organizations);

 private:
  awaitable<http::Response> of_conversation(chassis::Call& call);
  awaitable<http::Response> create(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> find(chassis::Call& call);
  awaitable<http::Response> update(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> remove(chassis::Call& call, chassis::Change& change);

  // Throws Problem 400 unless all mentioned, but those `known` before, are members; http::Unreachable if nobody says.
  awaitable<void> require_members(chassis::Call& call, const std::vector<model::Uuid>& mentions,
                                  const std::vector<model::Uuid>& known);

  Store& store_;
  chassis::ServiceClient& organizations_;
};

}  // namespace parley::conversations::notes
