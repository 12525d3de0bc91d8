#include "organizations/options/api.hpp"

namespace parley::organizations::options {

Api::Api(chassis::Process& process, Options options) : answer_{std::move(options)} {
  auto routes = process.pipeline().mount(*this);
  routes.get("/api/options", chassis::everybody(), &Api::find);
}

awaitable<http::Response> Api::find(chassis::Call& call) {
  call.query<NoParameters>();
  co_return http::json_response(answer_);
}

}  // namespace parley::organizations::options
