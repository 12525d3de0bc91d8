#include "conversations/campaigns/quick_replies/api.hpp"

#include "common/chassis/change.hpp"
#include "common/model/text.hpp"
#include "conversations/campaigns/quick_replies/requests.hpp"
#include "conversations/campaigns/rendering/composition.hpp"

namespace parley::conversations::quick_replies {

using identity::Permission;

// Whoever sees messages may see what others would send; they are changed as the organization's other settings are.
Api::Api(chassis::Process& process, Store& store, chassis::ServiceClient& contacts)
    : store_(store), contacts_(contacts) {
  auto routes = process.pipeline().mount(*this);
  routes.get("/api/quick-replies", Permission::get_message, &Api::list);
  routes.post("/api/quick-replies", Permission::update_app_settings, &Api::create);
  routes.get("/api/quick-replies/{id}", Permission::get_message, &Api::find);
  routes.post("/api/quick-replies/{id}", Permission::update_app_settings, &Api::update);
  routes.del("/api/quick-replies/{id}", Permission::update_app_settings, &Api::remove);
  routes.get("/api/quick-replies/{id}/preview", Permission::get_message, &Api::preview);
}

namespace {

http::Problem no_reply() { return chassis::not_found("there is no quick reply with this id"); }

}  // namespace

awaitable<http::Response> Api::list(chassis::Call& call) {
  const auto filter = http::read_page_filter(call.query<ListQuery>());
  auto page = co_await store_.list(call.organization(), filter);
  const auto sorted_by = [](const QuickReply& last) { return model::lower_case(last.shortcut); };  // as `page` sorts
  co_return http::page_response<PageResponse>(call.request, filter, std::move(page.replies), page.total, sorted_by);
}

awaitable<http::Response> Api::create(chassis::Call& call, chassis::Change& change) {
  auto made = changed({}, co_await read_changes(call.request, true));
  const ReplyResponse answer{co_await store_.create(change, call.organization(), std::move(made))};
  co_return http::created(answer, "/api/quick-replies/" + answer.quickReply.uniqueId.text());
}

awaitable<VersionedReply> Api::known(chassis::Call& call) {
  auto found = co_await store_.find(call.organization(), call.id());
  if (!found) throw no_reply();
  co_return std::move(*found);
}

awaitable<http::Response> Api::find(chassis::Call& call) {
  auto found = co_await known(call);
  call.show_version(found.version);
  co_return http::json_response(ReplyResponse{std::move(found)});
}

awaitable<http::Response> Api::update(chassis::Call& call, chassis::Change& change) {
  const auto changes = co_await read_changes(call.request, false);
  auto old = co_await store_.lock(change, call.organization(), call.id());
  if (!old) throw no_reply();
  call.require_version(old->version);
  auto wanted = changed(std::move(*old), changes);
  co_return http::json_response(ReplyResponse{co_await store_.update(change, call.organization(), std::move(wanted))});
}

awaitable<http::Response> Api::remove(chassis::Call& call, chassis::Change& change) {
  const auto old = co_await store_.lock(change, call.organization(), call.id());
  if (!old) throw no_reply();
  call.require_version(old->version);
  co_await store_.remove(change, call.organization(), old->uniqueId);
  co_return http::no_content();
}

awaitable<http::Response> Api::preview(chassis::Call& call) {
  const auto query = call.query<PreviewQuery>();
  if (query.contact_id) call.require(Permission::get_contact);
  const rendering::Composition composition(message_of(co_await known(call)), {});
  std::vector<std::optional<std::string>> values(composition.variables().size());
  Preview preview;
  if (query.contact_id) {
    const auto people = co_await contacts_.find(call, {*query.contact_id}, composition.variables());
    if (people && !people->front()) throw chassis::not_found("there is no contact with this id");
    if (!people) call.degraded("contacts");
    if (people) values = people->front()->values;
    if (people) preview.contactId = query.contact_id;
  }
  auto rendered = composition.render(0, values);
  preview.messageType = rendered.type;
  preview.messageData.text = std::move(rendered.data);
  preview.missing = composition.missing(0, values);
  co_return http::json_response(PreviewResponse{std::move(preview)});
}

}  // namespace parley::conversations::quick_replies
