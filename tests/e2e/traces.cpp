// Traces of the running system, as whoever collects them gets them: connected over all processes, the same in the logs,
// without what is nobody's business, and harmless to requests whatever becomes of them.
#include "tests/support/traces.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <thread>

#include "common/model/trace.hpp"
#include "tests/e2e/channel_bed.hpp"

using namespace parley;
using namespace parley::e2e;
using namespace std::chrono_literals;
using support::ReceivedSpan;
using support::TraceReceiver;
using Spans = std::vector<ReceivedSpan>;

namespace {

constexpr int kServer = 2, kClient = 3;

std::string new_trace() {
  const auto text = model::TraceContext::begin().text();
  return std::string(model::TraceContext::trace_id(text));
}

// Of a caller who records its trace.
Headers traced(const std::string& trace, const std::string& flags = "01") {
  return {{"traceparent", "00-" + trace + "-00f067aa0ba902b7-" + flags}};
}

const ReceivedSpan* find(const Spans& spans, const std::string& service, int kind, const std::string& name) {
  const auto found = std::find_if(spans.begin(), spans.end(), [&](const auto& span) {
    return span.service == service && span.kind == kind && span.name == name;
  });
  return found == spans.end() ? nullptr : &*found;
}

// For TraceReceiver::wait_for.
auto has(std::string service, int kind, std::string name) {
  return [service = std::move(service), kind, name = std::move(name)](const Spans& spans) {
    return find(spans, service, kind, name) != nullptr;
  };
}

// "gateway is asked GET /x > gateway asks GET /x > contacts is asked ..": who asked whom, from the first on.
std::string way_of(const Spans& spans, const ReceivedSpan& span) {
  const auto caller = std::find_if(spans.begin(), spans.end(), [&](auto& other) { return other.id == span.parent; });
  const auto own = span.service + (span.kind == kServer ? " is asked " : " asks ") + span.name;
  return (caller == spans.end() ? "" : way_of(spans, *caller) + " > ") + own;
}

// A line each.
std::string ways_of(const Spans& spans) {
  std::vector<std::string> ways;
  for (const auto& span : spans) ways.push_back(way_of(spans, span));
  std::sort(ways.begin(), ways.end());
  std::string out;
  for (const auto& way : ways) out += way + "\n";
  return out;
}

struct Bed {
  explicit Bed(support::Environment more = {}) : system(settings(std::move(more))) {}
  support::SystemSettings settings(support::Environment more) {
    more.emplace_back("PARLEY_TRACES_URL", receiver.url());
    more.emplace_back("PARLEY_LOG_LEVEL", "debug");
    return {.environment = std::move(more)};
  }
  double count(const std::string& result) {
    double sum = 0;
    for (auto* component : system.all())
      if (component->name() != "simulator") sum += component->metric("traces_spans_total", "result=\"" + result + '"');
    return sum;
  }

  TraceReceiver receiver;
  System system;
  Organization organization = fill(system, "Traced", 12);
  Client client{system, organization.owner.api_key};
  std::string contact = "/api/contacts/" + organization.contacts[0];
};

// Two of them are enough: where all is recorded that begins, and where nothing is.
Bed& all_recorded() {
  static Bed bed;
  return bed;
}

// The lines of a log that tell of a trace: span id -> line.
std::map<std::string, boost::json::object> lines_of(const std::string& log, const std::string& trace) {
  std::map<std::string, boost::json::object> out;
  for (std::size_t at = 0; at < log.size();) {
    const auto end = std::min(log.find('\n', at), log.size());
    const auto line = log.substr(at, end - at);
    at = end + 1;
    if (line.find(trace) == line.npos) continue;
    auto json = boost::json::parse(line).as_object();
    const std::string span(json.at("span_id").as_string());
    out.emplace(span, std::move(json));
  }
  return out;
}

// The same, of a process, which writes its lines a moment after it answered: when there is one.
std::map<std::string, boost::json::object> lines_of(const support::Component& component, const std::string& trace) {
  std::map<std::string, boost::json::object> lines;
  wait_for("a line of the trace", [&] { return !(lines = lines_of(component.log(), trace)).empty(); });
  return lines;
}

}  // namespace

