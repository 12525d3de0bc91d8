#include "contacts/contacts/embedding.hpp"

#include "common/contracts/conversations.hpp"

namespace parley::contacts::contacts {

namespace {

awaitable<std::optional<chassis::Fragments>> ask_conversations(chassis::ServiceClient& client,
                                                               chassis::RequestContext scope,
                                                               contracts::conversations::OfContactsQuery query) {
  co_return co_await client.parts(client.start(contracts::conversations::of_contacts, query, scope));
}

}  // namespace

Embedding::Embedding(chassis::Process& process, chassis::ServiceClient& conversations)
    : questions_(process.context(), contracts::conversations::kSeveralContacts,
                 [&conversations](Key key, chassis::RequestContext scope, std::vector<model::Uuid> contacts) {
                   return ask_conversations(conversations, std::move(scope),
                                            {key.organization, key.messages, std::move(contacts)});
                 }) {}

auto Embedding::ask(const chassis::RequestContext& scope, const model::Uuid& organization, std::int64_t messages,
                    const model::Uuid& contact) -> Asked {
  const Key key{organization, messages};
  return {key, contact, questions_.ask(key, contact, scope)};
}

awaitable<std::optional<model::RawJson>> Embedding::answer(const chassis::RequestContext& scope, Asked asked) {
  const auto part_in = [&](const Parts& parts) { return parts ? parts->of(asked.contact) : std::nullopt; };
  auto parts = co_await asked.question.get();
  if (part_in(*parts) == "null") parts = co_await questions_.ask_alone(asked.key, asked.contact, scope).get();
  if (!*parts) co_return std::nullopt;
  co_return model::RawJson{std::string(part_in(*parts).value_or("[]"))};
}

}  // namespace parley::contacts::contacts
