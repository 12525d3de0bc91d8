#include "conversations/inbox/optout/words.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <utility>

namespace parley::conversations::optout {

namespace {

constexpr char32_t kNoCharacter = 0xFFFD;

// The next character of a UTF-8 text; U+FFFD for an invalid octet.
char32_t take(std::string_view& text) {
  utf8proc_int32_t out = 0;
  const auto length = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                       static_cast<utf8proc_ssize_t>(text.size()), &out);
  text.remove_prefix(length > 0 ? static_cast<std::size_t>(length) : 1);
  return length > 0 ? static_cast<char32_t>(out) : kNoCharacter;
}

void append(std::string& out, char32_t c) {
  std::array<char, 4> octets{};
  const auto length =
      utf8proc_encode_char(static_cast<utf8proc_int32_t>(c), reinterpret_cast<utf8proc_uint8_t*>(octets.data()));
  out.append(octets.data(), static_cast<std::size_t>(length));
}

const utf8proc_property_t& properties_of(char32_t c) {
  return *utf8proc_get_property(static_cast<utf8proc_int32_t>(c));
}

// Accents, and the vowel points of Arabic and Hebrew. In other scripts a mark is a sound like a letter.
bool is_accent(char32_t c) {
  const auto combining = properties_of(c).combining_class;
  return combining == 1 || (combining >= 10 && combining <= 36) || combining >= 200;
}

// Replaces letters that Unicode does not decompose by the ones that people type instead.
char32_t plain(char32_t c) {
  constexpr std::u32string_view letters = U"æðøþđħıłŋœŧ", in_their_place = U"adotdhilnot";
  const auto at = letters.find(c);
  return at == letters.npos ? c : in_their_place[at];
}

void append_folded(std::u32string& out, char32_t c) {
  // NOLINTNEXTLINE(clang-analyzer-optin.core.EnumCastOutOfRange): a set of options
  constexpr auto how = static_cast<utf8proc_option_t>(UTF8PROC_DECOMPOSE | UTF8PROC_CASEFOLD | UTF8PROC_IGNORE);
  constexpr char32_t arabic_tatweel = 0x640;
  if (c < 0x80) return void(out += c >= 'A' && c <= 'Z' ? c + 0x20 : c);
  if (c >= 0xFF01 && c <= 0xFF5E) c -= 0xFEE0;  // full-width
  std::array<utf8proc_int32_t, 8> parts{};
  const auto count =
      utf8proc_decompose_char(static_cast<utf8proc_int32_t>(c), parts.data(), parts.size(), how, nullptr);
  for (std::size_t i = 0; std::cmp_less(i, count) && i < parts.size(); ++i) {
    const auto part = static_cast<char32_t>(parts[i]);
    if (part != arabic_tatweel) out += plain(part);
  }
}

// Accents are often omitted. Keeps those that make a Latin letter another one: in Vietnamese the horn, hook and dot
// below, and two marks at once ("dừng" is to stop, "đúng" is right).
std::u32string without_accents(std::u32string_view text) {
  std::u32string out;
  while (!text.empty()) {
    const auto letter = text.front();
    const auto end = std::find_if_not(text.begin() + 1, text.end(), is_accent);
    const auto marks = text.substr(1, static_cast<std::size_t>(end - text.begin()) - 1);
    if (!is_accent(letter)) out += letter;
    const bool is_another = marks.size() > 1 || marks.find_first_of(U"\u0309\u031B\u0323") != std::u32string_view::npos;
    if (letter >= 'a' && letter <= 'z' && is_another) out += marks;
    text.remove_prefix(1 + marks.size());
  }
  return out;
}

// Punctuation, spaces and invisible characters, which are stripped around words.
bool is_around(char32_t c) {
  if (c < 0x80) return !((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'));
  const auto category = properties_of(c).category;
  return (category >= UTF8PROC_CATEGORY_PC && category <= UTF8PROC_CATEGORY_PO) ||
         (category >= UTF8PROC_CATEGORY_ZS && category <= UTF8PROC_CATEGORY_CF);
}

bool is_space(char32_t c) { return c <= 0x20 || (c >= 0x80 && properties_of(c).category == UTF8PROC_CATEGORY_ZS); }

}  // namespace

std::string fold(std::string_view text) {
  std::u32string folded;
  while (!text.empty()) {
    const auto c = take(text);
    if (!is_space(c))
      append_folded(folded, c);
    else if (!folded.empty() && folded.back() != ' ')
      folded += ' ';
  }
  folded = without_accents(folded);
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
