// How many requests a second PostgreSQL allows: sends the batches that contacts and conversations send for
// GET /api/contacts/{id} (`contact`, one at random) or for the first page of GET /api/contacts (`page`), by as many
// connections as they have for reads, and does nothing with the answers. Prints {"rate","p50","p99","cpu"}: requests a
// second, milliseconds, and this process's CPU microseconds a request.
#include <libpq-fe.h>
#include <poll.h>
#include <sys/resource.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <random>
#include <stdexcept>

#include "common/pg/batch.hpp"
#include "common/pg/frames.hpp"
#include "contacts/contacts/sql.hpp"
#include "conversations/inbox/conversations/sql.hpp"
#include "tests/bench/contact_id.hpp"
#include "tests/bench/quantile.hpp"

namespace parley::bench {
namespace {

constexpr std::size_t kInFlight = 32;
constexpr std::size_t kConnections = 2;  // of each service
constexpr std::int64_t kPerPage = 20;

// ---- the batches: as the two services' store.cpp make them --------------------------------------------------------

pg::Batch contact_batch(const model::Uuid& organization, const model::Uuid& id) {
  return pg::Batch(contacts::contacts::sql::find, organization, id);
}

pg::Batch conversations_batch(const model::Uuid& organization, const model::Uuid& id) {
  return pg::Batch(conversations::conversations::sql::of_contact[{.light = true, .one = true}], organization,
                   std::vector{id});
}

pg::Batch page_batch(const model::Uuid& organization) {
  namespace sql = contacts::contacts::sql;
  constexpr auto none = std::nullopt;
  return pg::Batch(sql::page[{.descending = true}], organization, none, none, none, none, "", kPerPage, 0)
      .add(sql::tally, organization, model::Uuid{});
}

pg::Batch conversations_batch(const model::Uuid& organization, const std::vector<model::Uuid>& ids) {
  return pg::Batch(conversations::conversations::sql::of_contacts[{.light = true}], organization, ids, 20, 1);
}

// ---- connections --------------------------------------------------------------------------------------------------

// Called with the result of a batch's first statement.
using Answered = std::function<void(const PGresult*)>;

struct Finish {
  void operator()(PGconn* connection) const noexcept { ::PQfinish(connection); }
};

// Batches on their way, one behind the other. Any failure throws.
class Connection {
 public:
  // Prepares the statements of `example`, in a session like those of the read lanes.
  Connection(const char* url, const pg::Batch& example) : connection_(::PQconnectdb(url)) {
    check(::PQstatus(get()) == CONNECTION_OK);
    for (const auto* statement : pg::session_statements(pg::Lane::read))
      check(pg::Result(::PQexec(get(), statement->sql.c_str())));
    for (const auto& [statement, _] : example.exchange().calls)
      check(pg::Result(::PQprepare(get(), statement->prepared_name.c_str(), statement->sql.c_str(),
                                   static_cast<int>(statement->types.size()), statement->types.data())));
    check(::PQsetnonblocking(get(), 1) == 0 && ::PQenterPipelineMode(get()) == 1);
  }

  std::size_t load() const { return waiting_.size(); }

  void send(const pg::Batch& batch, Answered answered) {
    for (const auto& call : batch.exchange().calls) check(send_call(batch.exchange(), call));
    check(::PQpipelineSync(get()) == 1);
    waiting_.push_back(std::move(answered));
  }

  pollfd events() {
    const int unsent = ::PQflush(get());
    check(unsent >= 0);
    return {::PQsocket(get()), static_cast<short>(unsent ? POLLIN | POLLOUT : POLLIN), 0};
  }

  // Each query yields its result and a null; the sync yields one without a null. Two nulls: no more.
  void receive() {
    check(::PQconsumeInput(get()) == 1);
    for (int nulls = 0; !waiting_.empty() && nulls < 2 && !::PQisBusy(get());) {
      pg::Result result(::PQgetResult(get()));
      nulls = result ? 0 : nulls + 1;
      if (result && ::PQresultStatus(result.get()) != PGRES_PIPELINE_SYNC) {
        check(result);
        if (!first_) first_ = std::move(result);
      } else if (result) {
        const auto first = std::exchange(first_, nullptr);
        const auto answered = std::move(waiting_.front());
        waiting_.pop_front();
        answered(first.get());
      }
    }
  }

 private:
  PGconn* get() const { return connection_.get(); }

  void check(bool is_good) const {
    if (!is_good) throw std::runtime_error(::PQerrorMessage(get()));
  }
  void check(const pg::Result& result) const {
    const auto status = ::PQresultStatus(result.get());
    if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK)
      throw std::runtime_error(::PQresultErrorMessage(result.get()));
  }

  bool send_call(const pg::PipelinedBatch& batch, const pg::Call& call) const {
    constexpr std::size_t kMost = 8;
    std::array<const char*, kMost> values;
    std::array<int, kMost> lengths, formats;
    const auto count = call.statement->types.size();
    if (count > kMost) throw std::logic_error(call.statement->name + " has too many parameters");
    for (std::size_t i = 0; i < count; ++i) {
      const auto [offset, length] = batch.parameters[call.first_parameter + i];
      values[i] = length < 0 ? nullptr : batch.bytes.data() + offset;
      lengths[i] = length;
      formats[i] = 1;
    }
    return ::PQsendQueryPrepared(get(), call.statement->prepared_name.c_str(), static_cast<int>(count), values.data(),
                                 lengths.data(), formats.data(), 1) == 1;
  }

