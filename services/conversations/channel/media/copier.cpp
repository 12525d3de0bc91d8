#include "conversations/channel/media/copier.hpp"

#include <algorithm>
#include <stdexcept>

#include "common/chassis/quotas_told.hpp"
#include "common/identity/api_key.hpp"
#include "conversations/channel/media/hashed.hpp"
#include "conversations/channel/media/kinds.hpp"
#include "conversations/channel/media/sql.hpp"

namespace parley::conversations::media {

namespace {

constexpr int kMaxFailurePauses = 20;  // times the shortest one
constexpr int kMaxDoublings = 20;
constexpr std::int64_t kExpiredAtOnce = 20;
constexpr std::int64_t kClearedAtOnce = 10;
constexpr std::chrono::seconds kClearingLease{300};  // longer than so many requests
constexpr std::int32_t kMaxDays = 36'500;
constexpr std::int64_t kUsualMib = 10'240;
constexpr std::uint64_t kMib = 1 << 20;
constexpr std::uint64_t kMaxSize = 128 * kMib;  // octets; the channel has none of more than 100 MB

}  // namespace

chassis::Quota usual_quota() { return {std::string(kQuota), kUsualMib}; }

CopierSettings CopierSettings::read(chassis::Environment& environment) {
  CopierSettings out;
  out.quotas = chassis::Quotas::read(environment, {usual_quota()});
  out.days = static_cast<std::int32_t>(environment.number("PARLEY_MEDIA_DAYS", out.days, 0, kMaxDays));
  return out;
}

// A file as the channel sends it. Its last piece is given only if the file is what the channel has announced, so that
// no store takes another for whole.
class Copier::Content final : public http::BodySource {
 public:
  Content(http::BodySource& content, std::uint64_t size, std::string sha256, std::chrono::seconds time,
          const async::Loop& loop)
      : content_(content),
        size_(size),
        sha256_(std::move(sha256)),
        end_(std::chrono::steady_clock::now() + time),
        loop_(loop) {}
  awaitable<std::string_view> next() override {
    if (loop_.stopping()) throw std::runtime_error("the process stops");
    if (std::chrono::steady_clock::now() > end_) throw std::runtime_error("the file takes too long");
    const auto piece = co_await content_.next();
    given_ += piece.size();
    if (given_ > size_ || (piece.empty() && given_ < size_))
      throw std::runtime_error("the file is not as long as the channel says");
    if (given_ == size_ && hash_.empty()) check();
    co_return piece;
  }
  // Once it was read to its end.
  const std::string& hash() const { return hash_; }

 private:
  void check() {
    hash_ = content_.hash();
    if (!sha256_.empty() && identity::to_hex(hash_) != sha256_)
      throw std::runtime_error("the file is not what the channel says");
  }

