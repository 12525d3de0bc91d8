#include "common/events/consumer.hpp"

#include <algorithm>

#include "common/events/inbox/sql.hpp"
#include "common/http/answer.hpp"
#include "common/http/query.hpp"
#include "common/model/text.hpp"

namespace parley::events {

namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

struct CursorRow {
  std::optional<model::Uuid> epoch;
  std::int64_t position = 0;
};
BOOST_DESCRIBE_STRUCT(CursorRow, (), (epoch, position))

struct ParkedRow {
  model::Uuid epoch;
  std::int64_t position = 0;
  model::RawJson changes;
};
BOOST_DESCRIBE_STRUCT(ParkedRow, (), (epoch, position, changes))

struct ParkedCount {
  std::int64_t parked = 0, due = 0;
};
BOOST_DESCRIBE_STRUCT(ParkedCount, (), (parked, due))

constexpr auto kLookPause = 2s;  // between two checks for parked events, while events keep coming
constexpr auto kBrokenPause = 30'000ms;
constexpr auto kOvertakenPause = 1'000ms;
constexpr auto kMinAnswer = 50ms;
constexpr auto kPieceTime = 60s;  // per piece of a snapshot
constexpr std::size_t kMaxFaultLength = 500;

// Data errors, which a retry would repeat.
bool is_of_data(const pg::SqlError& error) { return error.in_class("22") || error.in_class("23"); }

}  // namespace

Consumer::Consumer(asio::io_context& context, pg::Pool& database, ConsumerSettings settings, ConsumerWork work)
    : database_(database),
      settings_(std::move(settings)),
      work_(std::move(work)),
      loop_(
          context, {settings_.min_pause, settings_.max_pause}, [this] { return step(); },
          [this](const auto& what) { failed(what); }) {}

void Consumer::failed(const std::string& what) {
  ++stats_.failures;
  cursor_.reset();  // the commit may have succeeded
  work_.report(what);
}

awaitable<std::chrono::milliseconds> Consumer::step() {
  if (!cursor_ || http::Clock::now() >= next_look_) co_await load_cursor();
  const bool all = !std::exchange(replayed_, true);
  if (all || due_) co_await replay(!all);
  const auto asked = http::Clock::now();
  auto page = co_await ask();
  const auto answered = http::Clock::now();
  const bool has_all = !page.unsequenced;
  stats_.head = page.head;
  if (!follows(page)) {
    co_await begin_anew(std::move(page));
    co_return 0ms;
  }
  stats_.broken.clear();
  const bool was_empty = page.events.empty();
  if (!was_empty) co_await apply(std::move(page));
  if (has_all && stats_.position >= stats_.head) stats_.caught_up_at = answered;
  if (!was_empty) co_return 0ms;
  cursor_.reset();  // another replica may be ahead, or an operator may have requested a rebuild
  co_return answered - asked < kMinAnswer ? settings_.min_pause : 0ms;
}

awaitable<void> Consumer::load_cursor() {
  const auto found = co_await database_.read(
      pg::Batch(inbox::find_cursor, settings_.producer).add(inbox::count_parked, settings_.producer));
  auto row = found.optional<CursorRow>(0);
  const auto count = found.one<ParkedCount>(1);
  stats_.parked = static_cast<std::uint64_t>(count.parked);
  due_ = count.due > 0;
  next_look_ = http::Clock::now() + kLookPause;
  if (!row) {
    co_await database_.write(pg::Batch(inbox::make_cursor, settings_.producer));
    row.emplace();
  }
  cursor_ = Cursor{row->epoch, row->position};
  stats_.position = row->position;
}

awaitable<FeedPage> Consumer::ask() {
  http::ClientRequest request;
  request.target = "/internal/events?consumer=";
  http::append_encoded(request.target, settings_.name);
  if (cursor_->epoch) request.target += "&epoch=" + cursor_->epoch->text();
  request.target += "&after=" + std::to_string(cursor_->position) + "&wait=" + std::to_string(settings_.wait) +
                    "&limit=" + std::to_string(settings_.limit);
  request.answer_time = std::chrono::seconds(settings_.wait) + 5s;
  const auto response = co_await work_.ask(std::move(request));
  co_return http::read_answer<FeedPage>(response, "the feed of " + settings_.producer);
}

