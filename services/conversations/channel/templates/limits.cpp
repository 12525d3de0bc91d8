#include "conversations/channel/templates/limits.hpp"

namespace parley::conversations::templates {

namespace {
constexpr std::chrono::seconds kPause{30};
}

Limits::Limits(chassis::Process& process, Catalogue& catalogue, Store& store)
    : process_(process),
      catalogue_(catalogue),
      store_(store),
      loops_(
          process.context(), 1, kPause, [this] { return look(); },
          [&process](const auto& what) { process.log().warn("messaging limits").with("what", what); }) {}

awaitable<bool> Limits::look() {
  co_await refresh();
  co_return false;
}

awaitable<void> Limits::refresh() {
  const auto organizations = co_await store_.old_limits(Catalogue::kGoodLimit);
  for (const auto& organization : organizations) {
    if (loops_.stopping()) break;
    co_await catalogue_.refresh(organization, Kind::PhoneNumbers, Catalogue::kGoodLimit);
  }
}

}  // namespace parley::conversations::templates
