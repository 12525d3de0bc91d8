#include "tests/simulator/webhooks.hpp"

#include <sodium.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/detached.hpp>

#include "common/http/query.hpp"
#include "tests/simulator/signing.hpp"

namespace parley::simulator {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t kMaxPosting = 64, kMaxClients = 64, kMaxKeptLength = 64 * 1024;
constexpr std::int64_t kMaxPause = 3600 * 1000;  // milliseconds
constexpr std::uint8_t kMaxAttempts = 180;       // about seven days with the pauses

http::UpstreamSettings upstream_settings(const std::string& origin) {
  http::UpstreamSettings out;
  out.url = origin;
  out.in_flight = 64;
  out.answer_limit = 1 << 20;
  return out;
}

std::int64_t random_below(std::int64_t limit) {
  return limit <= 0 ? 0 : static_cast<std::int64_t>(randombytes_uniform(static_cast<std::uint32_t>(limit)));
}

}  // namespace

std::size_t path_of_url(std::string_view url) {
  const auto scheme = url.find("://");
  const auto slash = scheme == url.npos ? url.npos : url.find('/', scheme + 3);
  return slash == url.npos ? url.size() : slash;
}

Webhooks::Webhooks(boost::asio::io_context& context, http::DeadlineSweeper& wheel, State& state)
    : context_(context), wheel_(wheel), state_(state), timer_(context) {}

Webhooks::~Webhooks() = default;

void Webhooks::tell_fate(std::uint32_t message) {
  const auto& behaviour = state_.behaviour;
  std::int64_t delay = 0;
  for (const auto fate : behaviour.statuses) {
    delay += behaviour.delay_ms;
    Element element;
    element.message = message;
    element.fate = fate;
    add(std::move(element), delay);
  }
}

bool Webhooks::tell(News news, std::int64_t delay_ms) {
  const auto copies = static_cast<std::size_t>(state_.behaviour.repeat);
  if (news_ + copies > kMaxNews) return false;
  Element element;
  element.news = std::make_shared<const News>(std::move(news));
  add(std::move(element), delay_ms);
  return true;
}

// Copies follow later, as the channel's do.
void Webhooks::add(Element element, std::int64_t delay_ms) {
  const auto& behaviour = state_.behaviour;
  const auto now = now_ms();
  element.at = static_cast<std::uint32_t>((now + delay_ms) / 1000);
  for (std::int64_t copy = 0; copy < behaviour.repeat; ++copy) {
    element.due = now + delay_ms + copy * behaviour.delay_ms + random_below(behaviour.reorder_ms + 1);
    push(element);
  }
  pump();
}

void Webhooks::push(Element element) {
  // With reordering, shuffles elements due in the same millisecond, too.
  element.order = state_.behaviour.reorder_ms > 0 ? randombytes_random() : ++order_;
  if (element.news) ++news_;
  waiting_.push_back(std::move(element));
  std::push_heap(waiting_.begin(), waiting_.end());
}

Webhooks::Element Webhooks::pop() {
  std::pop_heap(waiting_.begin(), waiting_.end());
  auto out = std::move(waiting_.back());
  waiting_.pop_back();
  if (out.news) --news_;
  return out;
}

void Webhooks::clear() {
  waiting_.clear();
  waiting_.shrink_to_fit();
  news_ = 0;
  ++era_;
  counts_ = {};
  kept_.clear();
}

const std::string& Webhooks::account_of(const Element& element) const {
  static const std::string none;
  if (element.news) return element.news->business_account_id;
  const auto found = state_.numbers.find(number_of(element));
  return found == state_.numbers.end() ? none : found->second.business_account_id;
}

const std::string& Webhooks::number_of(const Element& element) const {
  return element.news ? element.news->phone_number_id : state_.number_ids[state_.accepted.at(element.message).number];
}

const std::string& Webhooks::url_of(const Element& element) const {
  const auto account = state_.accounts.find(account_of(element));
  if (account != state_.accounts.end() && account->second && !account->second->override_callback_uri.empty())
    return account->second->override_callback_uri;
  return state_.behaviour.webhook_url;
}

