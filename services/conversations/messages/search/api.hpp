#pragma once
#include "common/chassis/process.hpp"
#include "conversations/messages/search/store.hpp"

namespace parley::conversations::search {

class Api {
 public:
  Api(chassis::Process& process, pg::Pool& database);

 private:
  awaitable<http::Response> find(chassis::Call& call);

  Store store_;
};

}  // namespace parley::conversations::search
