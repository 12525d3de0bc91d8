#include "conversations/channel/media/store.hpp"

#include "conversations/channel/media/sql.hpp"

namespace parley::conversations::media {

awaitable<std::optional<FoundRow>> Store::find(model::Uuid organization, model::Uuid message) {
  const auto results = co_await database_.read(pg::Batch(sql::find, organization, message));
  co_return results.optional<FoundRow>();
}

}  // namespace parley::conversations::media