  std::unique_ptr<PGconn, Finish> connection_;
  std::deque<Answered> waiting_;
  pg::Result first_;  // of the oldest batch
};

// The connections of one service's read lane.
class Lane {
 public:
  Lane(const char* url, const pg::Batch& example) {
    for (std::size_t i = 0; i < kConnections; ++i) connections_.emplace_back(url, example);
  }
  void send(const pg::Batch& batch, Answered answered) {
    std::ranges::min_element(connections_, {}, &Connection::load)->send(batch, std::move(answered));
  }
  std::deque<Connection>& connections() { return connections_; }

 private:
  std::deque<Connection> connections_;
};

// ---- requests -----------------------------------------------------------------------------------------------------

std::vector<model::Uuid> ids_of(const PGresult* page) {
  const int column = ::PQfnumber(page, "\"uniqueId\"");
  std::vector<model::Uuid> ids(static_cast<std::size_t>(::PQntuples(page)));
  if (column < 0 || std::ssize(ids) != kPerPage) throw std::runtime_error("the page is not whole");
  for (std::size_t i = 0; i < ids.size(); ++i)
    std::memcpy(ids[i].bytes.data(), ::PQgetvalue(page, static_cast<int>(i), column), ids[i].bytes.size());
  return ids;
}

class Load {
 public:
  Load(model::Uuid organization, std::uint64_t contacts, const char* contacts_url, const char* conversations_url,
       bool pages)
      : organization_(organization),
        contact_(1, contacts),
        pages_(pages),
        contacts_(contacts_url, pages ? page_batch({}) : contact_batch({}, {})),
        conversations_(conversations_url, pages ? conversations_batch({}, std::vector<model::Uuid>())
                                                : conversations_batch({}, model::Uuid())) {}

  // Keeps kInFlight requests on their way until `end`.
  void run(Clock::time_point end) {
    for (auto& request : requests_) begin(request);
    while (Clock::now() < end) {
      std::vector<pollfd> events;
      for (auto* lane : {&contacts_, &conversations_})
        for (auto& connection : lane->connections()) events.push_back(connection.events());
      if (::poll(events.data(), events.size(), 1'000) < 0) throw std::runtime_error("poll failed");
      auto event = events.cbegin();
      for (auto* lane : {&contacts_, &conversations_})
        for (auto& connection : lane->connections())
          if ((event++)->revents != 0) connection.receive();
    }
  }

  std::vector<Clock::duration>& latencies() { return latencies_; }

 private:
  struct Request {
    Clock::time_point begun;
    int unanswered = 0;
  };

  void begin(Request& request) {
    request = {Clock::now(), 2};
    const auto answered = [this, &request](const PGresult*) { end_part(request); };
    if (pages_) {  // the ids that the page has are asked for
      contacts_.send(page_batch(organization_), [this, &request, answered](const PGresult* page) {
        conversations_.send(conversations_batch(organization_, ids_of(page)), answered);
        end_part(request);
      });
    } else {
      const auto id = contact_id(contact_(random_));
      contacts_.send(contact_batch(organization_, id), answered);
      conversations_.send(conversations_batch(organization_, id), answered);
    }
  }

  void end_part(Request& request) {
    if (--request.unanswered > 0) return;
    latencies_.push_back(Clock::now() - request.begun);
    begin(request);
  }

  model::Uuid organization_;
  std::minstd_rand random_;
  std::uniform_int_distribution<std::uint64_t> contact_;
  bool pages_;
  Lane contacts_, conversations_;
  std::array<Request, kInFlight> requests_;
  std::vector<Clock::duration> latencies_;
};

double cpu_microseconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto of = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_usec);
  };
  return of(usage.ru_utime) + of(usage.ru_stime);
}

int run(const char* what, const model::Uuid& organization, std::uint64_t contacts, int seconds) {
  Load load(organization, contacts, std::getenv("CONTACTS_DATABASE_URL"), std::getenv("CONVERSATIONS_DATABASE_URL"),
            std::strcmp(what, "page") == 0);
  const auto begun = Clock::now();
  load.run(begun + std::chrono::seconds(seconds));
  auto& latencies = load.latencies();
  const auto count = static_cast<double>(latencies.size());
  std::printf("{\"rate\":%.1f,\"p50\":%.3f,\"p99\":%.3f,\"cpu\":{\"client\":%.1f}}\n",
              count / std::chrono::duration<double>(Clock::now() - begun).count(), quantile(latencies, 0.5),
              quantile(latencies, 0.99), cpu_microseconds() / count);
  return 0;
}

}  // namespace
}  // namespace parley::bench

int main(int argc, char** argv) {
  using namespace parley;
  const auto organization = argc == 5 ? model::Uuid::parse(argv[2]) : std::nullopt;
  if (!organization || !std::getenv("CONTACTS_DATABASE_URL") || !std::getenv("CONVERSATIONS_DATABASE_URL")) {
    std::fprintf(
        stderr,
        "usage: CONTACTS_DATABASE_URL=.. CONVERSATIONS_DATABASE_URL=.. parley-bench-limit contact|page ORGANIZATION_ID "
        "CONTACTS SECONDS\n");
    return 2;
  }
  try {
    return bench::run(argv[1], *organization, std::strtoull(argv[3], nullptr, 10), std::atoi(argv[4]));
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "parley-bench-limit: %s\n", fault.what());
    return 1;
  }
}
