#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace parley::redis {

struct Endpoint {
  std::string host;  // a name or an address; IPv6 without its brackets
  unsigned short port = 6379;
  bool operator==(const Endpoint&) const = default;
};

// Where a Redis is and how to enter it: at an endpoint of its own, or where sentinels say that the master is.
struct Address : Endpoint {
  bool tls = false;
  int database = 0;
  std::string user;      // empty: the default user
  std::string password;  // empty: no AUTH
  // Of a master that is looked for; then there is no host.
  std::vector<Endpoint> sentinels;
  std::string master;  // the name by which they know it
};

// Reads one of
//   redis://[[user]:password@]host[:port][/database]
//   redis+sentinel://[[user]:password@]host[:port][,host[:port]...]/master[/database]
// or of rediss:// and rediss+sentinel://, which are the same by TLS, to sentinels and master; user and password
// percent-encoded (the first as registered at IANA, without its query). A sentinel's port is 26379 unless it is given.
// Throws std::invalid_argument, whose text never holds the password.
Address parse_url(std::string_view url);

}  // namespace parley::redis
