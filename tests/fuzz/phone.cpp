// Telephone numbers as people type them: what is taken is E.164, and is itself wherever it is typed again.
#include "common/model/phone.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace parley;

FUZZ(phone) {
  static constexpr std::string_view kCountries[] = {"", "DE", "US", "IT", "RU", "BR", "MX", "AR", "JP", "ZZ", "HU"};
  const auto country = kCountries[input.choice(std::size(kCountries))];
  const auto typed = input.rest();
  const auto number = model::to_e164(typed, country);
  const auto wrong_length = model::wrong_length_of(typed, country);
  MUST(!number || wrong_length.empty());
  if (!number) return;
  MUST(model::is_international(*number));
  for (const auto other : kCountries) MUST(model::to_e164(*number, other) == number);
  MUST(model::to_e164("tel:" + *number, "") == number);
  MUST(model::to_e164("00" + number->substr(1), "") == number);
  std::string spaced;
  for (const char c : *number) spaced.append(1, c).append(" ");
  MUST(model::to_e164(spaced, "") == number);
}
