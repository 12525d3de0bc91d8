#include "conversations/campaigns/figures/api.hpp"

namespace parley::conversations::figures {

Api::Api(chassis::Process& process, Store& store) : store_(store) {
  auto routes = process.pipeline().mount(*this);
  routes.get("/api/campaigns/{id}/figures", identity::Permission::get_campaign, &Api::show);
}

awaitable<http::Response> Api::show(chassis::Call& call) {
  auto found = co_await store_.find(call.organization(), call.id());
  if (!found) throw chassis::not_found("there is no campaign with this id");
  co_return http::json_response(FiguresResponse{std::move(*found)});
}

}  // namespace parley::conversations::figures
