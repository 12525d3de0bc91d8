#include "conversations/campaigns/figures/reasons.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "common/channel/errors.hpp"

namespace parley::conversations::figures {

namespace {

struct Words {
  std::string_view reason, text;
};

constexpr std::array kWords{
    Words{"OptedOut", "opted out of campaigns"},
    Words{"Blocked", "is blocked"},
    Words{"Inactive", "is inactive"},
    Words{"Invalid", "has neither a number nor an id of the channel"},
    Words{"Duplicate", "has the number of another recipient, or is the same person"},
    Words{"MissingValue", "lacks a value that the message wants"},
    Words{"Deleted", "was deleted"},
    Words{"Cancelled", "the campaign was cancelled before it came to them"},
    Words{"unknown", "nobody knows what became of the message"},
    Words{"NotSent", "the campaign had ended, or the time was over, before the message was sent"},
    // Codes of the channel that concern one recipient, or are often met; others have the words of their class.
    Words{"130472", "the recipient is part of an experiment of the channel"},
    Words{"131021", "the recipient is the sender"},
    Words{"131026", "the recipient is not on the channel, has blocked the sender, or has an old application"},
    Words{"131030", "the recipient is not among those that a test number may write to"},
    Words{"131047", "the recipient's last message is more than 24 hours ago: only a template may be sent"},
    Words{"131049", "the recipient got enough marketing messages for now"},
    Words{"131050", "the recipient stopped marketing messages"},
    Words{"131051", "messages of this type are not supported"},
    Words{"131053", "the medium could not be had from its link"},
    Words{"131056", "too many messages to this recipient in a short time"},
};

std::string_view words_of(cloud_api::ErrorClass meaning) {
  using enum cloud_api::ErrorClass;
  switch (meaning) {
    case unlisted:
      return "an error of the channel";
    case unknown:
      return "an error of the channel that it does not explain";
    case unavailable:
      return "the channel was out of order or overloaded";
    case rate_limit:
      return "messages came faster than the channel allows";
    case pair_limit:
      return "too many messages to this recipient in a short time";
    case maintenance:
      return "the phone number was under maintenance";
    case media:
      return "the medium could not be had from its link";
    case rejected:
      return "the channel refuses this message";
    case opted_out:
      return "the recipient stopped marketing messages";
    case bad_template:
      return "the template is not there, or its parameters are wrong";
    case restricted:
      return "the template is paused, or the number's quality is too low";
    case registration:
      return "the phone number could not be registered";
    case access:
      return "the account, its token, its payment or its number is not good";
    case application:
      return "the application is not known to the channel";
  }
  return "an error of the channel";
}

}  // namespace

std::string words_of(std::string_view reason) {
  const auto* const found = std::ranges::find(kWords, reason, &Words::reason);
  if (found != kWords.end()) return std::string(found->text);
  std::int64_t code = 0;
  std::from_chars(reason.data(), reason.data() + reason.size(), code);
  return std::string(words_of(cloud_api::class_of(code)));
}

}  // namespace parley::conversations::figures