TEST_CASE("traces: a request that is composed of two services is one tree, and the logs have its ids") {
  Bed& bed = all_recorded();
  CHECK_EQ(bed.client.get(bed.contact).status, 200);  // who asks is known from now on
  const auto trace = new_trace();
  const auto headers = traced(trace);
  CHECK_EQ(bed.client.get(bed.contact + "?", headers).status, 200);
  const auto spans = bed.receiver.wait_for(trace, [](const Spans& s) { return s.size() >= 7; });

  const std::string gateway = "gateway is asked GET /api/contacts/{id}",
                    proxied = gateway + " > gateway asks GET /api/contacts/{id}",
                    contacts = proxied + " > contacts is asked GET /api/contacts/{id}",
                    asks = contacts + " > contacts asks GET /internal/conversations/of-contacts",
                    conversations = asks + " > conversations is asked GET /internal/conversations/of-contacts";
  CHECK_EQ(ways_of(spans), gateway + "\n" + proxied + "\n" + contacts + "\n" + asks + "\n" + conversations + "\n" +
                               conversations + " > conversations asks conversations.conversations.of_contact\n" +
                               contacts + " > contacts asks contacts.contacts.find\n");
  CHECK_EQ(bed.receiver.faults(), std::vector<std::string>{});

  const auto* const first = find(spans, "gateway", kServer, "GET /api/contacts/{id}");
  REQUIRE(first);
  CHECK_EQ(first->parent, "00f067aa0ba902b7");
  CHECK_EQ(first->flags & 0x301, 0x301);  // sampled, and its parent is in another process
  CHECK_EQ(first->attributes.at("http.request.method"), "GET");
  CHECK_EQ(first->attributes.at("http.route"), "/api/contacts/{id}");
  CHECK_EQ(first->attributes.at("http.response.status_code"), "200");
  CHECK_EQ(first->attributes.at("url.path"), bed.contact);
  CHECK_EQ(first->attributes.at("url.scheme"), "http");
  CHECK_EQ(first->attributes.at("parley.organization.id"), bed.organization.id);
  const auto* const asked = find(spans, "contacts", kClient, "GET /internal/conversations/of-contacts");
  REQUIRE(asked);
  CHECK_EQ(asked->attributes.at("server.address"), "127.0.0.1");
  CHECK_EQ(asked->attributes.at("server.port"), std::to_string(bed.system.conversations().port()));
  CHECK_EQ(asked->attributes.at("url.full"),
           bed.system.conversations().url() + "/internal/conversations/of-contacts");  // no query
  const auto* const query = find(spans, "contacts", kClient, "contacts.contacts.find");
  REQUIRE(query);
  CHECK_EQ(query->attributes.at("db.system.name"), "postgresql");
  CHECK_EQ(query->attributes.at("db.query.summary"), "contacts.contacts.find");
  for (const auto& span : spans) {
    CHECK_EQ(span.status, 0);
    const auto parent = std::find_if(spans.begin(), spans.end(), [&](auto& other) { return other.id == span.parent; });
    if (parent == spans.end()) continue;
    CHECK_GE(span.start + 50'000'000, parent->start);  // the clocks of two processes are set once a second
    if (span.service == parent->service) {
      CHECK_GE(span.start, parent->start);
      CHECK_LE(span.end, parent->end);
    }
  }

  for (const auto* service : {"gateway", "contacts", "conversations"}) {
    INFO(service);
    const auto lines = lines_of(bed.system.component(service, 0), trace);
    REQUIRE_EQ(lines.size(), 1);
    const auto* const served = &*std::find_if(
        spans.begin(), spans.end(), [&](const auto& span) { return span.service == service && span.kind == kServer; });
    CHECK_EQ(lines.begin()->first, served->id);
    CHECK_EQ(lines.begin()->second.at("route").as_string(), boost::json::string(served->attributes.at("http.route")));
  }
}