void Webhooks::pump() {
  const auto now = now_ms();
  const auto most = static_cast<std::size_t>(state_.behaviour.batch);
  while (posting_ < kMaxPosting && !waiting_.empty() && waiting_.front().due <= now) {
    Elements elements{pop()};
    const std::string url = url_of(elements.front());
    if (url.empty()) continue;  // no URL, dropped
    while (elements.size() < most && !waiting_.empty() && waiting_.front().due <= now &&
           url_of(waiting_.front()) == url)
      elements.push_back(pop());
    going_ += elements.size();
    ++posting_;
    auto body = compose(elements);  // at once, since clear() may come meanwhile
    boost::asio::co_spawn(context_, deliver(std::move(elements), url, std::move(body)), boost::asio::detached);
  }
  arm();
}

void Webhooks::arm() {
  if (waiting_.empty() || posting_ >= kMaxPosting) return;
  timer_.expires_after(std::chrono::milliseconds(std::max<std::int64_t>(1, waiting_.front().due - now_ms())));
  timer_.async_wait([this](boost::system::error_code error) {
    if (!error) pump();
  });
}

http::Client* Webhooks::client_of(const std::string& origin) {
  const auto found = clients_.find(origin);
  if (found != clients_.end()) return found->second.get();
  if (clients_.size() >= kMaxClients || !http::is_upstream_url(origin)) return nullptr;
  return clients_.emplace(origin, std::make_unique<http::Client>(context_, wheel_, upstream_settings(origin)))
      .first->second.get();
}

awaitable<http::ClientResponse> Webhooks::send(Delivery delivery, std::string body) {
  const auto& url = delivery.url;
  const auto path = path_of_url(url);
  auto* const client = client_of(url.substr(0, path));
  delivery.signature = "sha256=" + sign(state_.settings.app_secret, body);
  delivery.body = body.substr(0, kMaxKeptLength);
  http::ClientResponse out;
  if (client) {
    http::ClientRequest request;
    request.method = http::Method::post;
    request.target = path == url.size() ? "/" : url.substr(path);
    request.head = "Content-Type: application/json\r\nUser-Agent: facebookexternalua\r\nX-Hub-Signature-256: " +
                   delivery.signature + "\r\n";
    request.body = std::move(body);
    request.replayable = true;
    try {
      out = co_await client->send(std::move(request));
    } catch (const http::Unreachable&) {
    }
  }
  delivery.status = out.status;
  kept_.push_back(std::move(delivery));
  if (kept_.size() > kMaxKept) kept_.pop_front();
  co_return out;
}

awaitable<void> Webhooks::deliver(Elements elements, std::string url, std::string body) {
  const auto era = era_;
  const auto count = elements.size();
  Delivery delivery{.url = std::move(url), .signature = {}, .body = {}};
  delivery.elements = static_cast<std::int64_t>(count);
  delivery.attempt = elements.front().attempt + 1;
  const auto response = co_await send(std::move(delivery), std::move(body));
  if (era == era_) {
    if (response.status == 200)
      counts_.delivered += count;
    else
      try_again(std::move(elements));
  }
  going_ -= count;
  --posting_;
  pump();
}

void Webhooks::try_again(Elements elements) {
  ++counts_.failed;
  for (auto& element : elements) {
    if (++element.attempt >= kMaxAttempts) {
      ++counts_.given_up;
      continue;
    }
    const auto doublings = std::min<int>(element.attempt - 1, 20);
    element.due = now_ms() + std::min(state_.behaviour.retry_ms << doublings, kMaxPause);
    push(std::move(element));
  }
}

awaitable<void> Webhooks::settle(std::chrono::milliseconds limit) {
  boost::asio::steady_timer timer(context_);
  const auto end = http::Clock::now() + limit;
  while (http::Clock::now() < end && (going_ > 0 || (!waiting_.empty() && waiting_.front().due <= now_ms()))) {
    timer.expires_after(1ms);
    co_await timer.async_wait(boost::asio::deferred);
  }
}

awaitable<bool> Webhooks::verify(std::string url, std::string verify_token) {
  const auto path = path_of_url(url);
  auto* const client = client_of(url.substr(0, path));
  if (!client) co_return false;
  const auto challenge = std::to_string(randombytes_random());
  http::ClientRequest request;
  request.target = path == url.size() ? "/" : url.substr(path);
  request.target += request.target.find('?') == std::string::npos ? '?' : '&';
  request.target += "hub.mode=subscribe&hub.challenge=" + challenge + "&hub.verify_token=";
  http::append_encoded(request.target, verify_token);
  http::ClientResponse response;
  try {
    response = co_await client->send(std::move(request));
  } catch (const http::Unreachable&) {
    co_return false;
  }
  co_return response.status == 200 && response.body == challenge;
}

}  // namespace parley::simulator
