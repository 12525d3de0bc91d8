#include "conversations/inbox/webhooks/ownership.hpp"

#include <set>

#include "common/async/all.hpp"

namespace parley::conversations::webhooks {

using namespace std::chrono_literals;

namespace {

constexpr std::size_t kMaxAccounts = 64;  // requests at once
constexpr auto kNewsTime = 4s;            // in which owners of accounts are asked for, while rows are held

bool is_news(const Element& element) { return std::holds_alternative<notices::News>(element.what); }

// News of a whole business account, whoever sends through it.
bool is_of_account(const Element& element) { return is_news(element) && element.phone_number_id.empty(); }

bool is_of_template(const Element& element) { return std::holds_alternative<templates::Report>(element.what); }

// A status report may use a cached account, even a former owner's: only the organization that sent the message has it.
bool is_report(const Element& element) { return std::holds_alternative<StatusReport>(element.what); }

// Assigns the element to the organization that has the number, connected with the business account that the channel
// sent it for: what was sent for a former owner's account is assigned to nobody. `away`: organizations is away.
void assign(Item& item, const std::map<std::string, channel::AccountPtr>& owners, bool away) {
  const auto& element = *item.element;
  const auto owner = owners.find(element.phone_number_id);
  if (owner == owners.end() && !element.phone_number_id.empty())
    return let_wait(item, away ? Awaited::organizations : Awaited::answer,
                    "organizations did not answer whose this phone number is", away ? std::optional(0s) : std::nullopt);
  if (owner == owners.end() || !owner->second)
    return let_wait(item, Awaited::message, "no organization has connected this phone number");
  const auto& account = *owner->second;
  if (!element.business_account_id.empty() && element.business_account_id != account.businessAccountId)
    return let_wait(item, Awaited::message, "this phone number is connected with another business account");
  item.organization = account.organizationId;
}

}  // namespace

bool Ownership::is_known(const Element& element) const {
  if (!element.fault.empty() || is_of_template(element) || absence_.holds()) return true;
  return is_report(element) && accounts_.knows_phone_number(element.phone_number_id);
}

awaitable<void> Ownership::find(std::span<Item> items) {
  const auto is_to_assign = [](const Item& item) {
    return item.error.empty() && !is_of_template(*item.element) && !is_of_account(*item.element);
  };
  std::set<std::string> reported_of, written_to;  // numbers
  for (auto& item : items)
    if (const auto& number = item.element->phone_number_id; is_to_assign(item) && !number.empty())
      (is_report(*item.element) ? reported_of : written_to).insert(number);
  Owners known, owners;
  if (absence_.holds())
    recall_accounts(reported_of, known);
  else
    co_await find_accounts(reported_of, written_to, known, owners);
  for (auto& item : items) {
    if (!is_to_assign(item)) continue;
    assign(item, is_report(*item.element) ? known : owners, absence_.holds());
    if (item.error.empty() && is_news(*item.element)) item.organizations = {item.organization};
  }
  co_await address_news(items);
}

void Ownership::recall_accounts(const std::set<std::string>& numbers, Owners& known) const {
  for (const auto& number : numbers)
    if (auto account = accounts_.last_known(number)) known.emplace(number, std::move(account));
}

awaitable<void> Ownership::find_accounts(const std::set<std::string>& reported_of,
                                         const std::set<std::string>& written_to, Owners& known, Owners& owners) {
  std::vector<awaitable<void>> works;
  for (const auto& number : reported_of) works.push_back(find_account(number, known));
  co_await async::all(std::move(works), kMaxAccounts);
  if (!written_to.empty()) owners = co_await accounts_.owners(written_to);
  if (known.size() == reported_of.size() && owners.size() == written_to.size()) co_return;
  if (co_await accounts_.is_there()) co_return;  // organizations may fail for these numbers only
  absence_.begin([this] { return accounts_.is_there(); }, "it did not answer whose a phone number is");
}

awaitable<void> Ownership::find_account(std::string number, Owners& known) {
  try {
    const auto account = co_await accounts_.of_phone_number(number);
    known[number] = account;
  } catch (...) {  // a missing number means that there was no answer
  }
}

awaitable<void> Ownership::address_news(std::span<Item> items) {
  std::map<std::string, std::optional<std::vector<model::Uuid>>> known;  // by account; nullopt: no answer
  const auto until = std::chrono::steady_clock::now() + kNewsTime;
  bool answers = true;  // after one without an answer the others are not asked, as the rows are held for a short time
  for (auto& item : items) {
    const auto& element = *item.element;
    if (!item.error.empty() || !is_of_account(element)) continue;
    if (absence_.holds()) {
      let_wait(item, Awaited::organizations, "organizations is away", 0s);
      continue;
    }
    auto& owners = known[element.business_account_id];
    answers = answers && std::chrono::steady_clock::now() < until;
    if (!owners && answers) owners = co_await find_owners(element.business_account_id);
    answers = answers && owners;
    if (!owners)
      let_wait(item, Awaited::answer, "organizations did not answer whose this business account is");
    else if (owners->empty())
      let_wait(item, Awaited::message, "no organization has connected this business account");
    else
      item.organizations = *owners;
  }
}

awaitable<std::optional<std::vector<model::Uuid>>> Ownership::find_owners(std::string business_account_id) {
  try {
    co_return co_await accounts_.owners_of_business_account(std::move(business_account_id));
  } catch (...) {  // while organizations is being upgraded, too
  }
  co_return std::nullopt;
}

}  // namespace parley::conversations::webhooks
