#pragma once
#include "common/chassis/events.hpp"
#include "common/chassis/process.hpp"
#include "conversations/campaigns/rendering/template_check.hpp"
#include "conversations/campaigns/store.hpp"
#include "conversations/campaigns/test_sends/people.hpp"
#include "conversations/campaigns/test_sends/store.hpp"
#include "conversations/channel/account.hpp"

namespace parley::conversations::test_sends {

// A campaign's message before it is sent to all: looked at, and sent to a few numbers.
class Api {
 public:
  Api(chassis::Process& process, pg::Pool& database, Store& store, campaigns::Store& campaigns,
      rendering::TemplateCheck& templates, channel::Accounts& accounts, chassis::ServiceClient& contacts,
      const std::string& public_url);

 private:
  awaitable<http::Response> preview(chassis::Call& call);
  awaitable<http::Response> test(chassis::Call& call, chassis::Change& change);

  awaitable<model::Campaign> known(chassis::Call& call);
  // Renders the message for each of the numbers, as far as it may be sent to them.
  awaitable<std::vector<Sending>> render(chassis::Call& call, const model::Campaign& campaign, std::size_t variant,
                                         std::vector<std::string> phones, std::vector<Test>& tests);
  awaitable<void> skip_suppressed(pg::Transaction& transaction, model::Uuid organization,
                                  std::vector<Sending>& messages, std::vector<Test>& tests);

  pg::Pool& database_;
  Store& store_;
  campaigns::Store& campaigns_;
  rendering::TemplateCheck& templates_;
  channel::Accounts& accounts_;
  People people_;
  const std::string link_;  // what links begin with
};

}  // namespace parley::conversations::test_sends
