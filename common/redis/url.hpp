#pragma once
#include <string>
#include <string_view>

namespace parley::redis {

// Where a Redis is and how to enter it.
struct Address {
  std::string host;  // a name or an address; IPv6 without its brackets
  unsigned short port = 6379;
  int database = 0;
  std::string user;      // empty: the default user
  std::string password;  // empty: no AUTH
};

// Reads redis://[[user]:password@]host[:port][/database]; user and password percent-encoded (the scheme as registered
// at IANA, without its query). Throws std::invalid_argument, whose text never holds the password.
Address parse_url(std::string_view url);

}  // namespace parley::redis
