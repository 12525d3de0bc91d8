#pragma once
#include "conversations/campaigns/rendering/message.hpp"
#include "conversations/channel/templates/catalogue.hpp"

namespace parley::conversations::rendering {

using boost::asio::awaitable;

// Checks that the account has the campaign's templates, so that the channel does not refuse every recipient.
class TemplateCheck {
 public:
  // `public_url`: from links::read_public_url().
  TemplateCheck(templates::Catalogue& catalogue, templates::Store& store, std::string public_url)
      : catalogue_(catalogue), store_(store), link_(std::move(public_url) + "/l/") {}

  // Expects a message and variants that were checked on arrival. Throws a Problem 409 with an error per place, such as
  // /variants/0/message/template/name: the template does not exist in that language, is not APPROVED, or its
  // parameters, header or buttons differ. Reloads the channel's list if it is old, or if the list is some seconds old
  // and the check fails; while the channel is unavailable the last list counts, and without one it is a Problem 503.
  // Also reloads the account's messaging limit, so that it is known before the first message.
  awaitable<void> check(model::Uuid organization, model::RawJson message, std::vector<model::CampaignVariant> variants);

  // For drafts: whether the account has these templates in these languages; more is for check(). A Problem 400 names
  // each place. Nothing is refused by a list that could not be renewed, nor while no account is connected. Returns the
  // unreachable service if a template is therefore not known, else "".
  awaitable<std::string> check_names(model::Uuid organization, std::optional<model::RawJson> message,
                                     std::vector<model::CampaignVariant> variants);

 private:
  using Wanted = std::vector<std::pair<std::string, TemplateMessage>>;  // with their pointers

  static Wanted wanted_of(const std::optional<model::RawJson>& message,
                          const std::vector<model::CampaignVariant>& variants);
  awaitable<std::vector<model::Fault>> faults_of(model::Uuid organization, Wanted wanted,
                                                 std::chrono::seconds good_for);
  // The template in the message's language; nullopt: there is none, and a fault says so.
  awaitable<std::optional<templates::KnownTemplate>> find(model::Uuid organization, std::string business_account_id,
                                                          std::string pointer, const TemplateMessage& message,
                                                          std::vector<model::Fault>& faults);
  awaitable<void> check(model::Uuid organization, std::string business_account_id, std::string pointer,
                        TemplateMessage message, std::vector<model::Fault>& faults);

  templates::Catalogue& catalogue_;
  templates::Store& store_;
  const std::string link_;
};

// Returns the differences between a message and its template's components. `link`: prefix of links, before the code.
std::vector<model::Fault> compare(const TemplateMessage& message, const boost::json::value& components,
                                  const std::string& link);

}  // namespace parley::conversations::rendering
