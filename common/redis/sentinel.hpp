#pragma once
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "common/redis/link.hpp"
#include "common/redis/url.hpp"

namespace parley::redis {

// One search for the master: asks the sentinels in turn, each with its own deadline, until one knows the master.
// https://redis.io/docs/latest/develop/reference/sentinel-clients/
class MasterSearch : public std::enable_shared_from_this<MasterSearch> {
 public:
  // Called once, from the loop: the master, or nullopt and why none was found.
  using Found = std::function<void(std::optional<Endpoint> master, std::string_view why)>;

  // Begins with sentinel `first`. Sends user and password to sentinels too; one that needs none ignores them.
  MasterSearch(boost::asio::any_io_executor executor, const Address& address,
               std::shared_ptr<boost::asio::ssl::context> tls, std::size_t first, std::chrono::milliseconds deadline);

  void start(Found found);
  void cancel();
  // Returns the index of the sentinel asked last.
  std::size_t asked() const { return turn_ % address_.sentinels.size(); }

 private:
  void ask();
  void dial(const boost::asio::ip::tcp::endpoint& server);
  void send_question();
  void answered(const redisReply* reply);
  void pass_over(std::string_view why);
  void end_question();
  void finish(std::optional<Endpoint> master);

  boost::asio::any_io_executor executor_;
  const Address address_;
  const std::shared_ptr<boost::asio::ssl::context> tls_;  // null: plain
  const std::chrono::milliseconds deadline_;
  boost::asio::ip::tcp::resolver resolver_;
  boost::asio::steady_timer timer_;
  Found found_;  // empty once called
  std::shared_ptr<Link> link_;
  std::size_t turn_, tries_ = 0;
  unsigned question_ = 0;  // callbacks of an earlier question are ignored
  int replies_ = 0;        // replies still expected
  std::string faults_;     // of all sentinels asked
};

}  // namespace parley::redis