  Hashed content_;
  const std::uint64_t size_;
  const std::string sha256_;
  const std::chrono::steady_clock::time_point end_;
  const async::Loop& loop_;
  std::uint64_t given_ = 0;
  std::string hash_;
};

Copier::Copier(chassis::Process& process, pg::Pool& database, Files& files, channel::Accounts& accounts,
               channel::Client& channel, CopierSettings settings)
    : process_(process),
      database_(database),
      files_(files),
      accounts_(accounts),
      channel_(channel),
      settings_(settings),
      loop_(
          process.context(), {settings.idle_pause, kMaxFailurePauses * settings.idle_pause}, [this] { return step(); },
          [this](const auto& what) { failed(what); }),
      clearing_(
          process.context(), {settings.idle_pause, settings.sweep_pause}, [this] { return clear(); },
          [this](const auto& what) { failed(what); }) {
  show();
}

void Copier::start() {
  process_.spawn("media", loop_.run());
  if (files_.place() == Place::Bucket) process_.spawn("media that goes", clearing_.run());
}

void Copier::failed(std::string_view what) {
  ++stats_.failures;
  process_.log().warn("media").with("error", what);
}

void Copier::show() {
  auto& metrics = process_.metrics();
  const auto count = [&](const char* result, const std::uint64_t& value) {
    metrics.counter_from("media_files_total", "Files of messages, by what became of their copy", {{"result", result}},
                         [&value] { return double(value); });
  };
  count("kept", stats_.kept);
  count("gone", stats_.gone);
  count("over_bound", stats_.over_bound);
  count("unavailable", stats_.unavailable);
  count("expired", stats_.expired);
  metrics.counter_from("media_octets_total", "Octets of files that were copied", {},
                       [this] { return double(stats_.octets); });
  metrics.counter_from("media_retries_total", "Attempts to copy a file that failed and are made again", {},
                       [this] { return double(stats_.retries); });
  metrics.counter_from("media_failures_total", "Steps of the work that failed and are made again", {},
                       [this] { return double(stats_.failures); });
  metrics.gauge_from("media_waiting", "Files that wait to be copied, up to 10,000", {},
                     [this] { return double(stats_.queue.waiting); });
  metrics.gauge_from("media_garbage", "Objects that are to be deleted from the store of files (S3), up to 10,000", {},
                     [this] { return double(stats_.queue.garbage); });
  metrics.gauge_from("media_oldest_seconds", "For how long the oldest of them has waited", {},
                     [this] { return stats_.queue.oldest_seconds; });
}

awaitable<void> Copier::stop() {
  loop_.request_stop();
  clearing_.request_stop();
  co_await loop_.stop();
  if (files_.place() == Place::Bucket) co_await clearing_.stop();
  co_await copies_.join(std::chrono::steady_clock::now() + async::Loop::kMaxStop);
}

awaitable<std::chrono::milliseconds> Copier::step() {
  const auto results = co_await database_.read(pg::Batch(sql::look));  // cheaper than a write that finds nothing
  stats_.queue = results.one<LookRow>();
  if (stats_.queue.due) co_await claim();
  if (settings_.days > 0) co_await sweep();
  co_return settings_.idle_pause;
}

awaitable<void> Copier::claim() {
  for (bool is_from_start = after_ == model::Uuid{};;) {
    const auto free = settings_.at_once - std::min(settings_.at_once, copies_.size());
    if (free == 0 || loop_.stopping()) co_return;
    const auto results =
        co_await database_.write(pg::Batch(sql::claim, after_, files_.place(), free, settings_.lease.count()));
    auto claimed = results.rows<ClaimedRow>();
    after_ = {};
    for (const auto& file : claimed) after_ = std::max(after_, file.organization_id);
    for (auto& file : claimed) process_.spawn("media", copies_.run(work(std::move(file))));
    if (claimed.empty() && is_from_start) co_return;
    is_from_start = claimed.empty();
  }
}

awaitable<void> Copier::sweep() {
  const auto now = std::chrono::steady_clock::now();
  if (now < next_sweep_) co_return;
  const auto results = co_await database_.write(pg::Batch(sql::expire, settings_.days, kExpiredAtOnce));
  stats_.expired += results.affected();
  if (results.affected() < static_cast<std::uint64_t>(kExpiredAtOnce)) next_sweep_ = now + settings_.sweep_pause;
}

// Objects of the bucket whose rows are gone. Deleted at least once.
awaitable<std::chrono::milliseconds> Copier::clear() {
  const auto results = co_await database_.write(pg::Batch(sql::take_garbage, kClearedAtOnce, kClearingLease.count()));
  const auto keys = results.rows<std::string>();
  for (const auto& key : keys) {
    if (clearing_.stopping()) break;
    co_await files_.remove_object(key);
    co_await database_.write(pg::Batch(sql::forget_garbage, key));
    ++stats_.cleared;
  }
  co_return std::ssize(keys) == kClearedAtOnce ? std::chrono::milliseconds(0) : settings_.idle_pause;
}

awaitable<void> Copier::work(ClaimedRow file) {
  const auto thrown = co_await async::attempt(copy(file));
  if (thrown) {
    const auto unrecorded = co_await async::attempt(fail(file, async::words_of(thrown)));
    if (unrecorded) ++stats_.failures;  // tried again when the lease ends
  }
  loop_.notify();  // there is room
}

awaitable<void> Copier::copy(ClaimedRow file) {
  const auto account = co_await accounts_.of_organization(file.organization_id);
  if (!account) throw std::runtime_error("no messaging business account is connected");
  const auto place = co_await channel_.find_media(*account, file.media_id);
  if (!place) co_return co_await settle(file, Reason::Gone);
  const auto exchange = co_await channel_.download(*account, place->url);
  if (!exchange) throw std::runtime_error("the channel does not have the file where it says");
  const auto size = exchange->content_length() ? exchange->content_length() : place->size;
  if (size.value_or(0) == 0) throw std::runtime_error("the channel does not say how long the file is");
  if (*size > kMaxSize) co_return co_await settle(file, Reason::Unavailable);
  if (!co_await reserve(file, *size)) co_return co_await settle(file, Reason::OverBound);

  const FileKey key{file.organization_id, file.message_id};
  Content content(*exchange, *size, place->sha256, settings_.attempt, loop_);
  co_await files_.write(key, file.lease, *size, content);
  auto transaction = co_await database_.begin(key.organization);
  pg::Batch batch(sql::keep, key.organization, key.message, file.lease, content.hash(),
                  type_of(exchange->fields(), place->mime_type));
  const auto asked = settings_.quotas.ask(batch, key.organization, kQuota);
  const auto results = co_await transaction.run(std::move(batch));
  if (results.affected(0) == 0) throw LeaseLost();
  co_await chassis::settle_taken(transaction, key.organization, asked, results,
                                 static_cast<std::int64_t>((*size + kMib - 1) / kMib));
  co_await transaction.commit();
  ++stats_.kept;
  stats_.octets += *size;
}

// False if the organization has no room for it.
awaitable<bool> Copier::reserve(const ClaimedRow& file, std::uint64_t size) {
  pg::Batch batch(sql::lock_use, file.organization_id, file.message_id, file.lease);
  batch.add(sql::reserve, file.organization_id, file.message_id, file.lease, size, settings_.quotas.usual(kQuota));
  const auto results = co_await database_.write(std::move(batch));
  const auto fits = results.optional<bool>(1);
  if (!fits) throw LeaseLost();
  co_return *fits;
}

awaitable<void> Copier::settle(const ClaimedRow& file, Reason reason) {
  const auto results =
      co_await database_.write(pg::Batch(sql::give_up, file.organization_id, file.message_id, file.lease, reason));
  if (results.affected() == 0) co_return;
  ++(reason == Reason::Gone ? stats_.gone : reason == Reason::OverBound ? stats_.over_bound : stats_.unavailable);
}

awaitable<void> Copier::fail(const ClaimedRow& file, std::string why) {
  if (!loop_.stopping() && file.age >= settings_.give_up.count()) {
    process_.log()
        .warn("a file was given up")
        .with("organization_id", file.organization_id.text())
        .with("message_id", file.message_id.text())
        .with("error", why);
    co_return co_await settle(file, Reason::Unavailable);
  }
  const auto doublings = std::min(file.attempts - 1, kMaxDoublings);
  auto pause = std::min(settings_.first_pause * (std::int64_t{1} << std::max(doublings, 0)), settings_.longest_pause);
  if (loop_.stopping()) pause = {};
  const auto results =
      co_await database_.write(pg::Batch(sql::again, file.organization_id, file.message_id, file.lease, pause.count()));
  if (results.affected() == 0) {  // its message is gone, or another attempt has it
    if (files_.place() == Place::Bucket)
      co_await database_.write(pg::Batch(sql::discard, file.organization_id, file.message_id));
    co_return;
  }
  ++stats_.retries;
  process_.log().info("a file is copied again later").with("message_id", file.message_id.text()).with("error", why);
}

}  // namespace parley::conversations::media