// Whether the page continues at the cursor.
bool Consumer::follows(const FeedPage& page) const {
  return (!cursor_->epoch || *cursor_->epoch == page.epoch) && cursor_->position <= page.head &&
         cursor_->position >= page.pruned;
}

// Whether a feed whose events up to `pruned` are gone can be read from there.
bool Consumer::can_do_without(const FeedPage& page) const {
  if (page.pruned == 0 || work_.dropped == Dropped::made_up) return true;
  // Up to the backup, the restored feed has the same events as the feed that was followed.
  return work_.dropped == Dropped::applied && cursor_->epoch && *cursor_->epoch != page.epoch &&
         cursor_->position >= page.pruned;
}

// Starts over after the feed was restored, replaced, or pruned beyond the cursor. Events that the feed still has in
// full are read again from the beginning; otherwise the consumer stops rather than skip events silently.
awaitable<void> Consumer::begin_anew(FeedPage page) {
  if (work_.restore) co_return co_await rebuild();
  if (settings_.is_own && cursor_->position <= page.head && cursor_->position >= page.pruned) {
    // The feed and the cursor were restored together, so the cursor's position is still valid.
    auto transaction = co_await database_.begin();
    const auto position = cursor_->position;
    const bool ours = co_await move(transaction, page.epoch, position);
    if (ours) co_await transaction.commit();
    co_return cursor_.reset();
  }
  if (!can_do_without(page)) {
    stats_.broken = "cannot follow the feed of " + settings_.producer + ": the cursor stands at " +
                    std::to_string(cursor_->position) + (cursor_->epoch ? " of epoch " + cursor_->epoch->text() : "") +
                    ", the feed has " + std::to_string(page.pruned) + " to " + std::to_string(page.head) +
                    " of epoch " + page.epoch.text();
    work_.report(stats_.broken);
    cursor_.reset();  // an operator may repair it
    co_return co_await loop_.rest(kBrokenPause);
  }
  work_.report("the feed of " + settings_.producer + " is another one, or has dropped events: reading it from " +
               std::to_string(page.pruned) + " on");
  auto transaction = co_await database_.begin();
  const bool ours = co_await move(transaction, page.epoch, page.pruned);
  if (!ours) co_return cursor_.reset();
  co_await work_.forget(transaction);
  co_await transaction.commit(pg::Batch(inbox::clear_parked, settings_.producer));
  ++stats_.rebuilds;
  cursor_.reset();
}

// Forgets the old state before requesting the snapshot, as the producer holds a snapshot open only while it is read.
// Meanwhile the cursor is locked for other replicas.
awaitable<void> Consumer::rebuild() {
  work_.report("the feed of " + settings_.producer + " cannot be followed from " + std::to_string(cursor_->position) +
               " on: reading a snapshot");
  auto transaction = co_await database_.begin();
  pg::Batch hold(inbox::allow_rest);
  hold.add(inbox::hold_cursor, settings_.producer, cursor_->epoch, cursor_->position);
  const auto held = co_await transaction.run(std::move(hold));
  if (held.row_count(1) == 0) {  // or another replica moved it
    cursor_.reset();
    co_return co_await loop_.rest(kOvertakenPause);
  }
  co_await work_.forget(transaction);
  http::ClientRequest request{.target = "/internal/snapshot"};
  request.answer_time = kPieceTime;
  auto source = co_await work_.open(std::move(request));
  SnapshotReader snapshot(std::move(source));
  co_await snapshot.begin();
  co_await move(transaction, snapshot.head().epoch, snapshot.head().position);
  co_await work_.restore(transaction, snapshot);
  co_await transaction.commit(pg::Batch(inbox::clear_parked, settings_.producer));
  ++stats_.rebuilds;
  cursor_.reset();
}

