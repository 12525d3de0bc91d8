#include "common/model/phone.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

#include "common/model/phone_plans.hpp"
#include "common/model/text.hpp"

namespace parley::model {

namespace {

// A numbering plan of libphonenumber's metadata (the table is made by make-phone-plans). Of the metadata only this is
// used: its patterns of valid numbers are out of date with each new range, and the channel alone can tell whether a
// number is in use.
struct Plan {
  const PhonePlan* known = nullptr;
  std::uint32_t lengths = 0;  // a bit each

  bool may_have(std::size_t digits) const { return digits < 32 && (lengths >> digits & 1U) != 0; }
};

std::size_t number_of(std::string_view digits) {
  std::size_t out = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), out);
  return out;
}

// Calls `each` for every part between separators.
template <class Each>
void for_each_part(std::string_view text, char separator, Each each) {
  while (!text.empty()) {
    const auto end = std::min(text.find(separator), text.size());
    each(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

bool is_region(std::string_view text) {
  return text.size() == 2 && text[0] >= 'A' && text[0] <= 'Z' && text[1] >= 'A' && text[1] <= 'Z';
}

class Plans {
 public:
  Plans() {
    for (const auto& plan : kPhonePlans) add(plan);
  }
  const Plan* of_region(std::string_view region) const {
    return is_region(region) ? by_region_[index(region)] : nullptr;
  }
  // No calling code is the beginning of another, so at most one fits.
  const Plan* of_number(std::string_view digits) const {
    for (std::size_t length = 1; length <= 3 && length <= digits.size(); ++length) {
      const auto& plan = by_code_[number_of(digits.substr(0, length))];
      if (plan.known && plan.known->code.size() == length) return &plan;
    }
    return nullptr;
  }

 private:
  static std::size_t index(std::string_view region) {
    return static_cast<std::size_t>(region[0] - 'A') * 26 + static_cast<std::size_t>(region[1] - 'A');
  }
  void add(const PhonePlan& known) {
    auto& plan = by_code_[number_of(known.code)];
    plan.known = &known;
    for_each_part(known.lengths, ',', [&](std::string_view range) {
      const auto last = number_of(range.substr(range.find('-') + 1));
      for (auto length = number_of(range); length <= last; ++length) plan.lengths |= 1U << length;
    });
    for_each_part(known.regions, ' ', [&](std::string_view region) { by_region_[index(region)] = &plan; });
  }
  std::array<Plan, 1000> by_code_{};
  std::array<const Plan*, 26 * 26> by_region_{};
};

const Plans& plans() {
  static const Plans all;
  return all;
}

struct Mark {
  std::string_view text;
  char meaning;  // a digit's first of ten that follow one another, '+', or ' ' for what is passed over
};
constexpr Mark kMarks[] = {
    {"\xEF\xBC\x8B", '+'},  // full-width plus
    {"\xC2\xA0", ' '},      // no-break space
    {"\xC2\xAD", ' '},      // soft hyphen
    {"\xE2\x88\x92", ' '},  // minus
    {"\xE2\x81\xA0", ' '},  // word joiner
    {"\xEF\xBB\xBF", ' '},  // byte-order mark
    {"\xE3\x80\x80", ' '},  // ideographic space
    {"\xEF\xBC\x8D", ' '},  // full-width hyphen, parentheses
    {"\xEF\xBC\x88", ' '}, {"\xEF\xBC\x89", ' '},
};

// Takes the character at the front of `rest`: a digit, '+', ' ' for what is passed over, 0 for what no number has.
char take(std::string_view& rest) {
  const auto at = [&](std::size_t i) { return i < rest.size() ? static_cast<unsigned char>(rest[i]) : 0U; };
  const auto taken = [&](std::size_t octets, unsigned meaning) {
    rest.remove_prefix(octets);
    return static_cast<char>(meaning);
  };
  const unsigned first = at(0);
  if ((first >= '0' && first <= '9') || first == '+') return taken(1, first);
  if (first < 0x80) return std::string_view(" \t-.()/").find(rest[0]) == std::string_view::npos ? '\0' : taken(1, ' ');
  if (first == 0xD9 && at(1) >= 0xA0 && at(1) <= 0xA9) return taken(2, '0' + at(1) - 0xA0);  // Arabic
  if (first == 0xDB && at(1) >= 0xB0 && at(1) <= 0xB9) return taken(2, '0' + at(1) - 0xB0);  // Persian, Urdu
  if (first == 0xEF && at(1) == 0xBC && at(2) >= 0x90 && at(2) <= 0x99) return taken(3, '0' + at(2) - 0x90);
  // U+2000..U+2015: spaces, invisible marks, dashes; U+2028..U+202F: directions, as address books put around numbers.
  if (first == 0xE2 && at(1) == 0x80 && at(2) >= 0x80 && at(2) <= 0xAF && (at(2) <= 0x95 || at(2) >= 0xA8))
    return taken(3, ' ');
  if (first == 0xE2 && at(1) == 0x81 && at(2) >= 0xA6 && at(2) <= 0xA9) return taken(3, ' ');
  for (const auto& mark : kMarks)
    if (rest.starts_with(mark.text)) return taken(mark.text.size(), static_cast<unsigned char>(mark.meaning));
  return '\0';
}

constexpr std::size_t kMaxTyped = 128;  // octets
constexpr std::size_t kMaxDigits = 24;  // more than a whole number and all its prefixes have

// The digits of what was typed; false if there is anything else.
bool read_digits(std::string_view typed, std::string& digits, bool& plus) {
  if (typed.size() > kMaxTyped) return false;
  if (typed.size() > 4 && equals_ignoring_case(typed.substr(0, 4), "tel:")) typed.remove_prefix(4);
  while (!typed.empty()) {
    const char c = take(typed);
    if (c == '\0') return false;
    if (c == '+') {
      if (plus || !digits.empty()) return false;
      plus = true;
    } else if (c != ' ') {
      if (digits.size() == kMaxDigits) return false;
      digits += c;
    }
  }
  return !digits.empty();
}

// The typed number as parsed.
struct Number {
  const Plan* plan = nullptr;  // none: it cannot be a number
  std::string_view national;   // of any length
  bool is_whole = false;       // the calling code was typed too

  bool has_length() const {
    return plan->may_have(national.size()) ||
           (is_whole && std::ranges::any_of(kChannelForms, [&](const ChannelForm& form) {
              return form.code == plan->known->code && national.size() == form.digits &&
                     national.starts_with(form.begin);
            }));
  }
};

// Where zero is the trunk prefix no national number begins with it.
bool begins_with_trunk(const Plan& plan, std::string_view digits) {
  const auto trunk = plan.known->trunk;
  return trunk.starts_with('0') && digits.starts_with(trunk);
}

bool is_possible(const Number& number) {
  if (!number.plan || !number.has_length() || begins_with_trunk(*number.plan, number.national)) return false;
  return number.plan->known->code != "1" || number.national[0] >= '2';  // no area of North America begins with 0 or 1
}

Number national(const Plan& plan, std::string_view digits) {
  if (begins_with_trunk(plan, digits)) digits.remove_prefix(plan.known->trunk.size());
  return {&plan, digits};
}

// From the digits behind a calling code.
Number whole(const Plan& plan, std::string_view digits) {
  auto number = national(plan, digits);
  number.is_whole = true;
  return number;
}

// From the digits behind the plus.
Number international(std::string_view digits) {
  const Plan* const plan = plans().of_number(digits);
  return plan ? whole(*plan, digits.substr(plan->known->code.size())) : Number{};
}

// `buffer` must outlive the number.
Number read(std::string_view typed, std::string_view country, std::string& buffer) {
  bool plus = false;
  if (!read_digits(typed, buffer, plus)) return {};
  const std::string_view digits = buffer;
  if (plus) return international(digits);

  const Plan* const home = plans().of_region(country);
  const auto abroad = home ? home->known->abroad : "00";
  // Almost everywhere two zeros are what is dialled abroad, and people write them also where it is something else. No
  // national number begins with them.
  const bool is_usual = digits.starts_with("00");
  if (is_usual)
    if (const auto number = international(digits.substr(2)); is_possible(number) || !digits.starts_with(abroad))
      return number;
  if (digits.starts_with(abroad) && (is_usual || digits.size() > abroad.size() + 6))
    return international(digits.substr(abroad.size()));
  if (!home) return {};
  const auto code = home->known->code, trunk = home->known->trunk;
  const bool is_long = digits.size() > home->known->usual;
  // 0 and 1 begin no national number where they are the trunk prefix; 8 may.
  if (!trunk.empty() && digits.starts_with(trunk) && (trunk[0] != '8' || is_long))
    return national(*home, digits.substr(trunk.size()));
  if (digits.starts_with(code) && is_long)
    if (const auto number = whole(*home, digits.substr(code.size())); is_possible(number)) return number;
  return national(*home, digits);
}

// "4-13" as "4 to 13".
std::string words_of(std::string_view lengths) {
  std::string out;
  for (const char c : lengths) c == '-' ? out += " to " : c == ',' ? out += " or " : out += c;
  return out;
}

}  // namespace

bool is_phone_country(std::string_view region) { return plans().of_region(region) != nullptr; }

std::optional<std::string> to_e164(std::string_view typed, std::string_view country) {
  std::string buffer;
  const auto number = read(typed, country, buffer);
  if (!is_possible(number)) return std::nullopt;
  std::string out = "+";
  return out.append(number.plan->known->code).append(number.national);
}

bool is_international(std::string_view text) {
  return text.starts_with('+') && text.size() > 3 && text.size() <= 16 &&
         text.find_first_not_of("0123456789", 1) == text.npos;
}

std::string wrong_length_of(std::string_view typed, std::string_view country) {
  std::string buffer;
  const auto number = read(typed, country, buffer);
  if (!number.plan || number.has_length()) return "";
  const auto& plan = *number.plan->known;
  return "+" + std::string(plan.code) + " is followed by " + words_of(plan.lengths) + " digits, not " +
         std::to_string(number.national.size());
}

}  // namespace parley::model
