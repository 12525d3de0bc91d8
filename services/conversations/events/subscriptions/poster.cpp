#include "conversations/events/subscriptions/poster.hpp"

#include <algorithm>

#include "common/http/address.hpp"
#include "common/model/text.hpp"
#include "conversations/events/subscriptions/target.hpp"

namespace parley::conversations::subscriptions {

using namespace std::chrono_literals;
using http::Clock;

namespace {

// 15 s in total, with name resolution.
constexpr auto kConnectTime = 3s;
constexpr auto kAnswerTime = 9s;
constexpr auto kMaxDuration = 15s;
constexpr std::size_t kKept = 1'024;      // octets of a response
constexpr std::size_t kMaxRead = 16'384;  // octets read, so that the connection can be reused
constexpr std::size_t kMaxHosts = 256;    // with connections kept open
constexpr std::size_t kResolvers = 16;

}  // namespace

std::string beginning_of(std::string_view octets, std::size_t most) {
  octets = octets.substr(0, most);
  for (int cut = 0; cut < 4 && cut < std::ssize(octets); ++cut) {  // may cut a character
    const auto shorter = octets.substr(0, octets.size() - static_cast<std::size_t>(cut));
    if (!model::count_characters(shorter)) continue;
    octets = shorter;
    break;
  }
  std::string out(octets);
  const bool is_text = model::count_characters(octets).has_value();
  for (auto& octet : out)
    if (octet == '\0' || (!is_text && static_cast<unsigned char>(octet) >= 0x80)) octet = '?';
  return out;
}

Poster::Poster(boost::asio::io_context& context, http::DeadlineSweeper& wheel, bool allow_private)
    : context_(context), wheel_(wheel), allow_private_(allow_private) {
  while (resolvers_.size() < kResolvers) resolvers_.emplace_back(1);
}

std::shared_ptr<Poster::Host> Poster::host_of(const model::Uuid& organization, const std::string& origin) {
  const auto resolver = std::hash<model::Uuid>{}(organization) % kResolvers;
  const auto known = hosts_.find({resolver, origin});
  if (known != hosts_.end()) return known->second;
  if (hosts_.size() >= kMaxHosts) {
    const auto oldest = std::min_element(hosts_.begin(), hosts_.end(), [](const auto& a, const auto& b) {
      return std::pair(a.second->in_use > 0, a.second->used) < std::pair(b.second->in_use > 0, b.second->used);
    });
    if (oldest->second->in_use == 0) hosts_.erase(oldest);
  }
  http::UpstreamSettings settings{.url = origin, .tls_ca_file = {}};
  settings.connect_time = kConnectTime;
  settings.answer_time = kAnswerTime;
  settings.idle = 2;
  settings.look_up_unasked = false;  // strangers' names: most unknown ones stay unknown
  settings.names = resolvers_[resolver].get_executor();
  settings.answer_limit = std::uint64_t{1} << 40;  // not read to its end
  if (!allow_private_) settings.may_call = http::is_public;
  auto host = std::make_shared<Host>(std::make_unique<http::Client>(context_, wheel_, std::move(settings)));
  hosts_.emplace(std::pair(resolver, origin), host);
  return host;
}

awaitable<Posted> Poster::post(model::Uuid organization, std::string url, std::string head, std::string body) {
  Posted out;
  const auto target = split(url);
  if (!target || (!allow_private_ && !target->origin.starts_with("https:"))) {
    out.error = "the URL is not one that may be called";
    co_return out;
  }
  const auto host = host_of(organization, target->origin);
  struct Use {
    explicit Use(Host& host_) : host(host_) { ++host.in_use; }
    ~Use() {
      --host.in_use;
      host.used = Clock::now();
    }
    Host& host;
  } const use(*host);
  const auto begin = Clock::now();
  try {
    co_await attempt(*host->client, target->path, std::move(head), std::move(body), out);
  } catch (const http::Unreachable& error) {
    if (!out.status) out.error = error.what();
  }
  out.duration = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
  co_return out;
}

awaitable<void> Poster::attempt(http::Client& client, std::string path, std::string head, std::string body,
                                Posted& out) {
  const auto begin = Clock::now();
  http::ClientRequest request;
  request.method = http::Method::post;
  request.target = std::move(path);
  request.head = "Content-Type: application/json\r\nUser-Agent: Parley-Webhooks\r\n" + std::move(head);
  request.body = std::move(body);
  const auto exchange = co_await client.open(std::move(request));
  if (Clock::now() - begin > kMaxDuration)
    throw http::Unreachable(http::Unreachable::Why::timeout, "waiting for the answer: timed out", false);
  out.status = exchange->status();
  std::string answer;
  while (answer.size() < kMaxRead && Clock::now() - begin < kMaxDuration) {
    const auto piece = co_await exchange->next();
    if (piece.empty()) break;
    answer += piece;
    out.body = beginning_of(answer, kKept);
  }
}

}  // namespace parley::conversations::subscriptions