TEST_CASE("traces: many at once are each their own") {
  Bed& bed = all_recorded();
  constexpr int kThreads = 8, kRequests = 25;
  std::deque<std::pair<std::string, std::string>> traces;  // and what was asked for
  std::vector<std::thread> threads;
  const std::vector<std::string> targets{bed.contact, "/api/lists", "/api/contacts?per_page=3",
                                         "/api/conversation/" + bed.organization.conversations[1], "/api/tags"};
  for (const auto& target : targets) CHECK_EQ(bed.client.get(target).status, 200);  // totals are cached from now on
  for (int i = 0; i < kThreads * kRequests; ++i)
    traces.emplace_back(new_trace(), targets[std::size_t(i) % targets.size()]);
  std::atomic<int> wrong = 0;
  for (int thread = 0; thread < kThreads; ++thread)
    threads.emplace_back([&, thread] {
      for (int i = 0; i < kRequests; ++i) {
        const auto& [trace, target] = traces[std::size_t(thread * kRequests + i)];
        auto headers = traced(trace);
        headers.emplace_back("Authorization", "Bearer " + bed.organization.owner.api_key);
        Wire wire(bed.system.gateway().port());
        wire.send(support::request_text("GET", target, headers));
        const auto answer = wire.read();
        if (!answer || answer->status != 200) ++wrong;
      }
    });
  for (auto& thread : threads) thread.join();
  CHECK_EQ(wrong, 0);
  // What a request of each kind is, is what the first of its kind is: no span more, none less, none elsewhere.
  std::map<std::string, std::pair<std::string, std::size_t>> first;  // and how many spans these are
  for (const auto& [trace, target] : traces) {
    INFO(target);
    const auto known = first.find(target);
    if (known == first.end()) {
      auto spans = bed.receiver.wait_for(trace, [](const Spans& s) { return s.size() >= 4; });
      if (first.empty()) std::this_thread::sleep_for(3s);  // what processes gather is sent after a second
      spans = bed.receiver.of_trace(trace);
      CHECK_GE(spans.size(), 4);
      first[target] = {ways_of(spans), spans.size()};
      continue;
    }
    const auto& [ways, count] = known->second;
    const auto spans = bed.receiver.wait_for(trace, [&](const Spans& s) { return s.size() >= count; });
    REQUIRE_EQ(ways_of(spans), ways);
    for (const auto& span : spans)
      if (span.parent != "00f067aa0ba902b7")
        CHECK(std::any_of(spans.begin(), spans.end(), [&](auto& other) { return other.id == span.parent; }));
  }
  CHECK_EQ(bed.receiver.faults(), std::vector<std::string>{});
}

