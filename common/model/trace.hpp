#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace parley::model {

// A span's position in a trace: the content of `traceparent` (W3C Trace Context, level 2).
struct TraceContext {
  static constexpr unsigned char kSampled = 1;  // it is recorded, or may be
  static constexpr unsigned char kRandom = 2;   // the trace's id is random, its last 56 bits at least
  using Text = std::array<char, 55>;

  std::uint64_t trace_high = 0, trace_low = 0, span = 0;  // all 0: no trace
  unsigned char flags = 0;

  // Returns nullopt for an invalid value. Of a future version only the known parts are read.
  static std::optional<TraceContext> parse(std::string_view traceparent);
  // The first span of a new trace, not sampled.
  static TraceContext begin();
  // Another span of this trace.
  TraceContext child() const;

  explicit operator bool() const { return span != 0; }
  bool sampled() const { return (flags & kSampled) != 0; }
  bool operator==(const TraceContext&) const = default;

  // The field's value, and where the ids are in it.
  Text text() const;
  static std::string_view trace_id(const Text& text) { return {text.data() + 3, 32}; }
  static std::string_view span_id(const Text& text) { return {text.data() + 36, 16}; }
};

// The sixteen hexadecimal digits of a span's id.
void append_hex(std::string& out, std::uint64_t number);

// Whether a text is a valid `tracestate` of at most 512 octets; its content is not interpreted.
bool is_tracestate(std::string_view text);

// Whose work is being done right now: the request's span if it is recorded, none otherwise. A coroutine does not keep
// it over its waits by itself. Whoever resumes it does so InTrace, with what was current when it began to wait; after
// a wait for a socket or a timer, which nobody of ours resumes, it is none, and http::resume_in brings it back. So it
// can be lost, but never be another's.
inline constinit thread_local TraceContext current_trace{};

// For as long as it lives, within one function: no co_await in between.
class InTrace {
 public:
  explicit InTrace(const TraceContext& trace) : before_(current_trace) { current_trace = trace; }
  ~InTrace() { current_trace = before_; }
  InTrace(const InTrace&) = delete;
  InTrace& operator=(const InTrace&) = delete;

 private:
  TraceContext before_;
};

}  // namespace parley::model
