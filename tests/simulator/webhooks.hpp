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

// An event as JSON. Statuses of accepted messages are made when they are posted.
struct News {
  enum class Kind : std::uint8_t { message, status, change };
  Kind kind = Kind::change;
  std::string business_account_id, phone_number_id;  // no number for a change
  std::string field = "messages";
  std::string contact{};  // a message's sender, or ""
  std::string json{};
};

struct Delivery {
  std::string url, signature, body;        // `body` may be truncated
  std::int64_t elements = 0, attempt = 1;  // `elements` is 0 for a body posted unchanged
  unsigned status = 0;                     // 0: no response
};

// Posts signed webhooks to the application, with retries until it responds 200.
class Webhooks {
 public:
  static constexpr std::size_t kMaxNews = 200'000;  // without statuses, which the accepted messages bound
  static constexpr std::size_t kMaxKept = 1'000;    // deliveries that can be read back

  struct Counts {
    std::uint64_t delivered = 0, failed = 0, given_up = 0;  // elements, deliveries without a 200, elements
  };

  Webhooks(boost::asio::io_context& context, http::DeadlineSweeper& wheel, State& state);
  ~Webhooks();

  // Schedules an accepted message's statuses by the current behaviour.
  void tell_fate(std::uint32_t message);
  // False if too many wait already.
  bool tell(News news, std::int64_t delay_ms = 0);
  // Waits until all due webhooks were answered, up to `limit`.
  awaitable<void> settle(std::chrono::milliseconds limit);
  awaitable<http::ClientResponse> post(std::string url, std::string body) {
    return send({.url = std::move(url), .signature = {}, .body = {}}, std::move(body));
  }
  // Whether the application answers a subscription's challenge.
  awaitable<bool> verify(std::string url, std::string verify_token);
  // Drops pending webhooks, and resets the counts.
  void clear();

  std::size_t pending() const { return waiting_.size() + going_; }
  const Counts& counts() const { return counts_; }
  const std::deque<Delivery>& kept() const { return kept_; }

 private:
  struct Element {
    std::int64_t due = 0;     // milliseconds since 1970
    std::uint64_t order = 0;  // among elements with the same `due`
    std::shared_ptr<const News> news;
    std::uint32_t message = 0;  // without `news`: the message whose status it is
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
  std::uint64_t era_ = 0;                                         // excludes retries of deliveries from before clear()
  std::map<std::string, std::unique_ptr<http::Client>> clients_;  // by origin
  Counts counts_;
  std::deque<Delivery> kept_;
};

std::size_t path_of_url(std::string_view url);

}  // namespace parley::simulator