TEST_CASE("traces: what changes something has its transaction, what fails says so, and state travels") {
  Bed& bed = all_recorded();
  const auto trace = new_trace();
  auto headers = traced(trace);
  headers.emplace_back("tracestate", "rojo=00f067aa0ba902b7, congo=t61");
  CHECK_EQ(bed.client.post("/api/lists", R"({"name":"Someone's name","description":"A description"})", headers).status,
           201);
  const auto spans = bed.receiver.wait_for(trace, has("contacts", kServer, "POST /api/lists"));
  const auto* const served = find(spans, "contacts", kServer, "POST /api/lists");
  REQUIRE(served);
  CHECK_EQ(served->state, "rojo=00f067aa0ba902b7, congo=t61");
  const auto written = std::count_if(spans.begin(), spans.end(), [&](const auto& span) {
    return span.parent == served->id && span.attributes.contains("db.system.name") &&
           span.attributes.at("db.client.connection.pool.name") == "write";
  });
  CHECK_GE(written, 1);

  const auto unknown = new_trace();
  CHECK_EQ(bed.client.get("/api/contacts/" + model::new_uuid().text(), traced(unknown)).status, 404);
  const auto missing = bed.receiver.wait_for(unknown, has("gateway", kServer, "GET /api/contacts/{id}"));
  const auto* const asked = find(missing, "gateway", kClient, "GET /api/contacts/{id}");
  const auto* const answered = find(missing, "gateway", kServer, "GET /api/contacts/{id}");
  REQUIRE((asked && answered));
  CHECK_EQ(asked->status, 2);  // to who asked it is a failure, to who answers it is none
  CHECK_EQ(asked->attributes.at("error.type"), "404");
  CHECK_EQ(answered->status, 0);

  bed.system.contacts().kill();
  bed.client.may_fail = true;
  const auto broken = new_trace();
  CHECK_EQ(bed.client.get(bed.contact, traced(broken)).status, 503);
  const auto refused = bed.receiver.wait_for(broken, has("gateway", kServer, "GET /api/contacts/{id}"));
  const auto* const call = find(refused, "gateway", kClient, "GET /api/contacts/{id}");
  const auto* const told = find(refused, "gateway", kServer, "GET /api/contacts/{id}");
  REQUIRE((call && told));
  CHECK_EQ(call->attributes.at("error.type"), "refused");
  CHECK_EQ(told->attributes.at("error.type"), "503");
  CHECK_EQ(told->status, 2);
  bed.client.may_fail = false;
  bed.system.contacts().start();
}

TEST_CASE(
    "traces: nothing in them is a number, a name, a word, a key or a token, also not of what goes to the channel") {
  Bed& bed = all_recorded();
  const std::string number = "4917612345678", wamid = "wamid.of.a.trace";
  CHECK_EQ(bed.client.post("/api/contacts", R"({"name":"Zaphod Beeblebrox","phone":"+)" + number + "\"}").status, 201);
  CHECK_EQ(bed.client.get("/api/contacts?search=Beeblebrox").status, 200);
  Channel channel(bed.system, "Heart of Gold", "200000000000301");
  channel.deliver(channel.body({Channel::text(number, wamid, "Where is my towel?")}));
  wait_for("the conversation is there", [&] { return !channel.conversation(number).is_null(); });
  const std::string conversation(channel.conversation(number).at("uniqueId").as_string());
  CHECK_EQ(channel.client()
               .post("/api/conversation/" + conversation + "/messages",
                     R"({"messageType":"Text","messageData":{"text":"On your shoulder"}})")
               .status,
           201);
  Spans all;
  wait_for("the message's span", [&] {
    all = bed.receiver.spans();
    return find(all, "conversations-dispatch", kClient, "POST /{id}/messages") != nullptr;
  });
  // A link's code stands for whom it was sent to, whatever is done with it.
  const std::string code = "cOdEoFaLiNk";
  for (const std::string method : {"GET", "POST", "BREW"}) {
    Wire wire(bed.system.gateway().port());
    wire.send(support::request_text(method, "/l/" + code));
    CHECK_GE(wire.read().value().status, 400);
  }
  wait_for("what was refused", [&] {
    all = bed.receiver.spans();
    return std::count_if(all.begin(), all.end(), [](const auto& span) {
             const auto path = span.attributes.find("url.path");
             return span.service == "gateway" && path != span.attributes.end() && path->second == "/l/{code}";
           }) == 3;
  });
  for (const auto* service : {"gateway", "conversations"})
    CHECK(bed.system.component(service, 0).log().find(code) == std::string::npos);
  for (const auto& span : all)
    if (span.parent.empty()) CHECK_EQ(span.flags & 0x200, 0);  // nobody's, so nobody else's
  const auto& sent = *find(all, "conversations-dispatch", kClient, "POST /{id}/messages");
  CHECK_EQ(sent.parent, "");  // whoever asked for it was answered long ago
  CHECK_EQ(sent.attributes.at("http.response.status_code"), "200");
  CHECK_EQ(sent.attributes.at("url.full"), bed.system.simulator().url() + "/v20.0/200000000000301/messages");
  const auto bodies = bed.receiver.bodies();
  const auto& key = bed.organization.owner.api_key;
  for (const std::string& secret :
       {number, number.substr(2), code, std::string("Beeblebrox"), std::string("towel"), std::string("shoulder"), key,
        key.substr(key.rfind('_') - 20, 20), std::string("Bearer"), System::app_secret()}) {
    INFO(secret);
    CHECK(bodies.find(secret) == bodies.npos);
  }
  CHECK(bodies.find("service.name") != bodies.npos);
}

