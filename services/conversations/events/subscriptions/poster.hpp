#pragma once
#include <boost/asio/io_context.hpp>
#include <boost/asio/thread_pool.hpp>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "common/http/client.hpp"
#include "common/model/uuid.hpp"

namespace parley::conversations::subscriptions {

using boost::asio::awaitable;

struct Posted {
  std::optional<unsigned> status;  // of the response; none: no response in time
  std::string body;                // the beginning of the response, as valid text
  std::string error;               // why there was no response
  std::chrono::milliseconds duration{0};
  bool is_success() const { return status && *status >= 200 && *status < 300; }
};

// Posts to members' URLs: https, public addresses, no redirects, 15 s. `allow_private` permits http and any address.
class Poster {
 public:
  Poster(boost::asio::io_context& context, http::DeadlineSweeper& wheel, bool allow_private);

  // `organization`: on whose behalf. `head`: additional header fields. Throws nothing.
  awaitable<Posted> post(model::Uuid organization, std::string url, std::string head, std::string body);

 private:
  struct Host {
    explicit Host(std::unique_ptr<http::Client> client_) : client(std::move(client_)) {}
    std::unique_ptr<http::Client> client;
    http::Clock::time_point used{};
    int in_use = 0;
  };
  awaitable<void> attempt(http::Client& client, std::string path, std::string head, std::string body, Posted& out);
  std::shared_ptr<Host> host_of(const model::Uuid& organization, const std::string& origin);

  boost::asio::io_context& context_;
  http::DeadlineSweeper& wheel_;
  bool allow_private_;
  // One lookup at a time each: a stranger's name server may not respond, and must delay few others and none of our own.
  std::deque<boost::asio::thread_pool> resolvers_;
  std::map<std::pair<std::size_t, std::string>, std::shared_ptr<Host>> hosts_;  // by resolver and origin
};

// The first `most` octets of arbitrary data, as valid UTF-8 without U+0000.
std::string beginning_of(std::string_view octets, std::size_t most);

}  // namespace parley::conversations::subscriptions
