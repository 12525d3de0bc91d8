#include "conversations/messages/long_data.hpp"

#include <map>

#include "common/http/page.hpp"
#include "conversations/messages/shapes.hpp"
#include "conversations/messages/sql.hpp"
#include "conversations/messages/store.hpp"

namespace parley::conversations::messages {

namespace {
constexpr std::string_view kLeftOut = "null";  // as in short_data.fragment
}

awaitable<std::size_t> add_long_data(Ask ask, model::Uuid organization, std::vector<model::Message*> messages) {
  std::vector<model::Uuid> ids;
  for (const auto* message : messages)
    if (message->messageData.text == kLeftOut) ids.push_back(message->uniqueId);
  if (ids.empty()) co_return messages.size();
  pg::Batch batch(sql::long_data, organization, ids, static_cast<std::int64_t>(http::kMaxPageOctets));
  const auto results = co_await ask(std::move(batch));
  std::map<model::Uuid, std::optional<model::RawJson>> data;
  for (auto& row : results.rows<LongDataRow>()) data.emplace(row.id, std::move(row.data));
  for (std::size_t i = 0; i < messages.size(); ++i) {
    auto& message = *messages[i];
    if (message.messageData.text != kLeftOut) continue;
    const auto found = data.find(message.uniqueId);
    if (found == data.end())
      forget_words(message);  // deleted meanwhile
    else if (found->second)
      message.messageData = std::move(*found->second);
    else
      co_return i;
  }
  co_return messages.size();
}

}  // namespace parley::conversations::messages
