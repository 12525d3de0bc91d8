#include "contacts/imports/worker.hpp"

#include <bit>
#include <boost/asio/deferred.hpp>
#include <boost/asio/post.hpp>

namespace parley::contacts::imports {

namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

// Imports processed concurrently; each uses one connection of the write lane at a time.
constexpr std::size_t kLoops = 2;
constexpr auto kPause = 1s;
constexpr auto kSweepPause = 30s;
constexpr std::size_t kMaxRowsOfRetry = 200;      // after an attempt without progress
constexpr std::int64_t kMaxOctets = 1024 * 1024;  // of the file per batch
constexpr int kRecordsOfSlice = 200;              // records parsed before yielding to requests
constexpr std::int64_t kMaxAttempts = 20;
constexpr std::int64_t kManyContacts = 1000;

// Whether an import has come to twice as many contacts as when it was last true, of many.
bool has_doubled(std::int64_t before, std::int64_t now) {
  const auto doublings = [](std::int64_t contacts) {
    return std::bit_width(static_cast<std::uint64_t>(contacts / kManyContacts));
  };
  return doublings(before) < doublings(now);
}

}  // namespace

// The file from the job's position on, loaded chunk by chunk.
class Worker::Source {
 public:
  Source(Store& store, const Job& job)
      : store_(store),
        job_(job),
        front_(job.progress.position),
        chunk_(job.progress.position / kChunkOctets),
        unread_(static_cast<std::size_t>(job.progress.position % kChunkOctets)) {}

  std::string_view data() const { return std::string_view(data_).substr(used_); }
  bool is_all() const { return chunk_ * kChunkOctets >= job_.size; }
  void use(std::size_t octets) { used_ += octets; }
  std::int64_t position() const { return front_ + static_cast<std::int64_t>(used_); }
  // Appends the next chunk; false if it has been removed.
  awaitable<bool> load() {
    data_.erase(0, used_);
    front_ += static_cast<std::int64_t>(used_);
    used_ = 0;
    const auto octets = co_await store_.chunk(job_, chunk_);
    if (!octets) co_return false;
    data_.append(*octets, std::exchange(unread_, 0));
    ++chunk_;
    co_return true;
  }

 private:
  Store& store_;
  const Job& job_;
  std::string data_;
  std::size_t used_ = 0;
  std::int64_t front_;  // offset in the file at which data_ begins
  std::int64_t chunk_;  // next chunk to load
  std::size_t unread_;  // octets of that chunk before the position
};

Worker::Worker(asio::io_context& context, Store& store, Report report)
    : context_(context),
      store_(store),
      report_(std::move(report)),
      pace_([&store] { return store.reads_under_way(); }),
      loops_(context, kLoops, kPause, [this] { return look(); }, [this](const auto& what) { failed(what); }) {}

void Worker::start(chassis::Process& process) {
  show(process.metrics());
  loops_.start(process, "imports");
}

void Worker::show(chassis::Metrics& metrics) {
  metrics.gauge_from("imports_running", "Imports that this process works on", {}, [this] { return stats_.running; });
  metrics.counter_from("import_failures_total", "Attempts to work on an import that ended with an error", {},
                       [this] { return double(stats_.failures); });
  const auto show_rows = [&](const char* result, const std::uint64_t& count) {
    metrics.counter_from("import_rows_total", "Rows of imports, by what became of them", {{"result", result}},
                         [&count] { return double(count); });
  };
  show_rows("imported", stats_.imported);
  show_rows("updated", stats_.updated);
  show_rows("skipped", stats_.skipped);
  show_rows("failed", stats_.failed);
}

void Worker::failed(const std::string& what) {
  ++stats_.failures;
  report_(what, true);
}

awaitable<bool> Worker::look() {
  if (auto job = co_await store_.claim(owner_)) {
    co_await work(std::move(*job));
    co_return true;
  }
  const auto now = std::chrono::steady_clock::now();
  if (now < next_sweep_) co_return false;
  next_sweep_ = now + kSweepPause;
  const bool swept = co_await store_.sweep();
  if (swept) next_sweep_ = {};
  co_return swept;
}