awaitable<void> Consumer::apply(FeedPage page) {
  auto outcome = co_await attempt(page.epoch, page.events);
  std::size_t left = page.events.size();
  if (outcome == Outcome::bad) {  // retry one by one, to find the bad one
    for (const auto& event : page.events) {
      outcome = co_await attempt(page.epoch, {&event, 1});
      if (outcome == Outcome::bad) {
        const bool parked = co_await park(page.epoch, event);
        outcome = parked ? Outcome::applied : Outcome::overtaken;
      }
      if (outcome != Outcome::applied) break;
      --left;
    }
  }
  if (outcome != Outcome::overtaken) co_return;
  stats_.overtaken += left;
  // Another replica is active: back off, then read its cursor.
  cursor_.reset();
  co_await loop_.rest(kOvertakenPause);
}

awaitable<bool> Consumer::move(pg::Transaction& transaction, model::Uuid epoch, std::int64_t position) {
  const auto moved = co_await transaction.run(
      pg::Batch(inbox::move_cursor, settings_.producer, cursor_->epoch, cursor_->position, epoch, position));
  co_return moved.affected() == 1;
}

// Moves the cursor first: a second replica waits for this transaction and then finds the cursor moved.
awaitable<Consumer::Outcome> Consumer::attempt(model::Uuid epoch, std::span<const Event> events) {
  const auto position = events.back().position;
  try {
    auto transaction = co_await database_.begin();
    const bool ours = co_await move(transaction, epoch, position);
    if (!ours) co_return Outcome::overtaken;
    co_await work_.apply(transaction, events);
    co_await transaction.commit();
  } catch (const BadEvent& error) {
    fault_ = error.what();
    co_return Outcome::bad;
  } catch (const pg::SqlError& error) {
    if (!is_of_data(error)) throw;
    fault_ = error.statement + ": " + error.state + " " + error.message;
    co_return Outcome::bad;
  }
  cursor_ = Cursor{epoch, position};
  stats_.position = position;
  stats_.applied += events.size();
  co_return Outcome::applied;
}

awaitable<bool> Consumer::park(model::Uuid epoch, const Event& event) {
  work_.report("an event of " + settings_.producer + " is set aside, position " + std::to_string(event.position) +
               ": " + fault_);
  auto transaction = co_await database_.begin();
  const bool ours = co_await move(transaction, epoch, event.position);
  if (!ours) co_return false;
  co_await transaction.commit(pg::Batch(inbox::park, settings_.producer, epoch, event.position, event.changes,
                                        model::first_octets(fault_, kMaxFaultLength)));
  cursor_ = Cursor{epoch, event.position};
  stats_.position = event.position;
  ++stats_.parked;
  ++stats_.dead;
  co_return true;
}

// Retries all parked events at start, as a newer program may be able to apply them.
awaitable<void> Consumer::replay(bool only_due) {
  std::int64_t after = -1;
  bool more = stats_.parked > 0;
  due_ = false;
  while (more && !loop_.stopping()) more = co_await replay_one(after, only_due);
}

// Locks the cursor, as a replica that reads a snapshot gets the parked events from it.
awaitable<bool> Consumer::replay_one(std::int64_t& after, bool only_due) {
  auto transaction = co_await database_.begin();
  pg::Batch take(inbox::hold_cursor, settings_.producer, cursor_->epoch, cursor_->position);
  take.add(inbox::take_parked[{.due = only_due}], settings_.producer, after);
  const auto taken = co_await transaction.run(std::move(take));
  if (taken.row_count(0) == 0) {  // taken or moved by another replica: retry in the next step
    replayed_ = replayed_ && only_due;
    next_look_ = {};
    co_return false;
  }
  const auto row = taken.optional<ParkedRow>(1);
  if (!row) co_return false;
  after = row->position;
  const Event event{row->position, row->changes};
  try {
    co_await work_.apply(transaction, {&event, 1});
    co_await transaction.commit(pg::Batch(inbox::unpark, settings_.producer, row->epoch, row->position));
    --stats_.parked;
    ++stats_.applied;
    co_return true;
  } catch (const BadEvent& error) {
    fault_ = error.what();
  } catch (const pg::SqlError& error) {  // any error is recorded: parked events must not block the feed
    fault_ = error.statement + ": " + error.state + " " + error.message;
  }
  co_await transaction.roll_back().wait();
  co_await database_.write(pg::Batch(inbox::park_again, settings_.producer, row->epoch, row->position,
                                     model::first_octets(fault_, kMaxFaultLength)));
  co_return true;
}

}  // namespace parley::events
