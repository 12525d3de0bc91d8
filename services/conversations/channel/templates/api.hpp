#pragma once
#include "conversations/channel/templates/catalogue.hpp"

namespace parley::conversations::templates {

class Api {
 public:
  Api(chassis::Process& process, Store& store, Catalogue& catalogue);

 private:
  awaitable<http::Response> list(chassis::Call& call);
  awaitable<http::Response> phone_numbers(chassis::Call& call);

  Store& store_;
  Catalogue& catalogue_;
};

}  // namespace parley::conversations::templates
