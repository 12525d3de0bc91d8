#pragma once
#include "common/chassis/events.hpp"
#include "common/chassis/process.hpp"
#include "organizations/second_factor/store.hpp"
#include "organizations/users/passwords.hpp"
#include "organizations/users/store.hpp"

namespace parley::organizations::second_factor {

class Api {
 public:
  Api(chassis::Process& process, Store& store, users::Store& users, users::Passwords& passwords,
      users::Attempts& attempts);

 private:
  awaitable<http::Response> begin(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> confirm(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> replace_codes(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> disable(chassis::Call& call, chassis::Change& change);

  awaitable<void> require_password(chassis::Call& call, std::string password);
  awaitable<Proof> require_code(chassis::Call& call, std::string code, Store::State state);
  awaitable<std::optional<Proof>> require(chassis::Call& call, Prove body);

  Store& store_;
  users::Store& users_;
  users::Passwords& passwords_;
  users::Attempts& attempts_;
};

}  // namespace parley::organizations::second_factor
