#include "conversations/campaigns/audience_lists/worker.hpp"

namespace parley::conversations::audience_lists {

using namespace std::chrono_literals;

namespace {
constexpr auto kMakeTime = 10s;
}

Worker::Worker(chassis::Process& process, pg::Pool& database, chassis::ServiceClient& contacts, Settings settings)
    : process_(process),
      store_(database),
      lists_(contacts),
      settings_(settings),
      loops_(
          process.context(), 1, settings.idle_pause, [this] { return look(); },
          [&process](const auto& what) { process.log().warn("retarget").with("what", what); }) {}

// False: nothing to do.
awaitable<bool> Worker::look() {
  auto job = co_await store_.claim(settings_.lease);
  if (!job) co_return false;
  co_await work(std::move(*job));
  co_return true;
}

awaitable<void> Worker::work(Job job) {
  std::string failure, refusal;
  try {
    co_await step(job);
  } catch (const Refused& error) {
    refusal = error.what();
  } catch (const std::exception& error) {
    failure = error.what();
  }
  if (!refusal.empty()) co_return co_await store_.fail(job, refusal);
  if (!failure.empty()) process_.log().warn("retarget " + job.id.text()).with("what", failure);
  co_await store_.release(job, failure.empty() ? 0ms : settings_.retry_pause);
}

awaitable<void> Worker::step(Job& job) {
  if (job.ordinal == 0) co_await lists_.make(job, {}, kMakeTime);
  auto members = co_await store_.members(job, settings_.most);
  if (!members) throw Refused("the campaign was deleted");
  std::int64_t contacts = 0;
  if (!members->contacts.empty()) contacts = co_await lists_.add(job, members->contacts, {});
  co_await store_.advance(job, *members, contacts, settings_.lease);
  job.ordinal = members->end;
}

}  // namespace parley::conversations::audience_lists
