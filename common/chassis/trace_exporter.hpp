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

// Sends spans by OTLP over HTTP, as JSON (opentelemetry.io, OTLP specification 1.x): the spans of one second, at most
// 512 per request, one request at a time. Unsent spans queue up to a bound and are then dropped and counted, so that a
// slow or absent receiver costs a few MiB of memory and no waiting.
class TraceExporter {
 public:
  TraceExporter(boost::asio::io_context& context, http::DeadlineSweeper& wheel, const TracingSettings& settings,
                std::string_view service, std::string_view version, Metrics& metrics, Log& log);

  // Where to append one span's JSON, at once; nullptr if the queue is full.
  std::string* room();
  // Nanoseconds from the steady clock to Unix time; constant for all spans of a second, so that spans keep their order.
  std::int64_t clock_offset() const { return clock_offset_; }

  awaitable<void> run();
  // Sends the remaining spans once, for at most 3 s.
  awaitable<void> stop();

 private:
  struct Verdict {
    bool accepted = false;
    bool again = false;            // may be retried
    std::chrono::seconds pause{};  // as requested by the receiver
    std::uint64_t rejected = 0;    // spans refused within an accepted request
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
  std::string fields_;          // header fields of each request
  std::string before_;          // the text before the spans
  std::deque<Batch> batches_;   // queued; the last one grows
  std::size_t octets_ = 0;      // of all but the last
  std::uint64_t gathered_ = 0;  // spans in all of them
  std::uint64_t sent_ = 0, dropped_ = 0, failed_ = 0;
  std::int64_t clock_offset_ = 0;
  bool gathering_ = false;  // waiting for more spans
  bool stopping_ = false, failing_ = false;
};

}  // namespace parley::chassis
