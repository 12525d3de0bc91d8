// Spans on their way to a receiver that takes them, refuses, hangs or is not there.
#include "common/chassis/log.hpp"
#include "common/chassis/metrics.hpp"
#include "common/chassis/tracing.hpp"
#include "tests/integration/http_bed.hpp"
#include "tests/support/loopback.hpp"
#include "tests/support/traces.hpp"

namespace {

using namespace parley;
using namespace parley::http_tests;
using support::TraceReceiver;

const model::TraceContext kContext{0x0af7651916cd43dd, 0x8448eb211c80319c, 0xb7ad6b7169203331, 1};
const std::string kTrace = "0af7651916cd43dd8448eb211c80319c";

constexpr int kBatch = 512;  // goes at once, where fewer wait a second for more

// A tracer on a loop of its own.
struct Bed {
  explicit Bed(const std::string& url, std::string headers = {})
      : tracer(loop, wheel, {url + "/v1/traces", 1, std::move(headers)}, "test", "1.2", metrics, log) {
    boost::asio::co_spawn(loop, tracer.run(), [](std::exception_ptr error) { CHECK_FALSE(error); });
  }
  ~Bed() { loop.end(); }

  void make(int spans, const std::string& name = "span") {
    for (int i = 0; i < spans; ++i)
      tracer.span({.kind = chassis::SpanKind::client, .name = name, .context = kContext.child(), .parent = 1});
  }
  double count(const std::string& result) {
    const auto text = metrics.scrape();
    const auto key = "traces_spans_total{result=\"" + result + "\"} ";
    const auto at = text.find(key);
    return at == text.npos ? -1 : std::stod(text.substr(at + key.size()));
  }
  void turn_until(const std::function<bool()>& condition) {
    const auto limit = std::chrono::steady_clock::now() + 30s;
    while (!condition()) {
      REQUIRE(std::chrono::steady_clock::now() < limit);
      loop.run_for(5ms);
      loop.restart();
    }
  }
  void stop() {
    bool stopped = false;
    boost::asio::co_spawn(loop, tracer.stop(), [&](std::exception_ptr) { stopped = true; });
    turn_until([&] { return stopped; });
  }

  http::Loop loop;
  http::DeadlineSweeper wheel{loop};
  chassis::Metrics metrics;
  chassis::Log log{"test", chassis::Level::error};
  chassis::Tracer tracer;
};

}  // namespace

TEST_CASE("what gathers is sent together, with the fields that were asked for, as OTLP has it") {
  TraceReceiver receiver;
  Bed bed(receiver.url(), "Authorization: Bearer x\r\n");
  bed.make(100);
  bed.turn_until([&] { return bed.count("sent") == 100; });
  CHECK(receiver.requests() == 1);
  CHECK(receiver.faults().empty());
  CHECK(receiver.fields().find("Authorization: Bearer x\n") != std::string::npos);
  CHECK(receiver.fields().find("User-Agent: parley/1.2\n") != std::string::npos);
  const auto spans = receiver.of_trace(kTrace);
  REQUIRE(spans.size() == 100);
  CHECK(spans[0].service == "test");
  CHECK(spans[0].parent == "0000000000000001");
  bed.make(1, "another");
  bed.turn_until([&] { return bed.count("sent") == 101; });
  CHECK(receiver.of_trace(kTrace).back().name == "another");
  CHECK(receiver.of_trace(kTrace).back().instance == spans[0].instance);
  CHECK(bed.count("failed") == 0);
  CHECK(bed.count("dropped") == 0);
}

TEST_CASE("what has gathered meanwhile is sent in parts") {
  TraceReceiver receiver;
  Bed bed(receiver.url());
  bed.make(2 * kBatch + 1);
  bed.turn_until([&] { return bed.count("sent") == 2 * kBatch + 1; });
  CHECK(receiver.requests() == 3);
  CHECK(receiver.of_trace(kTrace).size() == 2 * kBatch + 1);
  CHECK(receiver.faults().empty());
}

TEST_CASE("a receiver that asks to be asked later gets the same again, and no more at once") {
  TraceReceiver receiver;
  Bed bed(receiver.url());
  for (const unsigned status : {503U, 429U, 502U, 504U}) {
    INFO(status);
    const auto before = receiver.requests();
    const auto sent = bed.count("sent");
    receiver.answer_with(status, "Retry-After: 1\r\n");
    bed.make(kBatch);
    bed.turn_until([&] { return receiver.requests() == before + 1; });
    receiver.answer_with(200);
    bed.make(kBatch);
    bed.turn_until([&] { return bed.count("sent") == sent + 2 * kBatch; });
  }
  CHECK(receiver.of_trace(kTrace).size() == 8 * kBatch);
  CHECK(receiver.max_at_once() == 1);
  CHECK(receiver.faults().empty());
  CHECK(bed.count("failed") == 0);
}

TEST_CASE("what would be refused again is not sent again; what was rejected of it counts as failed") {
  TraceReceiver receiver;
  Bed bed(receiver.url());
  for (const unsigned status : {400U, 401U, 404U, 413U, 500U}) {
    const auto failed = bed.count("failed");
    receiver.answer_with(status);
    bed.make(kBatch);
    bed.turn_until([&] { return bed.count("failed") == failed + kBatch; });
  }
  CHECK(receiver.requests() == 5);
  // A 64-bit integer is a string in protobuf's JSON, and not with everybody.
  const auto sent_of = [&](const std::string& answer) {
    const auto sent = bed.count("sent"), all = sent + bed.count("failed");
    receiver.answer_with(200, "", answer);
    bed.make(kBatch);
    bed.turn_until([&] { return bed.count("sent") + bed.count("failed") == all + kBatch; });
    return bed.count("sent") - sent;
  };
  CHECK(sent_of(R"({"partialSuccess":{"rejectedSpans":"3","errorMessage":"too old"}})") == kBatch - 3);
  CHECK(sent_of(R"({"partialSuccess":{"rejectedSpans":2}})") == kBatch - 2);
  CHECK(sent_of(R"({"partialSuccess":{"rejectedSpans":"99999"}})") == 0);
  CHECK(sent_of(R"({"partialSuccess":{"errorMessage":"a warning"}})") == kBatch);
  CHECK(sent_of(R"({"partialSuccess":null})") == kBatch);
  CHECK(sent_of("no JSON") == kBatch);
}

TEST_CASE("a receiver that hangs costs a bounded queue, and the end of a process 3 seconds") {
  TraceReceiver receiver;
  receiver.answer_with(0);
  Bed bed(receiver.url());
  bed.make(600);
  bed.turn_until([&] { return receiver.requests() == 1; });
  bed.make(10'000);
  CHECK(bed.count("dropped") == 600 - kBatch + 10'000 - 4'096);
  const auto begin = std::chrono::steady_clock::now();
  bed.stop();
  CHECK(std::chrono::steady_clock::now() - begin < 10s);
  CHECK(receiver.max_at_once() == 1);
  CHECK(bed.count("sent") == 0);
}

TEST_CASE("a receiver that is not there keeps nobody from ending") {
  const auto nowhere = "http://127.0.0.1:" + std::to_string(support::free_port());
  Bed bed(nowhere);
  bed.make(10);
  bed.stop();
  CHECK(bed.count("failed") == 10);
}

TEST_CASE("the end of a process sends the rest") {
  TraceReceiver receiver;
  Bed bed(receiver.url());
  bed.make(3);
  bed.stop();
  CHECK(receiver.of_trace(kTrace).size() == 3);
  CHECK(bed.count("sent") == 3);
  CHECK(receiver.requests() == 1);
}
