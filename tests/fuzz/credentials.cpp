// API keys, sessions' tokens and invitations: one has one text, which nothing else is taken for; and the question that
// the gateway asks about a request's.
#include "common/identity/api_key.hpp"
#include "common/identity/session_token.hpp"
#include "gateway/credential.hpp"
#include "organizations/invites/token.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace parley;

namespace {

template <class Token>
bool check(std::string_view text) {
  const auto token = Token::parse(text);
  if (token) MUST_EQUAL(token->text(), text);
  if (token) MUST(token->secret_hash().size() == 32);
  return token.has_value();
}

// Changed in one place by what strangers type, it is no longer one.
template <class Token>
void change(std::string text, std::size_t at, char to) {
  MUST(check<Token>(text));
  at %= text.size();
  if (text[at] == to) return;
  text[at] = to;
  MUST(!Token::parse(text));
}

}  // namespace

FUZZ(credentials) {
  const auto at = input.choice(256), to = input.choice(256);
  const auto text = input.rest();
  const int taken =
      check<identity::ApiKey>(text) + check<identity::SessionToken>(text) + check<organizations::invites::Token>(text);
  MUST(taken <= 1);
  static const auto id = model::new_uuid();
  change<identity::ApiKey>(identity::ApiKey::create(id, id).text(), at, static_cast<char>(to));
  change<identity::SessionToken>(identity::SessionToken::create(id).text(), at, static_cast<char>(to));
  change<organizations::invites::Token>(organizations::invites::Token::create(id, id).text(), at,
                                        static_cast<char>(to));

  const auto line = text.substr(0, text.find('\n')), next = text.substr(std::min(line.size() + 1, text.size()));
  const http::Field fields[] = {{"Authorization", line}, {"X-Organization-Id", next}, {"x-access-token", next}};
  for (std::size_t count = 1; count <= std::size(fields); ++count) {
    http::Request request;
    request.fields = {fields, count};
    refused([&] {
      const auto found = gateway::read_credential(request, {}, gateway::SessionCookie());
      const auto question = gateway::verify_question(found);
      MUST(!question || found.any);
      const bool is_same = line.ends_with(next) && line.size() == next.size() + std::string_view("Bearer ").size();
      MUST(count < 3 || is_same || !question);  // two different credentials are none
      MUST(found.key().size() == 32);
    });
  }
}
