#include "conversations/campaigns/links/destinations.hpp"

#include "conversations/campaigns/links/sql.hpp"

namespace parley::conversations::links {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

BOOST_DESCRIBE_STRUCT(Destination, (), (organization_id, campaign_id, url, secret))

namespace {
constexpr std::size_t kMaxOnShelf = 1'024;  // entries; a URL has at most about 2 KiB
// A destination changes only with the deletion of its organization, or when a restored database reassigns its number.
constexpr auto kFresh = 60s;
}  // namespace

Destinations::Kept* Destinations::look(std::int64_t url_id) {
  if (const auto found = recent_.find(url_id); found != recent_.end()) return &found->second;
  const auto found = older_.find(url_id);
  if (found == older_.end()) return nullptr;
  const auto kept = found->second;
  keep(url_id, kept.destination);
  auto& moved = recent_.at(url_id);
  moved.asked = kept.asked;
  return &moved;
}

void Destinations::keep(std::int64_t url_id, std::shared_ptr<const Destination> destination) {
  if (recent_.size() >= kMaxOnShelf) {
    older_ = std::move(recent_);
    recent_.clear();
  }
  recent_[url_id] = {std::move(destination), Clock::now()};
}

awaitable<std::shared_ptr<const Destination>> Destinations::find(std::int64_t url_id) {
  if (auto* kept = look(url_id)) {
    if (Clock::now() - kept->asked > kFresh) {
      kept->asked = Clock::now();
      process_.spawn("a link's destination", ask_again(url_id));
    }
    co_return kept->destination;
  }
  auto destination = co_await ask(url_id);
  if (destination) keep(url_id, destination);
  co_return destination;
}

awaitable<std::shared_ptr<const Destination>> Destinations::ask(std::int64_t url_id) {
  const auto results = co_await database_.read(pg::Batch(sql::find, url_id));
  auto row = results.optional<Destination>();
  co_return row ? std::make_shared<const Destination>(std::move(*row)) : nullptr;
}

awaitable<void> Destinations::ask_again(std::int64_t url_id) {
  std::shared_ptr<const Destination> destination;
  try {
    destination = co_await ask(url_id);
  } catch (const std::exception&) {
    co_return;  // the cached destination stays valid
  }
  if (destination) co_return keep(url_id, std::move(destination));
  recent_.erase(url_id);
  older_.erase(url_id);
}

}  // namespace parley::conversations::links
