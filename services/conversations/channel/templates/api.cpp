#include "conversations/channel/templates/api.hpp"

#include <algorithm>

#include "conversations/channel/templates/rules.hpp"

namespace parley::conversations::templates {

using identity::Permission;
using model::AuditAction;

Api::Api(chassis::Process& process, Store& store, Catalogue& catalogue, channel::Accounts& accounts,
         channel::Client& channel)
    : store_(store), catalogue_(catalogue), accounts_(accounts), editor_(channel) {
  // They are changed as the organization's other settings are.
  auto routes = process.pipeline().mount(*this);
  routes.get("/api/organization/templates", Permission::get_message_templates, &Api::list);
  routes.post("/api/organization/templates", Permission::update_app_settings, &Api::create);
  routes.get("/api/organization/templates/{id}", Permission::get_message_templates, &Api::find);
  routes.post("/api/organization/templates/{id}", Permission::update_app_settings, &Api::update);
  routes.del("/api/organization/templates/{id}", Permission::update_app_settings, &Api::remove);
  routes.get("/api/organization/phone-numbers", Permission::get_phone_numbers, &Api::phone_numbers);
}

namespace {

constexpr std::size_t kMaxIdLength = 32;
constexpr int kMaxClaims = 5;

http::Problem no_template() { return chassis::not_found("the account has no template with this id"); }

// The channel's, which becomes part of a path there.
bool is_id(std::string_view text) {
  return !text.empty() && text.size() <= kMaxIdLength &&
         std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// As the audit names it.
std::string title_of(const Template& of) { return of.name + " (" + of.language + ")"; }

void check_edit(const Template& known, const Edit& edit) {
  http::Faults faults;
  if (!edit.components && !edit.category) faults.add("/components", "is needed, or else category");
  auto category = edit.category;
  if (!category && edit.components)
    boost::describe::enum_from_string(known.category.c_str(), category.emplace(Category::UTILITY));
  const auto format = edit.parameterFormat.value_or(format_of(known.components));
  if (edit.components) check_components({known.name, known.language, *category, format, *edit.components}, faults);
  faults.throw_if_any();
  if (!Editor::is_editable(known) && !Editor::is_so(known.category, known.components, edit))
    throw http::Problem({.status = 409,
                         .detail = "the template is " + known.status +
                                   ": the channel lets APPROVED, REJECTED and PAUSED ones be changed"});
  if (edit.category && known.status == "APPROVED" && known.category != model::name_of(*edit.category))
    throw http::Problem({.status = 409,
                         .detail = "the template is APPROVED, and keeps its category",
                         .errors = {{"/category", "must be " + known.category + ", or left out"}}});
}

// Text of a cursor. No part contains a line break; read_place() rejects text with more than two.
std::string text_of(const Template& last) { return last.name + '\n' + last.language + '\n' + last.id; }

std::optional<PageCursor> read_place(const std::string& text) {
  const auto first = text.find('\n');
  const auto second = first == text.npos ? first : text.find('\n', first + 1);
  if (second == text.npos || text.find('\n', second + 1) != text.npos) return std::nullopt;
  return PageCursor{text.substr(0, first), text.substr(first + 1, second - first - 1), text.substr(second + 1)};
}

Filter check(ListQuery query) {
  http::Faults faults;
  Filter filter{http::read_page_filter(query, http::Order::asc, faults)};
  filter.status = std::move(query.status);
  filter.name = std::move(query.name);
  filter.language = std::move(query.language);
  filter.category = std::move(query.category);
  if (filter.after) {
    filter.place = read_place(filter.after->text);
    if (!filter.place) faults.add("?cursor", "is not one that this list gave for this order");
  }
  faults.throw_if_any();
  return filter;
}

}  // namespace

awaitable<http::Response> Api::list(chassis::Call& call) {
  const auto filter = check(call.query<ListQuery>());
  const auto business_account = co_await catalogue_.refresh(call, Kind::Templates);
  Page page;
  if (business_account) page = co_await store_.list(call.organization(), *business_account, filter);
  const bool is_full = std::ssize(page.templates) == filter.paging.per_page;
  PageResponse answer{std::move(page.templates), {filter.paging.page(), filter.paging.per_page, page.total}};
  const auto next = [&](bool is_whole) -> std::optional<std::string> {
    if (is_whole && !is_full) return std::nullopt;
    return http::write_cursor(filter.order_name(), {{}, text_of(answer.templates.back())});
  };
  co_return http::fitting_response(call.request, answer, filter.after.has_value(), next);
}

awaitable<VersionedTemplate> Api::known(chassis::Call& call) {
  const auto id = std::string(call.parameters.values[0]);
  if (!is_id(id)) throw no_template();
  const auto account = co_await catalogue_.refresh(call, Kind::Templates);
  if (!account) throw no_template();
  auto found = co_await store_.find_template(call.organization(), *account, id);
  if (!found) {  // it may have been made since
    co_await catalogue_.refresh(call.organization(), Kind::Templates, Catalogue::kGoodToRefuse);
    found = co_await store_.find_template(call.organization(), *account, id);
  }
  if (!found) throw no_template();
  co_return std::move(*found);
}

awaitable<VersionedTemplate> Api::claimed(chassis::Call& call, std::function<void(const Template&)> check) {
  for (int times = 0; times < kMaxClaims; ++times) {
    auto found = co_await known(call);
    call.require_version(found.version);
    check(found);
    if (co_await store_.claim(call.organization(), found.id, found.version)) co_return found;
  }
  throw http::Problem(
      {.status = 409, .detail = "others change this template at this moment: try again", .head = "Retry-After: 1\r\n"});
}

awaitable<channel::AccountPtr> Api::account_of(chassis::Call& call) {
  auto account = co_await accounts_.of_organization(call.organization());
  if (!account) throw http::Problem({.status = 409, .detail = "connect a messaging business account first"});
  co_return account;
}

awaitable<Template> Api::keep(chassis::Call& call, chassis::Change& change, const channel::Account& account,
                              const channel::Template& made, AuditAction action) {
  auto kept = co_await store_.put(change, call.organization(), account.businessAccountId, made);
  change.audit(action, {}, title_of(kept));
  change.emit(co_await change_of(change, call.organization(), kept));
  co_return kept;
}

awaitable<http::Response> Api::find(chassis::Call& call) {
  auto found = co_await known(call);
  call.show_version(found.version);
  co_return http::json_response(TemplateResponse{std::move(found)});
}

awaitable<http::Response> Api::create(chassis::Call& call, chassis::Change& change) {
  const auto draft = co_await call.body<Draft>();
  http::Faults faults;
  check(draft, faults);
  faults.throw_if_any();
  const auto account = co_await account_of(call);
  const auto made = co_await editor_.create(*account, draft, call.request.has("Idempotency-Key"));
  if (!is_id(made.id)) throw http::Problem({.status = 502, .detail = "the messaging channel gave a strange id"});
  const TemplateResponse answer{co_await keep(call, change, *account, made, AuditAction::TemplateCreated)};
  co_return http::created(answer, "/api/organization/templates/" + answer.messageTemplate.id);
}

awaitable<http::Response> Api::update(chassis::Call& call, chassis::Change& change) {
  const auto edit = co_await call.body<Edit>();
  const auto old = co_await claimed(call, [&](const Template& known) { check_edit(known, edit); });
  if (!Editor::is_editable(old)) co_return http::json_response(TemplateResponse{old});  // it is so, and in review
  const auto account = co_await account_of(call);
  const auto made = co_await editor_.edit(*account, old, edit);
  const TemplateResponse answer{co_await keep(call, change, *account, made, AuditAction::TemplateUpdated)};
  co_return http::json_response(answer);
}

awaitable<http::Response> Api::remove(chassis::Call& call, chassis::Change& change) {
  auto old = co_await claimed(call, [](const Template&) {});
  const auto account = co_await account_of(call);
  co_await editor_.remove(*account, old);
  co_await store_.remove(change, call.organization(), account->businessAccountId, old.id);
  change.audit(AuditAction::TemplateDeleted, {}, title_of(old));
  old.status = "DELETED";
  change.emit(co_await change_of(change, call.organization(), std::move(old)));
  co_return http::no_content();
}

awaitable<http::Response> Api::phone_numbers(chassis::Call& call) {
  const auto business_account = co_await catalogue_.refresh(call, Kind::PhoneNumbers);
  PhoneNumbersResponse answer;
  if (business_account) {
    answer.phoneNumbers = co_await store_.phone_numbers(call.organization(), *business_account);
    answer.notices = co_await store_.notices(call.organization(), *business_account);
  }
  const auto count = std::ssize(answer.phoneNumbers);
  answer.paginationMeta = {1, std::max<std::int64_t>(count, 1), count};
  co_return http::json_response(answer);
}

}  // namespace parley::conversations::templates
