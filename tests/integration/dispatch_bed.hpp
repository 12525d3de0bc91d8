#pragma once
// A dispatcher in this process, between a real database, a channel that answers as a test says, and organizations.
#include <deque>
#include <functional>
#include <map>
#include <set>

#include "conversations/campaigns/worker.hpp"
#include "conversations/dispatch/worker.hpp"
#include "tests/integration/conversations_bed.hpp"

namespace parley::dispatch_tests {

using namespace parley::conversations;
using namespace std::chrono_literals;
using boost::asio::awaitable;
using conversations_tests::quoted;
using model::Uuid;
using Clock = std::chrono::steady_clock;

// What the channel got.
struct Sent {
  Clock::time_point at;
  std::string number, opaque, recipient, text;
  bool receipt = false;
  std::string reply_to;
};

// What the channel does with it.
struct Reply {
  std::int64_t code = 0;  // of its error; 0: it accepts
  unsigned status = 400;
  bool done = false;                   // it takes the message, and answers with the error all the same
  bool lose = false;                   // no answer at all
  std::chrono::milliseconds delay{1};  // until the answer
};

class Channel {
 public:
  explicit Channel(chassis::Process& process);
  std::string url() const { return "http://127.0.0.1:" + std::to_string(server_.endpoint().port()) + "/v20.0"; }
  void stop() { server_.close_all(); }
  bool stopped() const { return server_.stats().connections == 0; }

  std::function<Reply(const Sent&)> reply = [](const Sent&) { return Reply{}; };
  std::vector<Sent> sent;
  std::map<std::string, int> accepted;     // by opaque id
  std::map<std::string, int> max_at_once;  // by recipient
  std::vector<std::string> texts_to(const std::string& recipient) const;

 private:
  awaitable<http::Response> serve(http::Request& request);
  chassis::Process& process_;
  std::map<std::string, int> at_once_;
  http::Server server_;
};

// GET /internal/accounts.
class Organizations {
 public:
  explicit Organizations(chassis::Process& process);
  std::string url() const { return "http://127.0.0.1:" + std::to_string(server_.endpoint().port()); }
  void stop() { server_.close_all(); }
  bool stopped() const { return server_.stats().connections == 0; }

  std::map<std::string, Uuid> owners;  // of phone numbers
  int asked = 0;

 private:
  awaitable<http::Response> serve(http::Request& request);
  http::Server server_;
};

// Short times, so that tests need not wait.
dispatch::Settings quick();

class Bed {
 public:
  // `answer_time` is how long the channel's answers are waited for: short where there are none. `database_port`: of
  // what stands between the dispatchers and the database; 0: nothing does.
  explicit Bed(dispatch::Settings settings = quick(), std::chrono::milliseconds answer_time = 30s,
               int database_port = 0);
  ~Bed();

  struct Message {
    std::string recipient = "+4915100000001";
    std::string number = "1";
    std::string text = "hello";
    std::string expires = "now() + interval '1 day'";
    std::string due = "now()";
    std::optional<Uuid> reply_to{};
  };
  Uuid add(const Message& message);
  Uuid add() { return add(Message{}); }
  // A Running campaign of a number, whose recipients are known: "+49170" and their ordinals, from 1000001 on.
  struct Campaign {
    int recipients = 0;
    std::string number = "1";
    std::string text = "hello {{name}}";
    std::string rate = "NULL";  // messages a second
    int chunk = 500;
  };
  Uuid add_campaign(const Campaign& campaign);
  // A figure of it, as it is counted.
  std::int64_t figure(const Uuid& campaign, const std::string& what) const;
  // Its messages with a status.
  std::int64_t messages(const Uuid& campaign, const std::string& status) const;
  // Nothing of its chunks is open.
  bool over(const Uuid& campaign) const;

  // The number "1" is the stranger's, who has long got it.
  void take();
  // What the stranger makes of the first of a chunk.
  std::vector<dispatch::Intent> intend(const dispatch::Chunk& chunk, std::size_t count);
  // Contacts told that one contact is merged into another; and what is then done in the background, two minutes later.
  void merge(const Uuid& from, const Uuid& into);
  void remove(const Uuid& contact);  // deleted
  void sweep();
  bool forget_merges();  // a step of it; true: there may be more
  // Another dispatcher, which has begun.
  void add_dispatcher();
  // Begins what a store does, which sets `over` in the end.
  void begin(awaitable<void> work, bool& over);
  // Waits for what a store does.
  void run(awaitable<void> work);
  template <class T>
  T get(awaitable<T> work) {
    std::optional<T> out;
    run([](awaitable<T> step, std::optional<T>& result) -> awaitable<void> { result = co_await std::move(step); }(
                                                            std::move(work), out));
    return std::move(*out);
  }

  // Many of a number's, each to a recipient of its own, in one statement.
  void add_many(const std::string& number, int count, const std::string& recipient = "'+49'||n");
  // An organization's number as organizations knows it.
  void connect(const std::string& number) { organizations.owners[number] = organization; }
  // It is another organization's from now on, which the dispatcher has heard of.
  void move(const std::string& number, const Uuid& to) {
    organizations.owners[number] = to;
    dispatcher_->accounts.forget(organization, std::vector{number});
  }

  // Turns the loop.
  void until(const std::function<bool()>& condition);
  void run_for(std::chrono::milliseconds time);
  void until_empty();  // the queue
  void start() { dispatcher_->worker.start(); }
  void stop();

  std::string status(const Uuid& message) const {
    return database.execute("SELECT status FROM message WHERE id = " + quoted(message));
  }
  std::string queued(const Uuid& message, const std::string& column = "state") const {
    return database.execute("SELECT " + column + " FROM outgoing WHERE message_id = " + quoted(message));
  }
  std::string value(const std::string& sql) const { return database.execute(sql); }
  // Somebody waits for another's lock in this database, by a statement with these words.
  bool is_blocked(const std::string& words = "") const;
  // Told by changes of this type, in their order: from -> to.
  std::int64_t told(const std::string& type) const;

  conversations_tests::Database database;
  Uuid organization = model::new_uuid();
  chassis::Process process;
  Channel channel;
  Organizations organizations;

 private:
  struct Dispatcher {
    Dispatcher(Bed& bed, const dispatch::Settings& settings);
    chassis::ServiceClient peer;
    channel::Accounts accounts;
    channel::Client client;
    dispatch::Worker worker;
  };
  void hear(const events::Changes& changes);  // of contacts

  pg::Pool pool_;
  chassis::EventFeed feed_;
  std::unique_ptr<Dispatcher> dispatcher_;
  std::vector<std::unique_ptr<dispatch::Worker>> others_;
  std::map<std::string, Uuid> conversations_;  // by recipient
  bool stopped_ = false;
  dispatch::Settings settings_;
  std::chrono::milliseconds answer_time_;

 public:
  dispatch::Store store;  // another dispatcher's
  const Uuid stranger = model::new_uuid();
  dispatch::CampaignStore campaign_store;  // that one's
  campaigns::Worker campaigns;             // does nothing by itself: its steps are the tests'
};

// What became of a target's first attempt.
dispatch::Result result_of(const dispatch::Target& target, dispatch::Result::What what);

}  // namespace parley::dispatch_tests
