#include "tests/faults/traffic.hpp"

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <cstdio>
#include <iostream>
#include <ostream>
#include <system_error>

#include "tests/e2e/stream_bed.hpp"

namespace parley::faults {

using namespace std::chrono_literals;
namespace json = boost::json;
using support::Answer;
using support::request_text;
using support::Wire;

namespace {

constexpr int kRows = 50;  // of an uploaded file
constexpr std::string_view kIds = "wamid.traffic.";

double milliseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

}  // namespace

double seconds_since(Clock::time_point begin) { return milliseconds_since(begin) / 1000; }

std::ostream& operator<<(std::ostream& out, const Summary& s) {
  char text[160];
  std::snprintf(text, sizeof text, "%zu requests, %zu failed, %zu partial; median %.1f, p99 %.1f, most %.1f ms",
                s.requests, s.failed(), s.partial, s.median, s.p99, s.most);
  return out << text;
}

void Caller::go_to_another() {
  wire_.reset();
  gateway_ = (gateway_ + 1) % system_.count("gateway");
}

Answer Caller::send(const std::string& request, bool repeatable) {
  for (int tries = 0; tries < 3; ++tries) {
    const bool kept = wire_ != nullptr;
    std::optional<Answer> answer;
    try {
      if (!wire_) wire_ = std::make_unique<Wire>(system_.gateway(gateway_).port());
      if (wire_->send(request)) answer = wire_->read();
    } catch (const std::system_error&) {  // nobody listens there
      go_to_another();
      continue;
    } catch (const std::runtime_error&) {  // cut off
      wire_.reset();
      return {};
    }
    if (!answer) {
      wire_.reset();
      if (!kept || !repeatable) return {};
      ++sent_again;
      continue;
    }
    if (answer->header("Connection") == "close") go_to_another();
    return std::move(*answer);
  }
  return {};
}

Traffic::Traffic(support::System& system, const std::string& name, TrafficSettings settings)
    : system_(system), settings_(settings), organization_(e2e::fill(system, name, 12)) {
  channel_ = std::make_unique<e2e::Channel>(
      system, name + "-channel", std::to_string(200'000'000'007'000 + static_cast<std::int64_t>(name.size())));
  const auto start = [&](int count, void (Traffic::*what)(int), std::vector<std::thread>& threads) {
    for (int i = 0; i < count; ++i) threads.emplace_back([this, what, i] { (this->*what)(i); });
  };
  if (settings_.streams > 0) {
    e2e::Stream stream(system_, channel_->api_key(), "?wait=2");
    REQUIRE(stream.hears("retry: "));
    first_place_ = stream.last_id();
  }
  start(settings_.streams, &Traffic::listen, listeners_);
  start(settings_.readers, &Traffic::read, threads_);
  start(settings_.writers, &Traffic::write, threads_);
  start(settings_.uploaders, &Traffic::upload, threads_);
  start(settings_.callers_back, &Traffic::call_back, threads_);
}

Traffic::~Traffic() {
  stop();
  stop_listening_ = true;
  for (auto& listener : listeners_) listener.join();
}

void Traffic::stop() {
  stop_ = true;
  for (auto& thread : threads_) thread.join();
  threads_.clear();
}

void Traffic::note(Sample sample) {
  const std::lock_guard lock(mutex_);
  samples_.push_back(std::move(sample));
}

std::size_t Traffic::answered() const {
  const std::lock_guard lock(mutex_);
  return samples_.size();
}

void Traffic::wait_for(std::size_t more) {
  const auto limit = Clock::now() + 60s;
  for (const auto until = answered() + more; answered() < until; std::this_thread::sleep_for(2ms))
    if (Clock::now() > limit) throw std::runtime_error("the traffic stands still");
}

void Traffic::read(int number) {
  const auto& o = organization_;
  const e2e::Headers headers{{"Authorization", "Bearer " + o.owner.api_key}};
  Caller caller(system_, static_cast<std::size_t>(number % 2));
  const std::vector<std::pair<std::string, std::string>> targets{
      {"contact", "/api/contacts/" + o.contacts[0]},
      {"contacts", "/api/contacts?per_page=5&status=Active"},
      {"conversation", "/api/conversation/" + o.conversations[1]},
      {"organization", "/api/organization"},
      {"analytics", "/api/analytics/campaigns"}};
  for (std::size_t turn = static_cast<std::size_t>(number); !stopping(); ++turn) {
    const auto& [kind, target] = targets[turn % targets.size()];
    Sample sample{kind, Clock::now()};
    const auto answer = caller.send(request_text("GET", target, headers), true);
    sample.milliseconds = milliseconds_since(sample.began);
    sample.status = answer.status;
    if (answer.status != 200)
      sample.failure = "GET " + target + ": " + std::to_string(answer.status) + " " + answer.body;
    else if (answer.has("Parley-Degraded"))
      sample.failure = "GET " + target + ": without " + answer.header("Parley-Degraded");
    note(std::move(sample));
    rest();
  }
}

// Of a list to be made: a contact is in no more than 100 lists, and all writers together put it into 80.
json::array Traffic::members(int turn) const {
  const auto contact = static_cast<std::size_t>(turn * settings_.writers / 80);
  if (contact >= organization_.contacts.size()) return {};
  return {organization_.contacts[contact]};
}

void Traffic::write(int number) {
  Caller caller(system_, static_cast<std::size_t>(number % 2));
  for (int turn = 0; !stopping(); ++turn) {
    const auto name = "made by " + std::to_string(number) + " as number " + std::to_string(turn);
    const auto request = request_text("POST", "/api/lists",
                                      {{"Authorization", "Bearer " + organization_.owner.api_key},
                                       {"Content-Type", "application/json"},
                                       {"Idempotency-Key", model::new_uuid().text()}},
                                      json::serialize(json::object{{"name", name}, {"contactIds", members(turn)}}));
    {
      const std::lock_guard lock(mutex_);
      tried_.insert(name);
    }
    const auto limit = Clock::now() + 60s;
    for (bool done = false; !done;) {
      Sample sample{"write", Clock::now()};
      const auto answer = caller.send(request, true);
      sample.milliseconds = milliseconds_since(sample.began);
      sample.status = answer.status;
      // 409: the attempt before is still under way.
      done = answer.status == 201 || !settings_.repeat || Clock::now() > limit;
      if (answer.status == 201) {
        const std::lock_guard lock(mutex_);
        made_.insert(name);
      } else {
        sample.failure = "POST /api/lists: " + std::to_string(answer.status) + " " + answer.body;
      }
      note(std::move(sample));
      if (!done) std::this_thread::sleep_for(50ms);
    }
    rest();
  }
}

// A file in pieces, so that it is always under way when something happens.
void Traffic::upload(int number) {
  const auto gateways = system_.count("gateway");
  auto gateway = static_cast<std::size_t>(number) % gateways;
  for (int turn = 0; !stopping(); ++turn) {
    Sample sample{"upload", Clock::now()};
    {
      const std::lock_guard lock(mutex_);
      ++uploads_tried_;
    }
    Answer answer;
    try {
      Wire wire(system_.gateway(gateway).port());
      wire.send("POST /api/contacts/imports?on_conflict=update HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " +
                channel_->api_key() + "\r\nContent-Type: text/csv\r\nTransfer-Encoding: chunked\r\n\r\n");
      const auto send = [&](const std::string& piece) {
        char size[16];
        std::snprintf(size, sizeof size, "%zx\r\n", piece.size());
        wire.send(size + piece + "\r\n");
      };
      send("name,phone\r\n");
      for (int row = 0; row < kRows; ++row) {
        char line[64];
        std::snprintf(line, sizeof line, "Uploaded,+4917%d%07d\r\n", number, turn * kRows + row);
        send(line);
        if (row % 5 == 0) std::this_thread::sleep_for(20ms);
      }
      wire.send("0\r\n\r\n");
      if (auto read = wire.read()) answer = std::move(*read);
    } catch (const std::system_error&) {
      sample.failure = "nobody listens";
    } catch (const std::runtime_error& error) {
      sample.failure = error.what();
    }
    sample.milliseconds = milliseconds_since(sample.began);
    sample.status = answer.status;
    if (sample.failure == "nobody listens") {  // as any client: the next one
      gateway = (gateway + 1) % gateways;
      continue;
    }
    if (answer.status == 202) {
      const std::lock_guard lock(mutex_);
      ++uploaded_;
    } else {
      sample.failure = "an upload: " + std::to_string(answer.status) + " " + answer.body + sample.failure;
    }
    note(std::move(sample));
    gateway = (gateway + 1) % gateways;
    std::this_thread::sleep_for(100ms);
  }
}

void Traffic::call_back(int number) {
  Caller caller(system_, static_cast<std::size_t>(number % 2));
  for (int turn = 0; !stopping(); ++turn) {
    const auto id = std::string(kIds) + std::to_string(number) + "." + std::to_string(turn);
    const auto body = channel_->body(
        {e2e::Channel::text("49151555" + std::to_string(1000 + turn % 50), id, "message " + std::to_string(turn))});
    const auto request = request_text(
        "POST", "/webhooks/messaging",
        {{"Content-Type", "application/json"}, {"X-Hub-Signature-256", e2e::Channel::signature_of(body)}}, body);
    for (bool done = false; !done && !stopping();) {
      Sample sample{"webhook", Clock::now()};
      const auto answer = caller.send(request, true);
      sample.milliseconds = milliseconds_since(sample.began);
      sample.status = answer.status;
      done = answer.status == 200;
      if (done) {
        const std::lock_guard lock(mutex_);
        delivered_.insert(id);
      } else {
        sample.failure = "a webhook: " + std::to_string(answer.status) + " " + answer.body;
        std::this_thread::sleep_for(100ms);
      }
      note(std::move(sample));
    }
    rest();
  }
}

// Goes on where it was whenever the stream ends; a stream that cannot be had is a failure.
void Traffic::listen(int number) {
  const auto gateways = system_.count("gateway");
  auto gateway = static_cast<std::size_t>(number) % gateways;
  auto place = first_place_;
  while (!stop_listening_) {
    Sample sample{"stream", Clock::now()};
    try {
      // Short ones, so that many begin and end.
      e2e::Stream stream(system_, channel_->api_key(), "?wait=2", {{"Last-Event-ID", place}}, gateway);
      sample.status = stream.status();
      sample.milliseconds = milliseconds_since(sample.began);
      if (stream.status() != 200)
        sample.failure = "a stream: " + std::to_string(stream.status());
      else
        stream.ends_well();
      if (!stream.last_id().empty()) place = stream.last_id();
      const std::string_view heard = stream.heard();
      const std::lock_guard lock(mutex_);
      for (auto at = heard.find(kIds); at != heard.npos; at = heard.find(kIds, at + 1))
        heard_.emplace(heard.substr(at, heard.find('"', at) - at));
    } catch (const std::exception& error) {
      sample.milliseconds = milliseconds_since(sample.began);
      // Nobody listens there: as any client, the other one.
      if (std::string_view(error.what()).find("listen") == std::string_view::npos)
        sample.failure = std::string("a stream: ") + error.what();
    }
    gateway = (gateway + 1) % gateways;
    if (!stop_) note(std::move(sample));
    std::this_thread::sleep_for(10ms);
  }
}

Summary Traffic::summary(Clock::time_point from, Clock::time_point to, const std::string& kind) const {
  Summary out;
  std::vector<double> times;
  const std::lock_guard lock(mutex_);
  for (const auto& sample : samples_) {
    if (sample.began < from || sample.began >= to || !sample.kind.starts_with(kind)) continue;
    // Their time is our own, not the product's.
    if (kind.empty() && (sample.kind == "upload" || sample.kind == "stream")) {
      ++out.requests;
      if (!sample.failure.empty()) ++out.failures;
      continue;
    }
    ++out.requests;
    times.push_back(sample.milliseconds);
    if (sample.failure.empty()) continue;
    ++out.failures;
    if (sample.status == 200) ++out.partial;
    out.last_failure =
        std::max(out.last_failure, sample.began + std::chrono::duration_cast<Clock::duration>(
                                                      std::chrono::duration<double, std::milli>(sample.milliseconds)));
  }
  std::sort(times.begin(), times.end());
  if (times.empty()) return out;
  out.median = times[times.size() / 2];
  out.p99 = times[std::min(times.size() - 1, times.size() * 99 / 100)];
  out.most = times.back();
  return out;
}

std::vector<Sample> Traffic::failures(Clock::time_point from, Clock::time_point to) const {
  std::vector<Sample> out;
  const std::lock_guard lock(mutex_);
  for (const auto& sample : samples_)
    if (!sample.failure.empty() && sample.began >= from && sample.began < to) out.push_back(sample);
  return out;
}

void Traffic::show_failures(Clock::time_point from) const {
  const auto all = failures(from);
  for (std::size_t i = 0; i < std::min<std::size_t>(all.size(), 8); ++i)
    MESSAGE(all[i].kind << " after " << all[i].milliseconds << " ms: " << all[i].failure.substr(0, 300));
}

void Traffic::check_served(Clock::time_point from) const {
  const auto seen = summary(from, Clock::time_point::max());
  CHECK_EQ(seen.failed(), 0);
  CHECK_LE(seen.partial, 2 + seen.requests / 1'000);
  if (seen.failures > 0) show_failures(from);
}

void Traffic::show_slow(Clock::time_point from, std::chrono::milliseconds than) const {
  const std::lock_guard lock(mutex_);
  for (const auto& sample : samples_)
    if (sample.began >= from && sample.milliseconds > static_cast<double>(than.count()) && sample.kind != "upload" &&
        sample.kind != "stream")
      MESSAGE(sample.kind << " took " << sample.milliseconds << " ms, "
                          << std::chrono::duration<double>(sample.began - from).count() << " s after it began; "
                          << sample.status);
}

void Traffic::judge() {
  system_.reconnect();
  std::map<std::string, int> lists;
  for (const auto& name :
       system_.sql("contacts")
           .column("SELECT name FROM list WHERE organization_id = $1 AND name LIKE 'made by %'", {organization_.id}))
    ++lists[name];
  std::size_t lost = 0, doubled = 0, strange = 0;
  for (const auto& name : made_) lost += lists.contains(name) ? 0 : 1;
  for (const auto& [name, times] : lists) {
    doubled += times > 1 ? 1 : 0;
    strange += tried_.contains(name) ? 0 : 1;
  }
  MESSAGE("lists: " << made_.size() << " acknowledged, " << lost << " lost, " << doubled << " twice");
  CHECK_EQ(lost, 0);
  CHECK_EQ(doubled, 0);
  CHECK_EQ(strange, 0);

  auto& contacts = system_.sql("contacts");
  const auto rest = [&](const char* what) {
    return contacts.number(
        "SELECT count(*) FROM import WHERE organization_id = $1 AND status IN (" + std::string(what) + ")",
        {channel_->organization()});
  };
  e2e::wait_for("imports have ended", [&] { return rest("'Queued', 'Running'") == 0; });
  const auto imported = contacts.number("SELECT count(*) FROM contact WHERE organization_id = $1 AND name = 'Uploaded'",
                                        {channel_->organization()});
  MESSAGE("uploads: " << uploaded_ << " taken, " << imported << " contacts");
  CHECK_GE(imported, static_cast<std::int64_t>(uploaded_ * kRows));
  CHECK_LE(imported, static_cast<std::int64_t>(uploads_tried_ * kRows));
  CHECK_EQ(rest("'Failed'"), 0);

  auto& conversations = system_.sql("conversations");
  e2e::wait_for("webhooks are applied", [&] {
    return conversations.number("SELECT count(*) FROM inbox") == 0 &&
           conversations.number("SELECT count(*) FROM parked_element WHERE due_at IS NOT NULL") == 0;
  });
  std::map<std::string, int> messages;
  for (const auto& id : conversations.column("SELECT channel_message_id FROM message WHERE organization_id = $1 AND "
                                             "channel_message_id LIKE 'wamid.traffic.%'",
                                             {channel_->organization()}))
    ++messages[id];
  lost = doubled = 0;
  for (const auto& id : delivered_) lost += messages.contains(id) ? 0 : 1;
  for (const auto& [id, times] : messages) doubled += times > 1 ? 1 : 0;
  MESSAGE("webhooks: " << delivered_.size() << " acknowledged, " << lost << " lost, " << doubled << " twice");
  CHECK_EQ(lost, 0);
  CHECK_EQ(doubled, 0);

  if (settings_.streams == 0) return;
  std::string first;
  e2e::comes_to([&] {
    const std::lock_guard lock(mutex_);
    const auto missing =
        std::find_if(delivered_.begin(), delivered_.end(), [&](auto& id) { return !heard_.contains(id); });
    first = missing == delivered_.end() ? "" : *missing;
    return first.empty();
  });
  CHECK_MESSAGE(first.empty(), first << " was never told by a stream");
}

}  // namespace parley::faults
