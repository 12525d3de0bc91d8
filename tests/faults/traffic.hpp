#pragma once
// What programs do with the product all day, from several threads: reads, writes with an Idempotency-Key, uploads, a
// stream of events, webhooks. Each answer is timed, and at the end the tables tell whether what was acknowledged was
// done, and done once.
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/e2e/channel_bed.hpp"

namespace parley::faults {

using Clock = std::chrono::steady_clock;

struct Sample {
  std::string kind;  // "contact", "contacts", ..., "write", "upload", "webhook", "stream"
  Clock::time_point began;
  double milliseconds = 0;
  unsigned status = 0;    // 0: no answer
  std::string failure{};  // "" if it was as it should be
};

// Some samples, summed up.
struct Summary {
  std::size_t requests = 0, failures = 0;
  std::size_t partial = 0;  // of the failures: answered, but without another service's part
  std::size_t failed() const { return failures - partial; }
  double median = 0, p99 = 0, most = 0;  // milliseconds, failures too
  Clock::time_point last_failure{};      // its end; before all time if there was none
};
std::ostream& operator<<(std::ostream& out, const Summary& summary);

struct TrafficSettings {
  int readers = 3, writers = 2, uploaders = 1, callers_back = 1, streams = 1;  // threads; callers_back post webhooks
  std::chrono::milliseconds pause{3};                                          // of each between two requests
  bool repeat = true;  // a write that failed is made again with its key until it is answered, as clients do it
};

class Traffic {
 public:
  // The organization is one of fill()'s with a channel of its own to call back.
  Traffic(support::System& system, const std::string& name, TrafficSettings settings = {});
  ~Traffic();
  Traffic(const Traffic&) = delete;
  Traffic& operator=(const Traffic&) = delete;

  const e2e::Organization& organization() const { return organization_; }

  std::size_t answered() const;
  // Until so many more were answered; a minute in vain is a fault of the test's.
  void wait_for(std::size_t more);
  // No new requests; those under way come to their end.
  void stop();

  // Of those that began between two moments; kinds: all, or those that begin with the text.
  Summary summary(Clock::time_point from, Clock::time_point to, const std::string& kind = {}) const;
  std::vector<Sample> failures(Clock::time_point from = {}, Clock::time_point to = Clock::time_point::max()) const;
  // Adds failed checks unless nothing failed and hardly any answer was partial since then: where a machine has too much
  // to do, a service does not wait longer than its deadline for another one's part.
  void check_served(Clock::time_point from) const;
  // Prints the first of them.
  void show_failures(Clock::time_point from = {}) const;
  // Prints what took longer than that, though it was answered.
  void show_slow(Clock::time_point from, std::chrono::milliseconds than) const;

  // After stop(): adds failed checks for what was acknowledged and is not there, or is there twice, and for what the
  // streams never told.
  void judge();

 private:
  void read(int number);
  boost::json::array members(int turn) const;
  void write(int number);
  void upload(int number);
  void call_back(int number);
  void listen(int number);

  bool stopping() const { return stop_; }
  void note(Sample sample);
  void rest() const { std::this_thread::sleep_for(settings_.pause); }

  support::System& system_;
  const TrafficSettings settings_;
  e2e::Organization organization_;
  std::unique_ptr<e2e::Channel> channel_;  // of another organization
  std::atomic<bool> stop_ = false, stop_listening_ = false;
  mutable std::mutex mutex_;
  std::vector<Sample> samples_;
  std::set<std::string> made_, tried_;  // names of lists: acknowledged, sent at all
  std::size_t uploaded_ = 0, uploads_tried_ = 0;
  std::set<std::string> delivered_;  // ids of messages that webhooks told, and that were taken
  std::set<std::string> heard_;      // of streams, the same ids
  std::string first_place_;          // where the streams begin
  std::vector<std::thread> threads_, listeners_;
};

// A client's connection: kept while it may be, taken to the other gateway when one is gone, and what was sent over a
// kept connection that ended before an octet of the answer is sent again, as HTTP clients do it with what may be
// repeated.
class Caller {
 public:
  explicit Caller(support::System& system, std::size_t gateway = 0)
      : system_(system), gateway_(gateway % system.count("gateway")) {}
  // status 0 when there was none.
  support::Answer send(const std::string& request, bool repeatable);
  int sent_again = 0;

 private:
  void go_to_another();

  support::System& system_;
  std::size_t gateway_;
  std::unique_ptr<support::Wire> wire_;
};

// How long ago that was.
double seconds_since(Clock::time_point begin);

}  // namespace parley::faults
