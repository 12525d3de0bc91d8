#pragma once
#include "common/chassis/process.hpp"
#include "contacts/audience/store.hpp"

namespace parley::contacts::audience {

// What conversations ask for, for campaigns: internal routes. They change nothing; they are POSTs as what they ask with
// is longer than a target may be.
class Api {
 public:
  Api(chassis::Process& process, Store& store);

 private:
  awaitable<http::Response> page(chassis::Call& call);
  awaitable<http::Response> variables(chassis::Call& call);

  Store& store_;
};

// As lines of contacts (chassis::Fragments), behind which `next ID` tells where the next page begins, `end` that there
// is none.
std::string lines_of(const Page& page);

}  // namespace parley::contacts::audience
