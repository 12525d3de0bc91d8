#include "conversations/inbox/optout/words.hpp"

#include <wctype.h>

#include <algorithm>
#include <clocale>

namespace parley::conversations::optout {

namespace {

// The next character of a UTF-8 text; what is no UTF-8 is a character an octet.
char32_t take(std::string_view& text) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t length = at(0) < 0xC0 ? 1 : at(0) < 0xE0 ? 2 : at(0) < 0xF0 ? 3 : 4;
  char32_t out = at(0);
  if (length > 1 && length <= text.size()) {
    out &= 0xFFu >> (length + 1);
    for (std::size_t i = 1; i < length; ++i) out = (out << 6) | (at(i) & 0x3Fu);
  }
  text.remove_prefix(std::min(length, text.size()));
  return out;
}

void append(std::string& out, char32_t c) {
  const auto put = [&](char32_t octet) { out += static_cast<char>(octet); };
  if (c < 0x80) return put(c);
  if (c < 0x800) {
    put(0xC0 | (c >> 6));
  } else {
    if (c < 0x10000) {
      put(0xE0 | (c >> 12));
    } else {
      put(0xF0 | (c >> 18));
      put(0x80 | ((c >> 12) & 0x3F));
    }
    put(0x80 | ((c >> 6) & 0x3F));
  }
  put(0x80 | (c & 0x3F));
}

// The letters of Latin-1 and Latin Extended-A, U+00C0 to U+017F, without their accents; a space where there is no
// letter.
constexpr std::string_view kLatin =
    "aaaaaaaceeeeiiiidnooooo ouuuuytsaaaaaaaceeeeiiiidnooooo ouuuuyty"
    "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkklllllll"
    "lllnnnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";

char32_t fold_latin(char32_t c) {
  const auto index = c - 0xC0;
  const char base = index < kLatin.size() ? kLatin[index] : ' ';
  return base == ' ' ? c : static_cast<char32_t>(base);
}

char32_t fold_greek(char32_t c) {
  if (c >= 0x391 && c <= 0x3A9) c += 0x20;
  switch (c) {
    case 0x386:
    case 0x3AC:
      return 0x3B1;  // alpha
    case 0x388:
    case 0x3AD:
      return 0x3B5;  // epsilon
    case 0x389:
    case 0x3AE:
      return 0x3B7;  // eta
    case 0x38A:
    case 0x3AF:
    case 0x3CA:
    case 0x390:
      return 0x3B9;  // iota
    case 0x38C:
    case 0x3CC:
      return 0x3BF;  // omicron
    case 0x38E:
    case 0x3CD:
    case 0x3CB:
    case 0x3B0:
      return 0x3C5;  // upsilon
    case 0x38F:
    case 0x3CE:
      return 0x3C9;  // omega
    case 0x3C2:
      return 0x3C3;  // a sigma at the end
    default:
      return c;
  }
}

char32_t fold_cyrillic(char32_t c) {
  if (c >= 0x410 && c <= 0x42F) c += 0x20;
  if (c >= 0x400 && c <= 0x40F) c += 0x50;
  return c == 0x451 ? 0x435 : c;  // yo is mostly written as ye
}

// One case for two: by way of the upper one, as that is what letters with several lower ones have in common.
char32_t fold_case(char32_t c) {
  static const locale_t unicode = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  return unicode ? ::towlower_l(::towupper_l(c, unicode), unicode) : c;
}

// Alefs with and without their hamza.
char32_t fold_arabic(char32_t c) { return c == 0x622 || c == 0x623 || c == 0x625 ? 0x627 : c; }

char32_t fold(char32_t c) {
  if (c >= 0xFF01 && c <= 0xFF5E) c -= 0xFEE0;  // full-width
  if (c >= 'A' && c <= 'Z') return c + 0x20;
  if (c >= 0x80) c = fold_case(c);
  if (c >= 0xC0 && c <= 0x17F) return fold_latin(c);
  if (c >= 0x386 && c <= 0x3CE) return fold_greek(c);
  if (c >= 0x400 && c <= 0x4FF) return fold_cyrillic(c);
  if (c >= 0x620 && c <= 0x6FF) return fold_arabic(c);
  return c;
}

// Combining marks, Arabic vowels, joiners, marks of direction, variation selectors.
bool is_invisible(char32_t c) {
  return (c >= 0x300 && c <= 0x36F) || (c >= 0x64B && c <= 0x652) || c == 0x640 || c == 0xAD ||
         (c >= 0x200B && c <= 0x200F) || (c >= 0x202A && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) ||
         (c >= 0xFE00 && c <= 0xFE0F) || c == 0xFEFF;
}

// Of what is no letter or digit, what stands around words.
bool is_around(char32_t c) {
  if (c < 0x80) return !((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'));
  return c == 0xA0 || c == 0xA1 || c == 0xAB || c == 0xBB || c == 0xBF || c == 0x60C || c == 0x61B || c == 0x61F ||
         (c >= 0x2000 && c <= 0x206F) || (c >= 0x3000 && c <= 0x3002) || (c >= 0x300A && c <= 0x300F) || c == 0x964;
}

bool is_space(char32_t c) {
  return c <= 0x20 || c == 0xA0 || (c >= 0x2000 && c <= 0x200A) || c == 0x202F || c == 0x3000;
}

}  // namespace

std::string fold(std::string_view text) {
  std::u32string folded;
  while (!text.empty()) {
    const auto c = fold(take(text));
    if (is_invisible(c)) continue;
    if (is_space(c) && (folded.empty() || folded.back() == ' ')) continue;
    folded += is_space(c) ? U' ' : c;
  }
  while (!folded.empty() && is_around(folded.back())) folded.pop_back();
  const auto first = std::find_if_not(folded.begin(), folded.end(), is_around);
  std::string out;
  std::for_each(first, folded.end(), [&](char32_t c) { append(out, c); });
  return out;
}

const std::vector<std::string>& built_in_stop_words() {
  static const std::vector<std::string> words{
      "stop",
      "stop all",
      "stopall",
      "unsubscribe",
      "opt out",
      "opt-out",
      "optout",
      "remove me",  // English
      "parar",
      "baja",
      "darme de baja",
      "cancelar suscripción",  // Spanish
      "sair",
      "descadastrar",
      "cancelar inscrição",  // Portuguese
      "arrêt",
      "arrêter",
      "désabonner",
      "me désabonner",
      "désinscription",  // French
      "stopp",
      "abmelden",
      "abbestellen",
      "austragen",  // German
      "annulla iscrizione",
      "disiscrivimi",
      "cancellami",  // Italian
      "afmelden",
      "uitschrijven",  // Dutch
      "wypisz",
      "rezygnuję",  // Polish
      "стоп",
      "отписаться",
      "отписка",      // Russian
      "відписатися",  // Ukrainian
      "dur",
      "abonelikten çık",
      "ret",  // Turkish
      "إيقاف",
      "توقف",
      "إلغاء الاشتراك",  // Arabic
      "הסר",
      "הסרה",
      "עצור",  // Hebrew
      "रोकें",
      "बंद करें",     // Hindi
      "berhenti",  // Indonesian
      "退订",
      "退訂",
      "停止",      // Chinese
      "配信停止",  // Japanese
      "수신거부",
      "중지",  // Korean
  };
  return words;
}

const std::vector<std::string>& built_in_start_words() {
  static const std::vector<std::string> words{
      "start",       "unstop",
      "subscribe",   "opt in",
      "opt-in",      "optin",             // English
      "alta",        "darme de alta",     // Spanish
      "inscrever",   "voltar a receber",  // Portuguese
      "démarrer",    "m'abonner",         // French
      "starten",     "anmelden",          // German
      "iscrivimi",                        // Italian
      "aanmelden",                        // Dutch
      "zapisz mnie",                      // Polish
      "старт",       "подписаться",       // Russian
      "підписатися",                      // Ukrainian
      "başla",       "abone ol",          // Turkish
      "ابدأ",        "اشتراك",            // Arabic
      "התחל",        "הצטרף",             // Hebrew
      "शुरू करें",                            // Hindi
      "mulai",                            // Indonesian
      "订阅",        "訂閱",
      "开始",                 // Chinese
      "配信再開",             // Japanese
      "수신동의",    "시작",  // Korean
  };
  return words;
}

}  // namespace parley::conversations::optout
