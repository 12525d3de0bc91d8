#pragma once
#include "common/chassis/change.hpp"
#include "conversations/channel/templates/catalogue.hpp"
#include "conversations/channel/templates/editor.hpp"

namespace parley::conversations::templates {

class Api {
 public:
  Api(chassis::Process& process, Store& store, Catalogue& catalogue, channel::Accounts& accounts,
      channel::Client& channel);

 private:
  awaitable<http::Response> list(chassis::Call& call);
  awaitable<http::Response> phone_numbers(chassis::Call& call);
  awaitable<http::Response> find(chassis::Call& call);
  awaitable<http::Response> create(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> update(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> remove(chassis::Call& call, chassis::Change& change);

  // Throws a Problem 404.
  awaitable<VersionedTemplate> known(chassis::Call& call);
  // The same for who changes it: of many who saw the same version, one goes on. No lock is held while the channel is
  // asked.
  awaitable<VersionedTemplate> claimed(chassis::Call& call, std::function<void(const Template&)> check);
  awaitable<channel::AccountPtr> account_of(chassis::Call& call);
  // Keeps and tells what the channel took.
  awaitable<Template> keep(chassis::Call& call, chassis::Change& change, const channel::Account& account,
                           const channel::Template& made, model::AuditAction action);

  Store& store_;
  Catalogue& catalogue_;
  channel::Accounts& accounts_;
  Editor editor_;
};

}  // namespace parley::conversations::templates
