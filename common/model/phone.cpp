#include "common/model/phone.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

#include "common/model/text.hpp"

namespace parley::model {

namespace {

// The numbering plans of the world (ITU-T E.164 and the national plans that the ITU publishes): each region with its
// calling code and the longest national number without the trunk prefix, by that prefix. Why not libphonenumber: it
// knows every range of every plan, but as of its release, brings 40 MB of ICU and protobuf into an image, and the
// channel alone can tell whether a number is in use.
struct Group {
  std::string_view trunk, regions;
};
constexpr Group kGroups[] = {
    {"1",
     "US:1:10 AG:1:10 AI:1:10 AS:1:10 BB:1:10 BM:1:10 BS:1:10 CA:1:10 DM:1:10 DO:1:10 GD:1:10 GU:1:10 JM:1:10 KN:1:10 "
     "KY:1:10 LC:1:10 MP:1:10 MS:1:10 PR:1:10 SX:1:10 TC:1:10 TT:1:10 VC:1:10 VG:1:10 VI:1:10 MH:692:7"},
    {"8", "RU:7:10 KZ:7:10 TM:993:8"},
    {"80", "BY:375:9"},
    {"06", "HU:36:9"},
    {"0",
     "AE:971:9 AF:93:9 AL:355:9 AM:374:8 AR:54:11 AT:43:13 AU:61:9 AX:358:10 AZ:994:9 BA:387:9 BD:880:10 BE:32:9 "
     "BG:359:9 BL:590:9 BO:591:8 BR:55:11 CC:61:9 CD:243:10 CH:41:9 CN:86:11 CO:57:10 CU:53:10 CX:61:9 DE:49:11 "
     "DZ:213:9 EC:593:9 EG:20:10 EH:212:9 ER:291:7 ET:251:9 FI:358:10 FR:33:9 GB:44:10 GE:995:9 GF:594:9 GG:44:10 "
     "GH:233:9 GP:590:9 HR:385:9 ID:62:12 IE:353:10 IL:972:9 IM:44:10 IN:91:10 IQ:964:10 IR:98:10 JE:44:10 JO:962:9 "
     "JP:81:10 KE:254:9 KG:996:9 KH:855:9 KI:686:8 KP:850:10 KR:82:10 LA:856:10 LB:961:8 LI:423:9 LK:94:9 LR:231:9 "
     "LT:370:8 LY:218:9 MA:212:9 MC:377:9 MD:373:8 ME:382:8 MF:590:9 MG:261:9 MK:389:8 MM:95:10 MN:976:10 MQ:596:9 "
     "MW:265:9 MY:60:10 NA:264:9 NG:234:10 NL:31:9 NP:977:10 NZ:64:10 PE:51:9 PH:63:10 PK:92:10 PM:508:9 PS:970:9 "
     "PY:595:9 RE:262:9 RO:40:9 RS:381:9 RW:250:9 SA:966:9 SD:249:9 SE:46:9 SI:386:8 SK:421:9 SL:232:8 SO:252:9 "
     "SS:211:9 SY:963:9 TH:66:9 TR:90:10 TW:886:9 TZ:255:9 UA:380:9 UG:256:9 UY:598:8 VE:58:10 VN:84:10 "
     "XK:383:9 YE:967:9 YT:262:9 ZA:27:9 ZM:260:9 ZW:263:10"},
    {"",
     "AC:247:5 AD:376:9 AO:244:9 AW:297:7 BF:226:8 BH:973:8 BI:257:8 BJ:229:10 BN:673:7 BQ:599:7 BT:975:8 BW:267:8 "
     "BZ:501:7 CF:236:8 CG:242:9 CI:225:10 CK:682:5 CL:56:9 CM:237:9 CR:506:8 CV:238:7 CW:599:8 CY:357:8 CZ:420:9 "
     "DJ:253:8 DK:45:8 EE:372:8 ES:34:9 FJ:679:7 FK:500:5 FM:691:7 FO:298:6 GA:241:8 GI:350:8 GL:299:6 GM:220:7 "
     "GN:224:9 GQ:240:9 GR:30:10 GT:502:8 GW:245:9 GY:592:7 HK:852:8 HN:504:8 HT:509:8 IO:246:7 IS:354:9 IT:39:12 "
     "KM:269:7 KW:965:8 LS:266:8 LU:352:11 LV:371:8 ML:223:8 MO:853:8 MR:222:8 MT:356:8 MU:230:8 MV:960:7 MX:52:10 "
     "MZ:258:9 NC:687:6 NE:227:8 NF:672:6 NI:505:8 NO:47:8 NR:674:7 NU:683:7 OM:968:8 PA:507:8 PF:689:8 PG:675:8 "
     "PL:48:9 PT:351:9 PW:680:7 QA:974:8 SB:677:7 SC:248:7 SG:65:8 SH:290:5 SJ:47:8 SM:378:10 SN:221:9 ST:239:7 "
     "SR:597:7 SV:503:8 SZ:268:8 TA:290:4 TD:235:8 TG:228:8 TJ:992:9 TK:690:7 TL:670:8 TN:216:8 TO:676:7 TV:688:7 "
     "UZ:998:9 "
     "VA:39:12 VU:678:7 WF:681:6 WS:685:7 "
     // of no country: freephone, shared cost, satellites, personal and international networks, relief, premium rate
     "--:800:12 --:808:12 --:870:12 --:878:12 --:881:12 --:882:12 --:883:12 --:888:12 --:979:12"}};

struct Plan {
  std::string_view code, trunk;
  std::size_t longest = 0;  // digits of a national number without trunk prefix; 0: no such plan
};

int number_of(std::string_view digits) {
  int out = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), out);
  return out;
}

