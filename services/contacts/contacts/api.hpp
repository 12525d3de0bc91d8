#pragma once
#include "common/chassis/events.hpp"
#include "common/chassis/process.hpp"
#include "common/chassis/service_client.hpp"
#include "common/chassis/slot_pool.hpp"
#include "common/contracts/contacts.hpp"
#include "contacts/contacts/embedding.hpp"
#include "contacts/contacts/store.hpp"

namespace parley::contacts::contacts {

class Api {
 public:
  // `country` of numbers without a calling code, as for model::to_e164().
  Api(chassis::Process& process, Store& store, chassis::ServiceClient& conversations, std::string country);

 private:
  awaitable<http::Response> list(chassis::Call& call);
  awaitable<http::Response> create(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> export_all(chassis::Call& call);
  awaitable<http::Response> find(chassis::Call& call);
  awaitable<http::Response> update(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> remove(chassis::Call& call, chassis::Change& change);
  awaitable<contracts::contacts::PartLines> parts(chassis::Call& call, contracts::contacts::PartsQuery query);

  awaitable<void> embed_conversations(chassis::Call& call, std::vector<PageContact>& contacts);
  Embedding::Asked ask(const chassis::Call& call, const model::Uuid& id);
  awaitable<model::RawJson> conversations_of(chassis::Call& call, Embedding::Asked asked);

  Store& store_;
  chassis::ServiceClient& conversations_;
  Embedding embedding_;
  const std::string country_;
  chassis::SlotPool exports_{32, "exports"};  // each holds a piece in memory while its client reads slowly
};

}  // namespace parley::contacts::contacts
