#include "common/events/snapshots.hpp"

#include "common/async/pause.hpp"
#include "common/events/outbox/sql.hpp"
#include "common/http/problem.hpp"

namespace parley::events {

namespace {

constexpr int kMaxUnsequenced = 10'000;
constexpr int kAttempts = 500;
constexpr std::chrono::milliseconds kPause{10};

struct FeedPosition {
  model::Uuid epoch;
  std::int64_t head = 0;
  std::int64_t pruned = 0;
  std::optional<std::int64_t> first;
};
BOOST_DESCRIBE_STRUCT(FeedPosition, (), (epoch, head, pruned, first))

struct Step {
  std::optional<model::Uuid> organization_id, id;
  std::optional<std::string> lines;
};
BOOST_DESCRIBE_STRUCT(Step, (), (organization_id, id, lines))

http::Problem busy(const char* why) {
  return http::Problem({.status = 503, .detail = why, .head = "Retry-After: 1\r\n"});
}

}  // namespace

// Holds the sequencer lock until the events visible to the snapshot have positions. Both connections are acquired
// before the lock, so that nobody waits for a connection while holding it.
awaitable<std::optional<Feed::Snapshot>> Feed::try_snapshot() {
  auto reader = co_await database_.begin();
  auto sequencer = co_await database_.begin();
  const auto locked = co_await sequencer.run(pg::Batch(outbox::lock_sequencer));
  if (!locked.one<bool>()) co_return std::nullopt;
  pg::Batch batch(outbox::begin_snapshot);
  batch.add(outbox::prepare_snapshot).add(outbox::look, floor_.value(), floor_.world());
  batch.add(outbox::unsequenced, floor_.value(), floor_.world(), kMaxUnsequenced + 1);
  const auto seen = co_await reader.run(std::move(batch));
  const auto ids = seen.rows<std::int64_t>(3);
  if (ids.size() > kMaxUnsequenced) {  // too many at once: they are sequenced normally first
    notify();
    co_return std::nullopt;
  }
  const auto place = seen.one<FeedPosition>(2);
  const auto position = place.head + static_cast<std::int64_t>(ids.size());
  if (!ids.empty()) {
    co_await sequencer.commit(pg::Batch(outbox::sequence_these, ids));
    stats_.sequenced += ids.size();
    learn(place.epoch, position);
  }
  co_return Snapshot{std::move(reader), place.epoch, position, seen.one<model::Timestamp>(1)};
}

awaitable<Feed::Snapshot> Feed::take_snapshot() {
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    auto snapshot = co_await try_snapshot();
    if (snapshot) co_return std::move(*snapshot);
    co_await async::pause(kPause);
  }
  throw busy("too much happens to take a snapshot now");
}

// Produces one piece per step, even if many rows yield nothing, so that the reader sees progress.
class Snapshots::Lines final : public http::BodySource {
 public:
  Lines(Feed::Snapshot snapshot, std::string head, const SnapshotSettings& settings, Report report,
        std::shared_ptr<bool> busy)
      : transaction_(std::move(snapshot.transaction)),
        piece_(std::move(head)),
        walks_(settings.walks),
        report_(std::move(report)),
        busy_(std::move(busy)) {}
  ~Lines() override { *busy_ = false; }

  awaitable<std::string_view> next() override {
    if (!std::exchange(begun_, true)) co_return piece_;
    try {
      co_await step();
    } catch (const std::exception& error) {
      report_(error.what());  // the response is cut off, so only this line reports the reason
      throw;
    }
    co_return piece_;
  }

 private:
  awaitable<void> step() {
    piece_.clear();
    if (walk_ == walks_.size()) co_return;
    const auto results = co_await transaction_.run(pg::Batch(*walks_[walk_], organization_, id_));
    auto step = results.one<Step>();
    piece_ = std::move(step.lines).value_or("\n");
    organization_ = step.organization_id.value_or(model::Uuid{});
    id_ = step.id.value_or(model::Uuid{});
    if (!step.id) ++walk_;
  }

  pg::Transaction transaction_;
  std::string piece_;
  const std::vector<const pg::Statement*> walks_;
  Report report_;
  std::shared_ptr<bool> busy_;
  std::size_t walk_ = 0;
  model::Uuid organization_{}, id_{};
  bool begun_ = false;
};

awaitable<http::Response> Snapshots::serve() {
  if (std::exchange(*busy_, true)) throw busy("another snapshot is being told");
  struct Hold {
    std::shared_ptr<bool> busy;
    ~Hold() {
      if (busy) *busy = false;
    }
  } hold{busy_};
  auto snapshot = co_await feed_.take_snapshot();
  SnapshotHead head{snapshot.epoch, snapshot.position, std::nullopt};
  if (!settings_.is_whole) head.exactFrom = snapshot.taken_at;
  http::Response response;
  response.content_type = "application/jsonl";
  response.stream = std::make_shared<Lines>(std::move(snapshot), model::to_json(head) + '\n', settings_, report_,
                                            std::move(hold.busy));
  co_return response;
}

}  // namespace parley::events
