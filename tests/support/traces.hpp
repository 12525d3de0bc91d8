#pragma once
// A trace collector: an HTTP server on its own thread that accepts OTLP's JSON, stores the spans, and can misbehave.
#include <atomic>
#include <boost/json/value.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "common/http/loop.hpp"
#include "common/http/server.hpp"

namespace parley::support {

struct ReceivedSpan {
  std::string service, instance;
  std::string trace, id, parent, name, state;
  std::int64_t kind = 0, flags = 0, status = 0;
  std::uint64_t start = 0, end = 0;
  std::map<std::string, std::string> attributes;
};

class TraceReceiver {
 public:
  TraceReceiver();
  ~TraceReceiver();
  TraceReceiver(const TraceReceiver&) = delete;
  TraceReceiver& operator=(const TraceReceiver&) = delete;

  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  // The response from now on; 0: none. Spans are stored only with 200.
  void answer_with(unsigned status, std::string head = {}, std::string body = "{}");

  std::vector<ReceivedSpan> spans() const;
  std::vector<ReceivedSpan> of_trace(std::string_view trace) const;
  // Waits up to 30 s until the spans of a trace are as wanted; returns them in any case.
  std::vector<ReceivedSpan> wait_for(std::string_view trace,
                                     const std::function<bool(const std::vector<ReceivedSpan>&)>& wanted) const;
  std::size_t requests() const;
  std::size_t max_at_once() const;
  // All bodies; and the header fields of the last request, "name: value\n" each.
  std::string bodies() const;
  std::string fields() const;
  // The requests' deviations from OTLP; expected to be empty.
  std::vector<std::string> faults() const;

 private:
  http::awaitable<http::Response> serve(http::Request& request);
  void take(const boost::json::value& body);
  void take_span(const boost::json::value& span, const std::string& service, const std::string& instance);
  void require(bool condition, const std::string& what);

  mutable std::mutex mutex_;
  std::vector<ReceivedSpan> spans_;
  std::vector<std::string> faults_;
  std::string bodies_, fields_, head_, body_;
  unsigned status_ = 200;
  std::size_t requests_ = 0, serving_ = 0, most_ = 0;
  http::Loop loop_;
  http::DeadlineSweeper wheel_{loop_};
  std::unique_ptr<http::Server> server_;
  unsigned short port_ = 0;
  std::thread thread_;
};

}  // namespace parley::support
