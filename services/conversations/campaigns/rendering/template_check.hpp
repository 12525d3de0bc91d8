#pragma once
#include "conversations/campaigns/rendering/message.hpp"
#include "conversations/channel/templates/catalogue.hpp"

namespace parley::conversations::rendering {

using boost::asio::awaitable;

// Whether the account has the templates that a campaign is to be sent with, so that not each of its recipients is
// refused by the channel.
class TemplateCheck {
 public:
  // `public_url`: what links begin with, as links::read_public_url() has it.
  TemplateCheck(templates::Catalogue& catalogue, templates::Store& store, std::string public_url)
      : catalogue_(catalogue), store_(store), link_(std::move(public_url) + "/l/") {}

  // A message and variants that were checked when they came in. Problem 409 with an error for each place, such as
  // /variants/0/message/template/name: the template is not there in that language, or not APPROVED; its parameters, its
  // header or its buttons want something else. The channel is asked for its list when that is old, or older than some
  // seconds and would refuse; while it is away, the last one counts, and when there is none, it is a Problem 503. The
  // account's messaging limit is asked for as well, so that it is known from the first message on.
  awaitable<void> check(model::Uuid organization, model::RawJson message, std::vector<model::CampaignVariant> variants);

 private:
  using Wanted = std::vector<std::pair<std::string, TemplateMessage>>;  // by their pointers

  awaitable<std::vector<model::Fault>> faults_of(model::Uuid organization, Wanted wanted,
                                                 std::chrono::seconds good_for);
  awaitable<void> check(model::Uuid organization, std::string business_account_id, std::string pointer,
                        TemplateMessage message, std::vector<model::Fault>& faults);

  templates::Catalogue& catalogue_;
  templates::Store& store_;
  const std::string link_;
};

// What a message and the template that it names, with these components, do not have in common. `link`: what links
// begin with, up to their code.
std::vector<model::Fault> compare(const TemplateMessage& message, const boost::json::value& components,
                                  const std::string& link);

}  // namespace parley::conversations::rendering
