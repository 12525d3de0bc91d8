#pragma once
#include "common/chassis/process.hpp"
#include "common/chassis/service_client.hpp"
#include "conversations/campaigns/store.hpp"

namespace parley::conversations::audience {

using boost::asio::awaitable;

// How many recipients a campaign that has not begun would have.
class Api {
 public:
  Api(chassis::Process& process, campaigns::Store& campaigns, chassis::ServiceClient& contacts);

 private:
  awaitable<http::Response> count(chassis::Call& call);

  campaigns::Store& campaigns_;
  chassis::ServiceClient& contacts_;
};

}  // namespace parley::conversations::audience
