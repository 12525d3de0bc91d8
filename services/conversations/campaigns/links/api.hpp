#pragma once
#include "conversations/campaigns/links/clicks.hpp"
#include "conversations/campaigns/links/destinations.hpp"

namespace parley::conversations::links {

using boost::asio::awaitable;

// Follows the links in campaigns' messages, for anyone who has one.
class Api {
 public:
  Api(chassis::Process& process, Destinations& destinations, Clicks& clicks);

 private:
  awaitable<http::Response> follow(chassis::Call& call);

  Destinations& destinations_;
  Clicks& clicks_;
};

// Returns the URL as a header value: percent-encodes all that RFC 3986 does not allow, non-ASCII letters included.
std::string location_of(std::string_view url);

}  // namespace parley::conversations::links
