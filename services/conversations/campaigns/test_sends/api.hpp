#pragma once
#include "common/chassis/events.hpp"
#include "common/chassis/process.hpp"
#include "conversations/campaigns/rendering/template_check.hpp"
#include "conversations/campaigns/store.hpp"
#include "conversations/campaigns/test_sends/contact_lookup.hpp"
#include "conversations/campaigns/test_sends/store.hpp"
#include "conversations/channel/account.hpp"

namespace parley::conversations::test_sends {

// Previews a campaign's message and sends it to a few numbers as a test.
class Api {
 public:
  Api(chassis::Process& process, pg::Pool& database, Store& store, campaigns::Store& campaigns,
      rendering::TemplateCheck& templates, channel::Accounts& accounts, chassis::ServiceClient& contacts,
      const std::string& public_url);

 private:
  awaitable<http::Response> preview(chassis::Call& call);
  awaitable<http::Response> test(chassis::Call& call, chassis::Change& change);

  awaitable<model::Campaign> known(chassis::Call& call);
  // Renders the message for those of the numbers to which it may be sent.
  awaitable<std::vector<Sending>> render(chassis::Call& call, const model::Campaign& campaign, std::size_t variant,
                                         std::vector<std::string> phones, std::vector<Test>& tests);
  awaitable<void> skip_suppressed(pg::Transaction& transaction, model::Uuid organization,
                                  std::vector<Sending>& messages, std::vector<Test>& tests);

  pg::Pool& database_;
  Store& store_;
  campaigns::Store& campaigns_;
  rendering::TemplateCheck& templates_;
  channel::Accounts& accounts_;
  ContactLookup contacts_;
  const std::string link_;  // prefix of links
};

}  // namespace parley::conversations::test_sends
