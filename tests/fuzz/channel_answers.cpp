// What the channel, or what stands in its place, answers: read as far as it is known, and what is quoted of it is short
// and UTF-8.
#include "tests/fuzz/fuzz.hpp"  // before all others

#include "common/channel/answers.hpp"
#include "common/model/text.hpp"

using namespace parley;
using namespace parley::cloud_api;

namespace {

template <class Answer>
void round_trip(std::string_view body) {
  const auto answer = model::from_json<Answer>(body);
  if (!answer) return;
  const auto written = model::to_json(*answer);
  const auto again = model::from_json<Answer>(written);
  MUST(again);
  MUST_EQUAL(model::to_json(*again), written);
}

}  // namespace

FUZZ(channel_answers) {
  static constexpr unsigned kStatuses[] = {200, 400, 403, 429, 500, 503};
  const auto status = kStatuses[input.choice(std::size(kStatuses))];
  const auto body = input.rest();
  if (const auto error = read_error(body, status)) {
    MUST(!error->text.empty() && error->text.size() <= 500 && model::count_characters(error->text));
    MUST(error->meaning == class_of(error->code) && error->status == status);
    error->is_refusal();
    error->is_temporary();
  }
  round_trip<TokenResponse>(body);
  round_trip<SuccessResponse>(body);
  round_trip<PhoneNumberResponse>(body);
  round_trip<MessageResponse>(body);
  round_trip<TemplatesResponse>(body);
  round_trip<SubmissionResponse>(body);
  round_trip<HandleResponse>(body);
  round_trip<PhoneNumbersResponse>(body);
  round_trip<IdResponse>(body);
  round_trip<MediaResponse>(body);
}
