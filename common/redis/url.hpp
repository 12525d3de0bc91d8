#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace parley::redis {

struct Endpoint {
  std::string host;  // a name or an address; IPv6 without brackets
  unsigned short port = 6379;
  bool operator==(const Endpoint&) const = default;
};

struct Address : Endpoint {
  bool tls = false;
  int database = 0;
  std::string user;      // empty: the default user
  std::string password;  // empty: no AUTH
  // With sentinels, `host` is empty.
  std::vector<Endpoint> sentinels;
  std::string master;  // the master's name at the sentinels
};

// Parses one of
//   redis://[[user]:password@]host[:port][/database]
//   redis+sentinel://[[user]:password@]host[:port][,host[:port]...]/master[/database]
// or the same as rediss:// and rediss+sentinel://, with TLS to sentinels and master. User and password are
// percent-encoded (the first form as registered at IANA, without query). A sentinel's default port is 26379. Throws
// std::invalid_argument, whose text never holds the password.
Address parse_url(std::string_view url);

}  // namespace parley::redis
