#pragma once
#include "conversations/campaigns/links/clicks.hpp"
#include "conversations/campaigns/links/destinations.hpp"

namespace parley::conversations::links {

using boost::asio::awaitable;

// The links in campaigns' messages, for whoever has one.
class Api {
 public:
  Api(chassis::Process& process, Destinations& destinations, Clicks& clicks);

 private:
  awaitable<http::Response> follow(chassis::Call& call);

  Destinations& destinations_;
  Clicks& clicks_;
};

// A URL as a header field can bear it: what RFC 3986 does not allow in one is percent-encoded, letters of other scripts
// among it.
std::string location_of(std::string_view url);

}  // namespace parley::conversations::links
