#pragma once
// What the tests of http::Upstream and http::Client ask, and of whom.
#include <string>

#include "tests/integration/http_bed.hpp"

namespace parley::http_tests {

inline constexpr const char* kOk = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

inline http::UpstreamSettings settings(std::string url) {
  http::UpstreamSettings out;
  out.url = std::move(url);
  return out;
}

inline http::ClientRequest get_request(std::string target = "/", bool replayable = true) {
  return {.target = std::move(target), .replayable = replayable};
}

inline http::ClientRequest post_request(std::string body) {
  return {.method = http::Method::post, .target = "/echo", .body = std::move(body), .replayable = false};
}

}  // namespace parley::http_tests