bool is_region(std::string_view text) {
  return text.size() == 2 && text[0] >= 'A' && text[0] <= 'Z' && text[1] >= 'A' && text[1] <= 'Z';
}

class Plans {
 public:
  Plans() {
    for (const auto& [trunk, regions] : kGroups)
      for (std::size_t at = 0; at < regions.size();) {
        const auto end = std::min(regions.find(' ', at), regions.size());
        add(trunk, regions.substr(at, end - at));
        at = end + 1;
      }
  }
  const Plan* of_region(std::string_view region) const {
    return is_region(region) ? known(by_region_[index(region)]) : nullptr;
  }
  // No calling code is the beginning of another, so at most one fits.
  const Plan* of_number(std::string_view digits) const {
    for (std::size_t length = 1; length <= 3 && length <= digits.size(); ++length)
      if (const auto* plan = known(by_code_[static_cast<std::size_t>(number_of(digits.substr(0, length)))]))
        if (plan->code.size() == length) return plan;
    return nullptr;
  }

 private:
  static std::size_t index(std::string_view region) {
    return static_cast<std::size_t>(region[0] - 'A') * 26 + static_cast<std::size_t>(region[1] - 'A');
  }
  static const Plan* known(const Plan& plan) { return plan.longest > 0 ? &plan : nullptr; }
  void add(std::string_view trunk, std::string_view entry) {
    const auto colon = entry.rfind(':');
    const Plan plan{entry.substr(3, colon - 3), trunk, static_cast<std::size_t>(number_of(entry.substr(colon + 1)))};
    by_code_[static_cast<std::size_t>(number_of(plan.code))] = plan;
    if (is_region(entry.substr(0, 2))) by_region_[index(entry)] = plan;
  }
  std::array<Plan, 1000> by_code_{};
  std::array<Plan, 26 * 26> by_region_{};
};

const Plans& plans() {
  static const Plans all;
  return all;
}

// What is dialled before a calling code.
std::string_view international_prefix(const Plan* plan) {
  if (!plan) return "00";
  if (plan->code == "1") return "011";
  if (plan->code == "61") return "0011";
  if (plan->code == "7" || plan->code == "375" || plan->code == "992" || plan->code == "993") return "810";
  if (plan->code == "81") return "010";
  return "00";
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

constexpr std::size_t kMostTyped = 128;  // octets
constexpr std::size_t kMostDigits = 24;  // more than a whole number and all its prefixes have

// The digits of what was typed; false if there is anything else.
bool read_digits(std::string_view typed, std::string& digits, bool& plus) {
  if (typed.size() > kMostTyped) return false;
  if (typed.size() > 4 && equals_ignoring_case(typed.substr(0, 4), "tel:")) typed.remove_prefix(4);
  while (!typed.empty()) {
    const char c = take(typed);
    if (c == '\0') return false;
    if (c == '+') {
      if (plus || !digits.empty()) return false;
      plus = true;
    } else if (c != ' ') {
      if (digits.size() == kMostDigits) return false;
      digits += c;
    }
  }
  return !digits.empty();
}

// From the digits behind the plus.
std::optional<std::string> international(std::string_view digits) {
  const Plan* const plan = plans().of_number(digits);
  if (!plan) return std::nullopt;
  auto national = digits.substr(plan->code.size());
  // Where zero is the trunk prefix no national number begins with it.
  if (plan->trunk.starts_with('0') && national.starts_with(plan->trunk)) national.remove_prefix(plan->trunk.size());
  const auto length = plan->code.size() + national.size();
  if (length < 7 || length > 15) return std::nullopt;
  if (plan->code == "1" && (national.size() != 10 || national[0] < '2')) return std::nullopt;
  std::string out = "+";
  return out.append(plan->code).append(national);
}

}  // namespace

bool is_phone_country(std::string_view region) { return plans().of_region(region) != nullptr; }

std::optional<std::string> to_e164(std::string_view typed, std::string_view country) {
  std::string buffer;
  bool plus = false;
  if (!read_digits(typed, buffer, plus)) return std::nullopt;
  std::string_view digits = buffer;
  if (plus) return international(digits);

  const Plan* const home = plans().of_region(country);
  const auto prefix = international_prefix(home);
  if (digits.starts_with(prefix) && digits.size() > prefix.size() + 6)
    return international(digits.substr(prefix.size()));
  if (!home) return std::nullopt;
  const bool has_trunk = !home->trunk.empty() && digits.starts_with(home->trunk);
  // 0 and 1 begin no national number where they are the trunk prefix; 8 may.
  if (has_trunk && (home->trunk[0] != '8' || digits.size() > home->longest))
    digits.remove_prefix(home->trunk.size());
  else if (digits.starts_with(home->code) && digits.size() > home->longest)
    return international(digits);
  return international(std::string(home->code).append(digits));
}

}  // namespace parley::model
