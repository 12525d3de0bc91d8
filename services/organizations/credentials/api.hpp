#pragma once
#include <unordered_set>

#include "common/chassis/process.hpp"
#include "organizations/credentials/store.hpp"

namespace parley::organizations::credentials {

class Api {
 public:
  Api(chassis::Process& process, Store& store);

 private:
  awaitable<http::Response> regenerate(chassis::Call& call);
  awaitable<http::Response> verify(chassis::Call& call);
  awaitable<void> note_use(PresentedKey key);

  chassis::Process& process_;
  Store& store_;
  std::unordered_set<model::Uuid> noting_;  // credentials whose use is being written down
};

}  // namespace parley::organizations::credentials
