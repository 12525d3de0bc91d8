#include "conversations/campaigns/audience/worker.hpp"

#include <algorithm>
#include <boost/asio/deferred.hpp>
#include <boost/asio/post.hpp>

#include "common/model/text.hpp"
#include "conversations/campaigns/rendering/message.hpp"

namespace parley::conversations::audience {

namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

constexpr int kLinesOfSlice = 250;  // the loop yields after each slice
constexpr std::size_t kLoops = 2;   // campaigns gathered concurrently
constexpr unsigned kMaxDoublings = 10;

}  // namespace

// The pages of one campaign; the next page is always requested ahead.
class Worker::Stream {
 public:
  Stream(Worker& worker, const Gathering& campaign)
      : worker_(worker),
        draws_(draws_of(campaign.id)),
        has_experiment_(campaign.has_experiment),
        composition_(campaign.message, rendering::read_variants(campaign.variants)),
        question_{campaign.organization_id, campaign.list_ids,     campaign.excluded_list_ids,
                  campaign.audience_after,  worker.settings_.page, composition_.variables(),
                  campaign.segment_ids} {
    ask();
  }

  awaitable<Page> next() {
    auto answer = co_await std::exchange(asked_, std::nullopt)->get();
    if (answer.status == 401) throw chassis::Refusal(worker_.contacts_.context(), std::move(answer));
    if (answer.status >= 500)
      throw http::Unreachable(http::Unreachable::Why::bad_answer, "contacts answered " + std::to_string(answer.status),
                              false);
    if (answer.status != 200)
      throw std::runtime_error("contacts answered " + std::to_string(answer.status) + ": " +
                               model::repaired(model::first_octets(answer.body, 500)));
    Page page(*question_.after, draws_, has_experiment_);
    std::string_view rest = answer.body;
    for (int lines = 1;; ++lines) {
      const auto end = rest.find('\n');
      if (end == rest.npos) throw std::runtime_error("contacts' answer about an audience has no end");
      if (!page.add(rest.substr(0, end), composition_)) break;
      rest.remove_prefix(end + 1);
      if (lines % kLinesOfSlice == 0) co_await asio::post(worker_.process_.context(), asio::deferred);
    }
    question_.after = page.reached();
    if (!page.is_last()) ask();
    co_return page;
  }

 private:
  void ask() {
    asked_ = worker_.contacts_.start(contracts::contacts::audience, question_, chassis::RequestContext::own());
  }

  Worker& worker_;
  const Draws draws_;
  const bool has_experiment_;
  rendering::Composition composition_;
  contracts::contacts::AudienceQuestion question_;
  std::optional<http::PendingResponse> asked_;
};

Worker::Worker(chassis::Process& process, pg::Pool& database, chassis::ServiceClient& contacts, Settings settings)
    : process_(process),
      contacts_(contacts),
      settings_(settings),
      store_(database, model::new_uuid(), settings.lease),
      loops_(
          process.context(), kLoops, settings.look_pause, [this] { return look(); },
          [this](const auto& what) { report(what); }) {
  show();
}

void Worker::show() {
  auto& metrics = process_.metrics();
  metrics.gauge_from("audiences_gathering", "Campaigns whose audience this process gathers", {},
                     [this] { return double(gathering_); });
  metrics.counter_from("audience_targets_total", "Contacts that were added to campaigns, skipped ones included", {},
                       [this] { return targets_; });
  metrics.counter_from("audience_failures_total", "Attempts to gather an audience that ended with an error", {},
                       [this] { return failures_; });
}

void Worker::report(const std::string& what) {
  ++failures_;
  process_.log().warn("an audience could not be gathered").with("error", what);
}

// False: nothing to do.
awaitable<bool> Worker::look() {
  if (std::chrono::steady_clock::now() < not_before_) co_return false;
  auto campaign = co_await store_.take();
  if (!campaign) co_return false;
  ++gathering_;
  const auto trouble = co_await try_gather(*campaign);
  --gathering_;
  std::chrono::milliseconds pause{0};
  if (trouble) {
    report("campaign " + campaign->id.text() + ": " + trouble->what);
    pause = settings_.max_pause;
    if (trouble->away) {
      pause = std::min(settings_.retry_pause * (1 << times_away_), pause);
      times_away_ = std::min(times_away_ + 1, kMaxDoublings);
      not_before_ = std::chrono::steady_clock::now() + 2 * pause;
    }
  }
  co_await store_.give_back(std::move(*campaign), pause, trouble ? trouble->reason : std::string_view{});
  co_return true;
}

awaitable<std::optional<Worker::Trouble>> Worker::try_gather(Gathering& campaign) {
  try {
    co_await gather(campaign);
  } catch (const chassis::Refusal& refusal) {
    // This process's clock or key is wrong. It must leave the campaign to others: looking again when the campaign's
    // pause ends, it could be first each time.
    co_return Trouble{refusal.what(), kContactsAway, true};
  } catch (const http::Unreachable& error) {
    // What was asked may be what takes too long: then this process's other campaigns go on.
    co_return Trouble{error.what(), kContactsAway, error.sent_nothing};
  } catch (const pg::Unavailable& error) {
    co_return Trouble{error.what(), {}};
  } catch (const std::exception& error) {
    co_return Trouble{error.what(), kTrouble};
  }
  co_return std::nullopt;
}

// Runs until the audience is complete, this process stops, the campaign must be left alone, or its turn ends.
awaitable<void> Worker::gather(Gathering& campaign) {
  Stream stream(*this, campaign);
  int steps = 0;
  const auto must_end = [&] { return loops_.stopping() || ++steps >= settings_.turn; };
  for (bool more = true; more;) {
    const auto page = co_await stream.next();
    times_away_ = 0;
    more = !page.is_last();
    if (more || page.size() > 0) {
      const bool added = co_await store_.add(campaign, page);
      if (!added) co_return;
      targets_ += double(page.size());
    }
    if (must_end() && more) co_return;
  }
  for (bool more = true; more;) {
    more = co_await store_.skip_duplicates(campaign);
    if (must_end() && more) co_return;
  }
  co_await store_.finish(campaign);
}

}  // namespace parley::conversations::audience
