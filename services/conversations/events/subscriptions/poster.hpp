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

// What became of one attempt.
struct Posted {
  std::optional<unsigned> status;  // of the answer; none: there was no answer in time
  std::string body;                // how the answer begins, as text that can be stored
  std::string error;               // why there was none
  std::chrono::milliseconds duration{0};
  bool is_success() const { return status && *status >= 200 && *status < 300; }
};

// Posts to addresses that strangers gave: over https, to public addresses only, without following redirects, within 15
// seconds. `allow_private` lets http and all addresses through.
class Poster {
 public:
  Poster(boost::asio::io_context& context, http::DeadlineSweeper& wheel, bool allow_private);

  // For an organization. `head` are further fields. Throws nothing but what ends the loop.
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
  // Ask name servers, each one name at a time: those of strangers' names may never answer, and neither our own names
  // nor most other organizations' shall wait for them.
  std::deque<boost::asio::thread_pool> resolvers_;
  std::map<std::pair<std::size_t, std::string>, std::shared_ptr<Host>> hosts_;  // by resolver and origin
};

// The first `most` octets of what may be no text at all, as valid UTF-8 without U+0000.
std::string beginning_of(std::string_view octets, std::size_t most);

}  // namespace parley::conversations::subscriptions
