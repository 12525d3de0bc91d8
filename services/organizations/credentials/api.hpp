#pragma once
#include <unordered_set>

#include "common/chassis/events.hpp"
#include "common/chassis/process.hpp"
#include "organizations/credentials/credential_verifier.hpp"
#include "organizations/credentials/store.hpp"

namespace parley::organizations::credentials {

class Api {
 public:
  Api(chassis::Process& process, pg::Pool& database, Store& store, CredentialVerifier& verdicts);

 private:
  awaitable<http::Response> regenerate(chassis::Call& call);
  awaitable<http::Response> list(chassis::Call& call);
  awaitable<http::Response> create(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> find(chassis::Call& call);
  awaitable<http::Response> remove(chassis::Call& call, chassis::Change& change);
  awaitable<Verified> verify(chassis::Call& call, contracts::organizations::Verify body);
  template <class Credential>
  awaitable<Verified> verify_one(Credential credential, std::optional<model::Uuid> organization);
  template <class Credential>
  awaitable<void> note_use(Credential credential, model::Uuid id);

  chassis::Process& process_;
  pg::Pool& database_;
  Store& store_;
  CredentialVerifier& verdicts_;
  std::unordered_set<model::Uuid> noting_;  // credentials whose use is being recorded
};

}  // namespace parley::organizations::credentials
