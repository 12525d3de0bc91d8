#include "tests/support/s3_server.hpp"

#include <signal.h>

#include <boost/json/serialize.hpp>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "tests/support/component.hpp"

namespace parley::support {

namespace json = boost::json;

S3Server::S3Server() : Process("s3") {
  const json::object arguments{
      {"port", port_}, {"key", key}, {"secret", secret}, {"bucket", bucket}, {"directory", directory_.string()}};
  // The text and not the path: the server's account may not reach this clone.
  static const auto program = text_of(PARLEY_SOURCE_DIR "/tests/support/s3_server.py");
  spawn({"/usr/bin/python3", "-I", "-c", program, json::serialize(arguments)}, SIGKILL);
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (log().find("ready") == std::string::npos) {
    if (exited() || std::chrono::steady_clock::now() > limit)
      throw std::runtime_error("the S3 server does not start (it needs python3-swift):\n" + log());
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

std::string S3Server::url() const {
  return "s3+http://media%3Astore:s3-secret%2F%2B@127.0.0.1:" + std::to_string(port_) + "/files/parley";
}

}  // namespace parley::support
