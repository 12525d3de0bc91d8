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

// One search for the master: asks the sentinels in turn, each within a deadline of its own, until one knows it.
// https://redis.io/docs/latest/develop/reference/sentinel-clients/
class MasterSearch : public std::enable_shared_from_this<MasterSearch> {
 public:
  // Told once, from the loop: where the master is, or why nobody knows.
  using Found = std::function<void(std::optional<Endpoint> master, std::string_view why)>;

  // Begins with the `first`-th sentinel. The user and password of the address are the sentinels' too: one that wants
  // none takes no offence.
  MasterSearch(boost::asio::any_io_executor executor, const Address& address,
               std::shared_ptr<boost::asio::ssl::context> tls, std::size_t first, std::chrono::milliseconds deadline);

  void start(Found found);
  // Tells nothing any more.
  void cancel();
  // The sentinel that was asked last.
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
  const std::shared_ptr<boost::asio::ssl::context> tls_;  // none: plain
  const std::chrono::milliseconds deadline_;
  boost::asio::ip::tcp::resolver resolver_;
  boost::asio::steady_timer timer_;
  Found found_;  // empty once told
  std::shared_ptr<Link> link_;
  std::size_t turn_, tries_ = 0;
  unsigned question_ = 0;  // what belongs to an earlier one is ignored
  int replies_ = 0;        // still to come
  std::string faults_;     // of all that were asked
};

}  // namespace parley::redis