awaitable<void> Worker::work(Job job) {
  struct Running {
    explicit Running(int& count_) : count(count_) { ++count; }
    ~Running() { --count; }
    int& count;
  } const running(stats_.running);
  if (job.attempts > kMaxAttempts) {
    co_await store_.fail(job, "it could not be worked off: the rows from line " + std::to_string(job.progress.line) +
                                  " on were tried in vain");
    co_return;
  }
  const auto outcome = co_await work_off(job);
  if (outcome == Applied::no_list) co_await store_.fail(job, "the list was deleted");
  if (outcome == Applied::refused) co_await store_.fail(job, job.refusal);
  if (outcome == Applied::done && loops_.stopping()) co_await store_.release(job);
  if (outcome == Applied::gave_way) co_return;
  report_("import " + job.id.text() + ": " + std::to_string(job.progress.rows_read) + " rows, " +
              (outcome == Applied::no_list   ? "its list is gone"
               : outcome == Applied::refused ? "beyond a quota"
               : outcome == Applied::lost    ? "another goes on"
               : loops_.stopping()           ? "given back"
                                             : "done"),
          false);
}

// Processes batches until the end of the import, or until this process stops or another organization waits.
awaitable<Applied> Worker::work_off(Job& job) {
  Source source(store_, job);
  CsvReader reader(job.delimiter, static_cast<std::uint64_t>(job.progress.line));
  RowGatherer gatherer(job);
  const auto max_rows = job.attempts > 1 ? kMaxRowsOfRetry : Pace::kMostRows;
  const auto is_full = [&] {
    return gatherer.size() >= std::min(pace_.rows(), max_rows) ||
           source.position() - job.progress.position >= kMaxOctets;
  };
  for (int records = 1;; ++records) {
    using Step = CsvReader::Step;
    const auto step = reader.next(source.data(), source.is_all());
    if (step == Step::need_more) {
      const bool loaded = co_await source.load();
      if (!loaded) co_return Applied::lost;
      continue;
    }
    source.use(reader.consumed());
    if (step == Step::record) gatherer.take(reader);
    const bool is_over = step == Step::end || step == Step::broken;
    if (is_over || is_full()) {
      auto rows = gatherer.finish(source.position(), static_cast<std::int64_t>(reader.next_line()));
      const auto begin = Pace::Clock::now();
      const auto applied = co_await apply(job, std::move(rows), step == Step::end);
      if (applied != Applied::done || step == Step::end || loops_.stopping()) co_return applied;
      if (step == Step::broken) {
        co_await store_.fail(job, "line " + std::to_string(reader.line()) + ": " + std::string(reader.fault()));
        co_return Applied::done;
      }
      co_await pace_.make_room(begin);
      const bool gave_way = co_await store_.give_way(job);
      if (gave_way) co_return Applied::gave_way;
      gatherer.go_on(job.progress);
    }
    if (records % kRecordsOfSlice == 0) co_await asio::post(context_, asio::deferred);
  }
}

awaitable<Applied> Worker::apply(Job& job, Rows rows, bool last) {
  const auto before = job.progress;
  const auto applied = co_await store_.apply(job, std::move(rows), last);
  if (applied == Applied::done) {
    const auto& now = job.progress;
    stats_.imported += static_cast<std::uint64_t>(now.imported - before.imported);
    stats_.updated += static_cast<std::uint64_t>(now.updated - before.updated);
    stats_.skipped += static_cast<std::uint64_t>(now.skipped - before.skipped);
    stats_.failed += static_cast<std::uint64_t>(now.failed - before.failed);
    if (has_doubled(before.imported, now.imported)) co_await analyze();
  }
  co_return applied;
}

awaitable<void> Worker::analyze() {
  try {
    co_await store_.analyze();
  } catch (const std::exception& error) {
    // The rows are there all the same, and autovacuum comes later.
    report_(std::string("contacts are not analyzed: ") + error.what(), true);
  }
}

}  // namespace parley::contacts::imports