#if __has_feature(address_sanitizer)
constexpr double kMaxMemory = 512 << 20;  // it keeps what was freed for a while, to see whether somebody still uses it
#else
constexpr double kMaxMemory = 96 << 20;
#endif

TEST_CASE(
    "traces: what a caller does not record is not recorded, what it does is; a receiver that fails costs "
    "nobody anything") {
  Bed bed({{"PARLEY_TRACES_SAMPLE", "0"}});
  const auto silent = new_trace(), loud = new_trace();
  const auto quiet = traced(silent, "00"), recorded = traced(loud);
  CHECK_EQ(bed.client.get(bed.contact).status, 200);
  CHECK_EQ(bed.client.get(bed.contact, quiet).status, 200);
  CHECK_EQ(bed.client.get(bed.contact, {{"traceparent", "00-not-sound-01"}}).status, 200);
  CHECK_EQ(bed.client.get(bed.contact, recorded).status, 200);
  CHECK_EQ(bed.receiver.wait_for(loud, [](const Spans& s) { return s.size() >= 7; }).size(), 7);
  for (const auto& span : bed.receiver.spans()) CHECK_EQ(span.trace, loud);
  // The ids are in the logs all the same.
  CHECK_EQ(lines_of(bed.system.gateway(), silent).size(), 1);
  CHECK_EQ(lines_of(bed.system.conversations(), silent).size(), 1);

  // More than there is room for, and nobody takes it.
  bed.receiver.answer_with(503);
  const auto ask = [&](int times) {
    for (int i = 0; i < times; ++i) {
      const auto answer = bed.client.get(bed.contact, recorded);
      CHECK_EQ(answer.status, 200);
      CHECK_FALSE(answer.has("Parley-Degraded"));
    }
  };
  for (int i = 0; i < 20 && bed.count("dropped") == 0; ++i) ask(200);
  CHECK_GT(bed.count("dropped"), 0);
  CHECK_LT(bed.system.contacts().metric("process_resident_memory_bytes"), kMaxMemory);
  CHECK(bed.system.contacts().log().find("traces cannot be delivered") != std::string::npos);

  // It is back: the last ones come when the processes end.
  bed.receiver.answer_with(200);
  const auto last = new_trace();
  const auto recorded_last = traced(last);
  for (int i = 0; i < 300 && bed.system.contacts().log().find("traces are delivered again") == std::string::npos; ++i)
    std::this_thread::sleep_for(100ms);
  CHECK_EQ(bed.client.get(bed.contact, recorded_last).status, 200);
  for (auto* component : bed.system.all()) component->ask_to_end();
  for (auto* component : bed.system.all()) CHECK_EQ(component->wait_for_end(), 0);
  CHECK_EQ(bed.receiver.of_trace(last).size(), 7);
  CHECK_EQ(bed.receiver.faults(), std::vector<std::string>{});
}

TEST_CASE("traces: off, nothing is sent, shown or asked for, and ids travel as ever") {
  System& system = world().system;
  const auto trace = new_trace();
  Client client(system, world().a.owner.api_key);
  CHECK_EQ(client.get("/api/contacts/" + world().a.contacts[0], traced(trace)).status, 200);
  for (int i = 0; i < 100 && lines_of(system.gateway().log(), trace).empty(); ++i) std::this_thread::sleep_for(50ms);
  CHECK_EQ(lines_of(system.gateway().log(), trace).size(), 1);
  Wire wire(system.contacts().admin_port());
  wire.send(support::request_text("GET", "/metrics"));
  const auto metrics = wire.read();
  REQUIRE(metrics);
  CHECK(metrics->body.find("traces_spans_total") == std::string::npos);
}
