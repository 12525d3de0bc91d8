#include "common/chassis/trace_exporter.hpp"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/deferred.hpp>
#include <charconv>
#include <random>

#include "common/chassis/log.hpp"
#include "common/chassis/metrics.hpp"
#include "common/chassis/tracing.hpp"
#include "common/model/json.hpp"
#include "common/model/uuid.hpp"

namespace parley::chassis {

namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

constexpr auto kGatherTime = 1s;
constexpr std::uint64_t kBatch = 512;  // a full batch is sent at once; further spans go into the next one
constexpr std::uint64_t kMaxSpans = 4096;
constexpr std::size_t kMaxOctets = 4 << 20;
constexpr auto kAnswerTime = 10s;  // for the response's head, and again for the body
constexpr auto kStopTime = 3s;
constexpr int kTries = 5;
constexpr std::chrono::milliseconds kFirstPause{1000};  // doubles each time
constexpr std::chrono::seconds kMaxPause{30};
constexpr std::string_view kAfter = "]}]}]}";

http::UpstreamSettings upstream_settings(const TracingSettings& settings) {
  http::UpstreamSettings out{.url = settings.url, .answer_limit = 64 << 10, .tls_ca_file = {}};
  out.answer_time = kAnswerTime;
  out.in_flight = 1;
  out.queue = 0;
  out.idle = 1;
  return out;
}

void append_attribute(std::string& out, std::string_view key, std::string_view value) {
  if (out.back() == '}') out += ',';
  out.append(R"({"key":")").append(key).append(R"(","value":{"stringValue":)");
  model::write(out, value);
  out += "}}";
}

// Replicas and restarted processes are separate instances.
std::string text_before(std::string_view service, std::string_view version) {
  std::string out = R"({"resourceSpans":[{"resource":{"attributes":[)";
  append_attribute(out, "service.name", service);
  append_attribute(out, "service.namespace", "parley");
  append_attribute(out, "service.version", version);
  append_attribute(out, "service.instance.id", model::new_uuid().text());
  out += R"(]},"scopeSpans":[{"scope":{"name":"parley","version":)";
  model::write(out, version);
  out += R"(},"spans":[)";
  return out;
}

// Reads a successful response: {"partialSuccess":{"rejectedSpans":"3","errorMessage":".."}}. Protobuf's JSON writes a
// 64-bit integer as a string; a number is accepted, too.
std::uint64_t rejected_in(std::string_view body) {
  model::Fault fault;
  const auto answer = model::parse(body, fault);
  const auto* const object = answer ? answer->if_object() : nullptr;
  const auto* const partial = object ? object->if_contains("partialSuccess") : nullptr;
  const auto* const count =
      partial && partial->is_object() ? partial->get_object().if_contains("rejectedSpans") : nullptr;
  if (!count) return 0;
  if (const auto* const number = count->if_int64())
    return static_cast<std::uint64_t>(std::max<std::int64_t>(*number, 0));
  std::uint64_t out = 0;
  if (const auto* const text = count->if_string()) std::from_chars(text->data(), text->data() + text->size(), out);
  return out;
}

// Adds up to half, so that processes which failed together do not retry together.
std::chrono::milliseconds with_jitter(std::chrono::milliseconds pause) {
  thread_local std::minstd_rand random{std::random_device{}()};
  return pause + std::chrono::milliseconds(std::uniform_int_distribution<int>(0, int(pause.count() / 2))(random));
}

std::chrono::seconds pause_of(std::string_view retry_after) {
  unsigned seconds = 0;
  const auto [end, error] = std::from_chars(retry_after.data(), retry_after.data() + retry_after.size(), seconds);
  if (error != std::errc{} || end != retry_after.data() + retry_after.size()) return {};
  return std::min(std::chrono::seconds(seconds), kMaxPause);
}

}  // namespace

TraceExporter::TraceExporter(asio::io_context& context, http::DeadlineSweeper& wheel, const TracingSettings& settings,
                             std::string_view service, std::string_view version, Metrics& metrics, Log& log)
    : log_(log),
      client_(context, wheel, upstream_settings(settings)),
      timer_(context),
      before_(text_before(service, version)),
      batches_(1, Batch{before_}) {
  fields_.append("Content-Type: application/json\r\nUser-Agent: parley/").append(version).append("\r\n");
  fields_ += settings.headers;
  set_clock();
  const auto count = [&](const char* result, const std::uint64_t& value) {
    metrics.counter_from("traces_spans_total", "Spans, by whether the receiver of traces has them",
                         {{"result", result}}, [&value] { return double(value); });
  };
  count("sent", sent_);
  count("dropped", dropped_);
  count("failed", failed_);
}

