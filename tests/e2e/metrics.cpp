// What every process shows to Prometheus, on a running system: sound as promtool says, all that is promised, closed
// sets of labels from their start, and nothing in a label that grows with tenants.
#include <algorithm>
#include <boost/json/serialize.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>

#include "tests/e2e/campaign_bed.hpp"
#include "tests/support/signing.hpp"

using namespace parley;
using namespace parley::e2e;

namespace {

struct Bed {
  System system;
  CampaignScene first{system, "Measured", "200000000000901"};
};
Bed& bed() {
  static Bed the_bed;
  return the_bed;
}

// ---- reading

// All that Prometheus would scrape, or the replicas of one program.
std::vector<support::Component*> processes(const std::string& name = {}) {
  auto out = bed().system.all();
  std::erase_if(out,
                [&](auto* each) { return each->name() == "simulator" || (!name.empty() && each->name() != name); });
  return out;
}

Answer scrape(const support::Component& process) {
  Wire wire(process.admin_port());
  wire.send(support::request_text("GET", "/metrics"));
  return wire.read().value();
}

struct Sample {
  std::string family;  // with its _bucket, _sum or _count
  std::map<std::string, std::string> labels;
  double value = 0;
};
// By what stands before the value: name{label="value",...}.
using Samples = std::map<std::string, Sample>;

Samples read(const std::string& text) {
  static const std::regex line(R"re(([a-z_0-9]+)(?:\{(.*)\})? (\S+))re"), label(R"re(([a-z_]+)="([^"]*)")re");
  Samples out;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = text.find('\n', at);
    const auto one = text.substr(at, end - at);
    at = end + 1;
    if (one.starts_with('#')) continue;
    std::smatch parts;
    REQUIRE_MESSAGE(std::regex_match(one, parts, line), one);
    Sample sample{parts[1], {}, std::stod(parts[3])};
    const std::string labels = parts[2];
    for (std::sregex_iterator each(labels.begin(), labels.end(), label), last; each != last; ++each)
      sample.labels.emplace((*each)[1], (*each)[2]);
    const bool is_new = out.emplace(one.substr(0, one.rfind(' ')), std::move(sample)).second;
    CHECK_MESSAGE(is_new, one, " is there twice");
  }
  return out;
}

Samples samples_of(const support::Component& process) { return read(scrape(process).body); }

double sum(const std::string& process, const std::string& family,
           const std::map<std::string, std::string>& labels = {}) {
  double out = 0;
  for (const auto* replica : processes(process))
    for (const auto& [series, sample] : samples_of(*replica))
      if (sample.family == family &&
          std::includes(sample.labels.begin(), sample.labels.end(), labels.begin(), labels.end()))
        out += sample.value;
  return out;
}

std::set<std::string> families_of(const std::string& text) {
  std::set<std::string> out;
  for (std::size_t at = text.find("# TYPE "); at != text.npos; at = text.find("# TYPE ", at + 1))
    out.insert(text.substr(at + 7, text.find(' ', at + 7) - at - 7));
  return out;
}

// What `promtool check metrics` says, "" when it is content.
std::string lint(const std::string& text) {
  const auto path = std::filesystem::temp_directory_path() / ("parley-lint-" + std::to_string(::getpid()));
  FILE* const tool = ::popen(("promtool check metrics >" + path.string() + " 2>&1").c_str(), "w");
  REQUIRE(tool);
  std::fwrite(text.data(), 1, text.size(), tool);
  const int status = ::pclose(tool);
  std::ifstream file(path);
  std::string said{std::istreambuf_iterator<char>(file), {}};
  std::filesystem::remove(path);
  return status == 0 && said.empty() ? "" : "status " + std::to_string(status) + ": " + said;
}

// ---- what is promised

// Every combination of the values, as the text of a series; labels in alphabetical order.
std::vector<std::string> series(const std::string& family,
                                const std::vector<std::pair<std::string, std::vector<std::string>>>& labels) {
  std::vector<std::string> out{family + "{"};
  for (const auto& [name, values] : labels) {
    std::vector<std::string> longer;
    for (const auto& begun : out)
      for (const auto& value : values)
        longer.push_back(begun + (begun.ends_with('{') ? "" : ",") + name + "=\"" + value + "\"");
    out = std::move(longer);
  }
  for (auto& each : out) each += "}";
  return out;
}

bool is_service(const std::string& process) { return process != "gateway" && process != "dispatcher"; }
bool has_port(const std::string& process) { return process != "dispatcher"; }
bool has_database(const std::string& process) { return process != "gateway"; }

std::set<std::string> expected_families(const std::string& process) {
  std::set<std::string> out{"build_info",
                            "process_start_time_seconds",
                            "process_resident_memory_bytes",
                            "process_cpu_seconds_total",
                            "process_open_fds",
                            "process_max_fds",
                            "event_loop_lag_seconds",
                            "load_shed_total"};
  if (has_port(process))
    out.insert({"http_requests_total", "http_request_duration_seconds", "http_requests_in_flight",
                "http_connections_open", "http_request_body_bytes", "http_response_body_bytes",
                "http_parse_errors_total", "http_handler_faults_total"});
  if (has_database(process))
    out.insert({"db_pool_connections", "db_pool_connections_max", "db_pool_waiters", "db_pool_wait_seconds",
                "db_query_duration_seconds", "db_batches_total", "db_pool_rejected_total", "db_errors_total",
                "db_retries_total", "db_server_connections", "db_server_connections_max"});
  if (process == "gateway" || process == "contacts")
    out.insert({"redis_up", "redis_commands_duration_seconds", "redis_commands_total", "redis_timeouts_total",
                "redis_refused_total", "redis_errors_total", "cache_requests_total"});
  if (process == "gateway") {
    out.insert({"gateway_upstream_requests_total", "gateway_upstream_duration_seconds", "gateway_upstream_in_flight",
                "gateway_upstream_queued", "gateway_retries_total", "gateway_retry_budget_exhausted_total",
                "gateway_circuit_state", "gateway_endpoint_ejected", "ratelimit_decisions_total", "gateway_callers"});
  } else {
    out.insert({"upstream_requests_total", "upstream_duration_seconds", "upstream_in_flight", "upstream_queued",
                "upstream_retries_total", "upstream_retry_budget_exhausted_total", "upstream_circuit_state",
                "upstream_endpoint_ejected"});
    if (process != "analytics") out.insert({"outbox_pending", "outbox_oldest_unpublished_timestamp_seconds"});
  }
  if (process == "contacts" || process == "conversations") out.insert("http_degraded_answers_total");
  if (is_service(process))
    out.insert({"event_consumer_processed_total", "event_consumer_lag_seconds", "event_consumer_parked"});
  if (process == "conversations" || process == "dispatcher")
    out.insert({"webhook_events_total", "cache_requests_total"});
  if (process == "conversations") out.insert("webhook_pending_bytes");
  if (process == "dispatcher")
    out.insert({"webhook_inbox_age_seconds", "webhook_parked_elements", "webhook_foreign_elements_total",
                "dispatch_messages_total", "dispatch_inflight", "dispatch_unknown", "dispatch_lease_expired_total",
                "dispatch_throttle_wait_seconds", "dispatch_queue_depth", "dispatch_oldest_due_timestamp_seconds"});
  return out;
}

// Of what there is a closed set, all of it is there before anything happened.
std::vector<std::string> expected_series(const std::string& process) {
  std::vector<std::string> out = series("load_shed_total", {{"reason", {"queue_full", "deadline", "concurrency"}}});
  const auto add = [&](const std::vector<std::string>& more) { out.insert(out.end(), more.begin(), more.end()); };
  const std::vector<std::string> outcomes{"ok", "timeout", "reset", "refused", "overloaded", "bad_answer"};
  const std::vector<std::string> results{"hit", "miss", "stale", "bypass", "error"};
  if (has_port(process)) {
    add(series("http_parse_errors_total",
               {{"reason",
                 {"bad_syntax", "folded_line", "head_too_large", "too_many_fields", "bad_target", "target_too_long",
                  "bad_framing", "bad_chunk", "body_too_large", "closed", "timeout"}}}));
    add(series("http_requests_total",
               {{"method", {"other"}}, {"route", {"unmatched"}}, {"status", {"500", "502", "503", "504"}}}));
  }
  if (has_database(process)) {
    const std::vector<std::string> pools{"read", "write", "slow"};
    add(series("db_pool_connections", {{"pool", pools}, {"state", {"idle", "active"}}}));
    add(series("db_errors_total", {{"class", {"08", "23", "40", "53", "55", "57"}}, {"pool", pools}}));
    add(series("db_pool_wait_seconds_count", {{"pool", pools}}));
    add(series("db_retries_total", {{"class", {"08", "0A", "40"}}}));
  }
  if (process == "gateway") {
    const std::vector<std::string> services{"contacts",
                                            "conversations",
                                            "organizations",
                                            "analytics",
                                            "conversations-streams",
                                            "organizations-verdicts",
                                            "contacts-uploads",
                                            "conversations-uploads",
                                            "conversations-webhooks",
                                            "conversations-webhook-uploads",
                                            "conversations-links",
                                            "organizations-sign-in"};
    add(series("gateway_upstream_requests_total", {{"outcome", outcomes}, {"service", services}}));
    add(series("gateway_circuit_state", {{"service", services}}));
    add(series("gateway_upstream_duration_seconds_count", {{"service", services}}));
    add(series("ratelimit_decisions_total",
               {{"decision", {"allow", "deny", "degraded"}}, {"policy", {"key", "address"}}}));
    add(series("cache_requests_total", {{"cache", {"verdicts"}}, {"result", results}}));
  }
  if (process == "contacts") {
    add(series("cache_requests_total", {{"cache", {"counts", "catalogue"}}, {"result", results}}));
    add(series("upstream_requests_total", {{"outcome", outcomes}, {"service", {"conversations"}}}));
    add(series("http_degraded_answers_total", {{"context", {"conversations"}}}));
    add(series("event_feed_acknowledged", {{"consumer", {"analytics", "conversations", "organizations"}}}));
  }
  if (process == "conversations") {
    add(series("http_degraded_answers_total", {{"context", {"contacts", "organizations", "channel"}}}));
    add(series("webhook_events_total", {{"kind", {"body"}}, {"result", {"accepted", "bad_signature"}}}));
  }
  if (process == "dispatcher") {
    add(series("webhook_events_total",
               {{"kind", {"message", "status"}}, {"result", {"accepted", "duplicate", "malformed", "foreign"}}}));
    add(series("webhook_foreign_elements_total", {{"kind", {"status", "revocation", "reference", "account"}}}));
    add(series("dispatch_messages_total",
               {{"class", {""}}, {"kind", {"Message"}}, {"result", {"sent", "failed", "unknown"}}}));
    add(series("dispatch_messages_total",
               {{"class", {"slow_number"}}, {"kind", {"Message"}}, {"result", {"rate_limited"}}}));
  }
  if (is_service(process))
    for (const std::string result : {"ok", "duplicate", "retry", "dead"})
      out.push_back("event_consumer_processed_total{consumer=\"" + process + "\",producer=\"" +
                    (process == "organizations" || process == "analytics" ? "contacts" : "organizations") +
                    "\",result=\"" + result + "\"}");
  return out;
}

// ---- what happens

// Calls of many kinds, inbound and outbound messages, and a campaign to twenty, all by one organization.
void live(CampaignScene& scene, int first) {
  auto client = scene.client();
  const auto list = scene.import_list("People", first, 20);
  const auto found = client.get("/api/contacts?search=Person&list_id=" + list).json().at("contacts").as_array();
  REQUIRE_EQ(found.size(), 20);
  const std::string contact = found[0].at("uniqueId").as_string().c_str();
  for (const std::string& target :
       {"/api/contacts?list_id=" + list, "/api/contacts?search=Person&list_id=" + list, "/api/contacts/" + contact,
        std::string("/api/lists"), std::string("/api/tags"), std::string("/api/organization"),
        std::string("/api/rbac/roles"), std::string("/api/conversations"), std::string("/api/analytics/campaigns"),
        std::string("/api/campaigns")})
    CHECK_EQ(client.get(target).status, 200);
  CHECK_EQ(client.get("/api/contacts/" + model::new_uuid().text()).status, 404);
  CHECK_EQ(client.get("/api/contacts?per_page=-1").status, 400);
  CHECK_EQ(client.get("/api/" + model::new_uuid().text()).status, 404);
  CHECK_EQ(client.post("/api/lists", "{").status, 400);
  const Headers key{{"Idempotency-Key", scene.channel().organization()}};
  for (int times = 0; times < 2; ++times) CHECK_EQ(client.post("/api/lists", R"({"name":"A list"})", key).status, 201);
  CHECK_EQ(Client(bed().system, "parley_" + scene.channel().organization()).get("/api/lists").status, 401);
  Wire wire(bed().system.gateway().port());
  wire.send("GET /api/contacts HTTP/1.1\r\nHost: x\r\nContent-Length : 5\r\n\r\n");
  CHECK_EQ(wire.read().value().status, 400);

  const auto& channel = scene.channel();
  const auto number = CampaignScene::number(first);
  CHECK_EQ(channel.post("{}", "sha256=00"), 401);
  const auto hello = channel.body({Channel::text(number, "wamid.M" + number, "Hello")});
  channel.deliver(hello);
  channel.deliver(hello);
  wait_for("a conversation", [&] { return scene.channel().conversation(number).is_object(); });
  const auto campaign = scene.start(scene.text_campaign({list}));
  scene.wait_for_status(campaign, "Finished");
  scene.wait_for_progress(campaign, "read", 20);
}

// The first organization's life, lived once.
void live_first() {
  static const bool lived = (live(bed().first, 0), true);
  CHECK(lived);
}

// What must be in no label: ids, numbers and names.
std::vector<std::string> secrets_of(CampaignScene& scene, int first) {
  std::vector<std::string> out{scene.channel().organization(), scene.channel().phone_number_id(), "Person", "Measured"};
  for (int n = first; n < first + 20; ++n) out.push_back(CampaignScene::number(n));
  for (const auto& [service, table] :
       {std::pair("contacts", "contact"), {"conversations", "campaign"}, {"organizations", "member"}})
    for (auto& id : bed().system.sql(service).column(std::string("SELECT id::text FROM ") + table))
      out.push_back(std::move(id));
  return out;
}

void check_labels(const support::Component& process, const std::vector<std::string>& secrets) {
  static const std::regex id("[0-9a-f]{8}-[0-9a-f]{4}|[0-9]{6}");
  for (const auto& [series, sample] : samples_of(process))
    for (const auto& [name, value] : sample.labels) {
      if (name == "le" || name == "commit") continue;
      bool tells = std::regex_search(value, id);
      for (const auto& secret : secrets) tells = tells || value.find(secret) != std::string::npos;
      CHECK_FALSE_MESSAGE(tells, process.name(), ": ", series);
    }
}

// The series of a process but those of queries, each of which appears when it first runs: some do by the clock. Their
// names are files' names.
std::set<std::string> bounded_series(const support::Component& process) {
  static const std::regex query(R"(ROLLBACK|[a-z_]+(\.[a-z_]+)+)");
  std::set<std::string> out;
  for (const auto& [series, sample] : samples_of(process)) {
    if (sample.labels.contains("query"))
      CHECK_MESSAGE(std::regex_match(sample.labels.at("query"), query), series);
    else
      out.insert(series);
  }
  return out;
}

}  // namespace

TEST_CASE("metrics: all families are there, and closed sets of labels whole, before anything happens") {
  for (const auto* component : processes()) {
    const auto& process = component->name();
    const auto answer = scrape(*component);
    INFO(process);
    CHECK_EQ(answer.status, 200);
    CHECK_EQ(answer.header("Content-Type"), "text/plain; version=0.0.4; charset=utf-8");
    const auto families = families_of(answer.body);
    for (const auto& family : expected_families(process)) CHECK_MESSAGE(families.contains(family), family);
    const auto samples = read(answer.body);
    for (const auto& each : expected_series(process)) CHECK_MESSAGE(samples.contains(each), each);
    for (const auto& family : families) {  // what it has not, it does not show
      INFO(family);
      CHECK((has_port(process) || !family.starts_with("http_")));
      CHECK((has_database(process) || !family.starts_with("db_")));
      CHECK((process == "gateway" || (!family.starts_with("gateway_") && !family.starts_with("ratelimit_"))));
      CHECK((process == "gateway" || process == "contacts" || process == "conversations" ||
             !family.starts_with("redis_")));
      CHECK((process == "dispatcher" || !family.starts_with("dispatch_")));
    }
    CHECK_GT(sum(process, "process_open_fds"), 3);
    CHECK_GE(sum(process, "process_max_fds"), sum(process, "process_open_fds"));
    CHECK_GT(sum(process, "event_loop_lag_seconds_count"), 0);
  }
}

TEST_CASE("metrics: what happens is counted where it happens") {
  live_first();
  CHECK_GE(sum("gateway", "http_requests_total", {{"route", "/api/contacts/{id}"}, {"status", "200"}}), 1);
  CHECK_GE(sum("gateway", "http_requests_total", {{"route", "unmatched"}, {"status", "404"}}), 1);
  CHECK_GE(sum("gateway", "http_requests_total", {{"status", "401"}}), 2);
  CHECK_GE(sum("gateway", "http_parse_errors_total"), 1);
  CHECK_GE(sum("gateway", "gateway_upstream_requests_total", {{"service", "contacts"}, {"outcome", "ok"}}), 5);
  CHECK_EQ(sum("gateway", "gateway_upstream_duration_seconds_count", {{"service", "contacts"}}),
           sum("gateway", "gateway_upstream_requests_total", {{"service", "contacts"}}));
  CHECK_GE(sum("gateway", "cache_requests_total", {{"result", "hit"}}), 10);
  CHECK_GE(sum("gateway", "ratelimit_decisions_total", {{"decision", "allow"}}), 10);
  CHECK_GE(sum("gateway", "http_request_body_bytes_sum"), 500);
  CHECK_GE(sum("gateway", "http_response_body_bytes_sum"), 10'000);
  CHECK_GE(sum("contacts", "cache_requests_total", {{"cache", "counts"}, {"result", "hit"}}), 1);
  CHECK_GE(sum("contacts", "cache_requests_total", {{"cache", "counts"}, {"result", "miss"}}), 1);
  CHECK_GE(sum("contacts", "cache_requests_total", {{"cache", "catalogue"}, {"result", "hit"}}), 1);
  CHECK_GE(sum("contacts", "redis_commands_duration_seconds_count"), 2);
  CHECK_GE(sum("contacts", "upstream_requests_total", {{"service", "conversations"}, {"outcome", "ok"}}), 1);
  CHECK_GE(sum("contacts", "db_query_duration_seconds_count"), 10);
  CHECK_GE(sum("contacts", "db_pool_wait_seconds_count", {{"pool", "write"}}), 2);
  CHECK_EQ(sum("contacts", "db_pool_connections_max", {{"pool", "write"}}), 8 * processes("contacts").size());
  CHECK_GT(sum("contacts", "db_server_connections"), processes("contacts").size());
  CHECK_GT(sum("contacts", "db_server_connections_max"), sum("contacts", "db_server_connections"));
  CHECK_GE(sum("conversations", "webhook_events_total", {{"kind", "body"}, {"result", "bad_signature"}}), 1);
  CHECK_GE(sum("conversations", "webhook_events_total", {{"kind", "body"}, {"result", "accepted"}}), 2);
  CHECK_GE(sum("dispatcher", "webhook_events_total", {{"kind", "message"}, {"result", "accepted"}}), 1);
  CHECK_GE(sum("dispatcher", "webhook_events_total", {{"kind", "message"}, {"result", "duplicate"}}), 1);
  CHECK_GE(sum("dispatcher", "webhook_events_total", {{"kind", "status"}, {"result", "accepted"}}), 20);
  CHECK_EQ(sum("dispatcher", "dispatch_messages_total", {{"kind", "Message"}, {"result", "sent"}}), 20);
  CHECK_GE(sum("dispatcher", "dispatch_throttle_wait_seconds_count"), 20);
  CHECK_GE(sum("dispatcher", "upstream_requests_total", {{"service", "channel"}, {"outcome", "ok"}}), 20);
  wait_for("analytics to hear of it", [] {
    return sum("analytics", "event_consumer_processed_total", {{"producer", "conversations"}, {"result", "ok"}}) > 0;
  });
}

TEST_CASE("metrics: Redis away and a service away are seen, and that they are back") {
  live_first();
  auto& system = bed().system;
  auto client = bed().first.client();
  client.may_fail = true;
  REQUIRE_EQ(client.get("/api/contacts?search=Person").status, 200);
  system.redis().kill();
  wait_for("its absence", [] { return sum("gateway", "redis_up") == 0 && sum("contacts", "redis_up") == 0; });
  CHECK_EQ(client.get("/api/contacts?search=Person").status, 200);
  CHECK_GE(sum("gateway", "ratelimit_decisions_total", {{"decision", "degraded"}}), 1);
  CHECK_GE(sum("contacts", "cache_requests_total", {{"result", "bypass"}}), 1);
  system.redis().start();
  wait_for("its return", [] {
    return sum("gateway", "redis_up") == double(processes("gateway").size()) &&
           sum("contacts", "redis_up") == double(processes("contacts").size());
  });

  for (auto* replica : processes("analytics")) replica->kill();
  const std::map<std::string, std::string> analytics{{"service", "analytics"}};
  wait_for("the circuit to open", [&] {
    CHECK_EQ(client.get("/api/analytics/campaigns").status, 503);
    return sum("gateway", "gateway_circuit_state", analytics) == 2;
  });
  const auto ended_as = [](const std::string& outcome) {
    return sum("gateway", "gateway_upstream_requests_total", {{"service", "analytics"}, {"outcome", outcome}});
  };
  const bool is_own = !support::AttachedSystem::given();  // who is gone with its container does not even refuse
  CHECK_GE(ended_as("refused") + (is_own ? 0 : ended_as("timeout")), 1);
  CHECK_GE(sum("gateway", "gateway_retries_total", analytics), 1);
  CHECK_GE(sum("gateway", "gateway_endpoint_ejected", analytics), 1);
  CHECK_EQ(sum("gateway", "gateway_circuit_state", {{"service", "contacts"}}), 0);
  CHECK_GE(sum("gateway", "http_requests_total", {{"route", "/api/analytics/campaigns"}, {"status", "503"}}), 1);
  for (auto* replica : processes("analytics")) replica->start();
  wait_for("the circuit to close", [&] {
    return client.get("/api/analytics/campaigns").status == 200 &&
           sum("gateway", "gateway_circuit_state", analytics) == 0;
  });
}

TEST_CASE(
    "metrics: another organization's traffic makes no new series, no label tells of anybody, promtool is content") {
  live_first();
  std::map<std::string, std::set<std::string>> before;  // by program: not every replica has had a part in everything
  for (const auto* process : processes()) before[process->name()].merge(bounded_series(*process));
  CampaignScene second(bed().system, "Measured too", "200000000000902");
  live(second, 100);
  auto secrets = secrets_of(bed().first, 0);
  const auto more = secrets_of(second, 100);
  secrets.insert(secrets.end(), more.begin(), more.end());
  for (const auto* process : processes()) {
    std::string added;
    for (const auto& each : bounded_series(*process))
      if (!before[process->name()].contains(each)) added += each + "\n";
    CHECK_MESSAGE(added.empty(), process->name(), " has new series:\n", added);
    check_labels(*process, secrets);
    const auto said = lint(scrape(*process).body);
    CHECK_MESSAGE(said.empty(), process->name(), ": ", said);
  }
}
