#pragma once
#include <signal.h>

#include "tests/support/servers.hpp"

namespace parley::support {

// A real S3 server, which checks signatures: OpenStack Swift with s3api (python3-swift), in one process, with a bucket.
// Its objects are gone with the process.
class S3Server : private Process {
 public:
  S3Server();  // waits until it answers

  void pause() { signal_all(SIGSTOP); }
  void resume() { signal_all(SIGCONT); }
  int port() const { return port_; }

  static constexpr const char *key = "media:store", *secret = "s3-secret/+", *bucket = "files";

  // As PARLEY_MEDIA_URL has it.
  std::string url() const;
};

}  // namespace parley::support