void TraceExporter::set_clock() {
  using namespace std::chrono;
  clock_offset_ = duration_cast<nanoseconds>(system_clock::now().time_since_epoch()).count() -
                  duration_cast<nanoseconds>(steady_clock::now().time_since_epoch()).count();
}

std::string* TraceExporter::room() {
  if (gathered_ == kMaxSpans || octets_ + batches_.back().text.size() >= kMaxOctets) {
    ++dropped_;
    return nullptr;
  }
  if (batches_.back().spans == kBatch) {
    octets_ += batches_.back().text.size();
    batches_.push_back({before_});
  }
  auto& batch = batches_.back();
  if (batch.spans++ > 0) batch.text += ',';
  if (++gathered_ == kBatch && gathering_) timer_.cancel();
  return &batch.text;
}

// Takes the oldest batch.
TraceExporter::Batch TraceExporter::take() {
  Batch batch = std::move(batches_.front());
  batches_.pop_front();
  gathered_ -= batch.spans;
  if (batches_.empty())
    batches_.push_back({before_});
  else
    octets_ -= batch.text.size();
  batch.text += kAfter;
  return batch;
}

awaitable<void> TraceExporter::wait(std::chrono::milliseconds time) {
  timer_.expires_after(time);
  co_await timer_.async_wait(asio::as_tuple(asio::deferred));
}

awaitable<void> TraceExporter::run() {
  const auto running = running_.enter();
  while (!stopping_ || gathered_ > 0) {
    if (!stopping_ && gathered_ < kBatch) {
      gathering_ = true;
      co_await wait(kGatherTime);
      gathering_ = false;
    }
    set_clock();
    if (gathered_ == 0) continue;
    const auto batch = take();
    co_await deliver(batch);
  }
}

// A receiver that did not respond may have taken the batch and gets it again: receivers deduplicate spans by id.
awaitable<void> TraceExporter::deliver(const Batch& batch) {
  Verdict verdict;
  auto pause = kFirstPause;
  for (int tries = 1; tries <= kTries; ++tries) {
    verdict = co_await post(batch.text);
    if (verdict.accepted || !verdict.again || stopping_ || tries == kTries) break;
    note(verdict.error);
    co_await wait(with_jitter(std::max<std::chrono::milliseconds>(pause, verdict.pause)));
    pause *= 2;
  }
  note(verdict.error);
  const auto taken = verdict.accepted ? batch.spans - std::min(batch.spans, verdict.rejected) : 0;
  sent_ += taken;
  failed_ += batch.spans - taken;
}

awaitable<TraceExporter::Verdict> TraceExporter::post(const std::string& body) {
  http::ClientRequest request{
      .method = http::Method::post, .target = {}, .head = fields_, .body = body, .replayable = true};
  Verdict verdict;
  try {
    verdict = co_await exchange(std::move(request));
  } catch (...) {
    verdict = {.again = true, .error = async::words_of(std::current_exception())};
  }
  co_return verdict;
}

awaitable<TraceExporter::Verdict> TraceExporter::exchange(http::ClientRequest request) {
  const auto exchange = co_await client_.open(std::move(request));
  const auto status = exchange->status();
  const std::string after(
      http::find_field(exchange->fields(), "Retry-After"));  // copied, as reading the body overwrites the fields
  std::string body;
  const auto end = http::Clock::now() + kAnswerTime;
  for (bool more = true; more;) {
    const auto piece = co_await exchange->next();
    if (http::Clock::now() > end)
      throw http::Unreachable(http::Unreachable::Why::timeout, "the answer comes in drops", false);
    body += piece;
    more = !piece.empty();
  }
  if (status >= 200 && status < 300) {
    const auto rejected = rejected_in(body);
    co_return Verdict{.accepted = true, .rejected = rejected, .error = rejected > 0 ? "some were rejected" : ""};
  }
  // The statuses that OTLP calls retryable; others would be refused again.
  const bool again = status == 429 || status == 502 || status == 503 || status == 504;
  co_return Verdict{.again = again, .pause = pause_of(after), .error = "status " + std::to_string(status)};
}

// Logs once when failures begin, and once when they end.
void TraceExporter::note(const std::string& error) {
  if (failing_ == !error.empty()) return;
  failing_ = !error.empty();
  if (failing_)
    log_.warn("traces cannot be delivered").with("error", error);
  else
    log_.info("traces are delivered again");
}

awaitable<void> TraceExporter::stop() {
  stopping_ = true;
  timer_.cancel();
  const bool ended = co_await running_.join(http::Clock::now() + kStopTime);
  if (!ended) log_.warn("traces were left behind");
}

}  // namespace parley::chassis
