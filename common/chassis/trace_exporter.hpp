#pragma once
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "common/async/task_group.hpp"
#include "common/http/client.hpp"

namespace parley::chassis {

using boost::asio::awaitable;

class Log;
class Metrics;
struct TracingSettings;

// Sends spans by OTLP over HTTP, as JSON (opentelemetry.io, OTLP specification 1.x): those of a second, 512 of them at
// most in one request, one at a time. What the receiver does not take meanwhile gathers, up to a bound; what is beyond
// it is dropped and counted, so that a receiver that is slow or away costs memory of a few MiB and nobody's time.
class TraceExporter {
 public:
  TraceExporter(boost::asio::io_context& context, http::DeadlineSweeper& wheel, const TracingSettings& settings,
                std::string_view service, std::string_view version, Metrics& metrics, Log& log);

  // Where to append one span's JSON, at once; nullptr when there is no room for it.
  std::string* room();
  // Nanoseconds from the steady clock to the time since 1970: the same for all spans of a second, so that what follows
  // on something does so in its trace too.
  std::int64_t clock_offset() const { return clock_offset_; }

  awaitable<void> run();
  // Sends what there is, once, and no longer than 3 s.
  awaitable<void> stop();

 private:
  struct Verdict {
    bool accepted = false;
    bool again = false;            // it may be taken another time
    std::chrono::seconds pause{};  // that the receiver asks for
    std::uint64_t rejected = 0;    // of what was accepted
    std::string error{};
  };
  void set_clock();
  awaitable<void> wait(std::chrono::milliseconds time);
  struct Batch {
    std::string text;  // before_ and spans
    std::uint64_t spans = 0;
  };
  Batch take();
  awaitable<void> deliver(const Batch& batch);
  awaitable<Verdict> post(const std::string& body);
  awaitable<Verdict> exchange(http::ClientRequest request);
  void note(const std::string& error);

  Log& log_;
  http::Client client_;
  boost::asio::steady_timer timer_;
  async::TaskGroup running_;
  std::string fields_;          // of a request
  std::string before_;          // what stands before the spans
  std::deque<Batch> batches_;   // that wait; the last one grows
  std::size_t octets_ = 0;      // of all but the last
  std::uint64_t gathered_ = 0;  // spans in all of them
  std::uint64_t sent_ = 0, dropped_ = 0, failed_ = 0;
  std::int64_t clock_offset_ = 0;
  bool gathering_ = false;  // waits for more spans
  bool stopping_ = false, failing_ = false;
};

}  // namespace parley::chassis
