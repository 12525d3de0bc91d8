#pragma once
#include "common/chassis/process.hpp"
#include "conversations/recipients/store.hpp"

namespace parley::conversations::recipients {

class Api {
 public:
  Api(chassis::Process& process, Store& store);

 private:
  awaitable<http::Response> list(chassis::Call& call);

  Store& store_;
};

}  // namespace parley::conversations::recipients
