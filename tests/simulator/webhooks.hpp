#pragma once
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/http/client.hpp"
#include "tests/simulator/state.hpp"

namespace parley::simulator {

using boost::asio::awaitable;

// Something that the channel has to tell, whole and in JSON; the statuses of accepted messages are made when they go.
struct News {
  enum class Kind : std::uint8_t { message, status, change };
  Kind kind = Kind::change;
  std::string business_account_id, phone_number_id;  // the number: not of a change
  std::string field = "messages";
  std::string contact{};  // of a message: its sender, or ""
  std::string json{};
};

// One webhook as it went out.
struct Delivery {
  std::string url, signature, body;        // the body's beginning, if it is long
  std::int64_t elements = 0, attempt = 1;  // elements: 0 when it was posted as it was given
  unsigned status = 0;                     // 0: there was no answer
};

// Tells the application what happens: signed, in its own time, again and again until it is answered with 200.
class Webhooks {
 public:
  static constexpr std::size_t kMaxNews = 200'000;  // besides statuses of accepted messages, which are as many as those
  static constexpr std::size_t kMaxKept = 1'000;    // deliveries that can be read back

  struct Counts {
    std::uint64_t delivered = 0, failed = 0, given_up = 0;  // elements, deliveries without a 200, elements
  };

  Webhooks(boost::asio::io_context& context, http::DeadlineSweeper& wheel, State& state);
  ~Webhooks();

  // What becomes of an accepted message, by the behaviour that holds now.
  void tell_fate(std::uint32_t message);
  // False when too much waits already.
  bool tell(News news, std::int64_t delay_ms = 0);
  // Waits until all that is due has been answered, at most so long.
  awaitable<void> settle(std::chrono::milliseconds limit);
  // Signs and posts a body as it is, once.
  awaitable<http::ClientResponse> post(std::string url, std::string body) {
    return send({.url = std::move(url), .signature = {}, .body = {}}, std::move(body));
  }
  // Whether the application answers the challenge of a subscription.
  awaitable<bool> verify(std::string url, std::string verify_token);
  // Forgets what waits, and what was counted.
  void clear();

  std::size_t pending() const { return waiting_.size() + going_; }
  const Counts& counts() const { return counts_; }
  const std::deque<Delivery>& kept() const { return kept_; }

 private:
  struct Element {
    std::int64_t due = 0;     // milliseconds since 1970
    std::uint64_t order = 0;  // of those that are due at once
    std::shared_ptr<const News> news;
    std::uint32_t message = 0;  // without news: the message whose fate it is
    std::uint32_t at = 0;       // seconds since 1970
    Fate fate = Fate::sent;
    std::uint8_t attempt = 0;
    bool operator<(const Element& other) const {  // the top of the heap is the earliest
      return due != other.due ? due > other.due : order > other.order;
    }
  };
  using Elements = std::vector<Element>;

  void add(Element element, std::int64_t delay_ms);
  void push(Element element);
  void pump();
  void arm();
  Element pop();
  const std::string& url_of(const Element& element) const;
  awaitable<void> deliver(Elements elements, std::string url, std::string body);
  awaitable<http::ClientResponse> send(Delivery delivery, std::string body);
  void try_again(Elements elements);
  std::string compose(const Elements& elements) const;
  const std::string& number_of(const Element& element) const;
  const std::string& account_of(const Element& element) const;
  void append_values(std::string& out, const Elements& elements, const std::vector<bool>& here) const;
  void append_value(std::string& out, const std::string& number, News::Kind kind,
                    const std::vector<const Element*>& all) const;
  void append_fate(std::string& out, const Element& element) const;
  http::Client* client_of(const std::string& origin);

  boost::asio::io_context& context_;
  http::DeadlineSweeper& wheel_;
  State& state_;
  boost::asio::steady_timer timer_;
  std::vector<Element> waiting_;  // a heap
  std::size_t news_ = 0;          // elements with news
  std::size_t going_ = 0;         // elements
  std::size_t posting_ = 0;       // deliveries
  std::uint64_t order_ = 0;
  std::uint64_t era_ = 0;                                         // deliveries of before a clear() do not come back
  std::map<std::string, std::unique_ptr<http::Client>> clients_;  // by origin
  Counts counts_;
  std::deque<Delivery> kept_;
};

// Where a URL's path begins, behind scheme, host and port.
std::size_t path_of_url(std::string_view url);

}  // namespace parley::simulator
