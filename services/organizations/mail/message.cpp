#include "organizations/mail/message.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <array>

#include "common/http/list.hpp"
#include "common/identity/keys.hpp"
#include "common/model/text.hpp"

namespace parley::organizations::mail {

namespace {

constexpr std::size_t kMaxAddress = 254, kMaxLocal = 64, kMaxLabel = 63;
constexpr std::size_t kMaxPlainHeader = 60;
constexpr std::size_t kMaxEncodedWord = 39;  // octets: 64 characters, so that its line has at most 76 (RFC 2047, 2)
constexpr std::size_t kMaxLine = 75;         // and a = at its end (RFC 2045, 6.7)

bool is_alphanumeric(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

// atext of RFC 5322, 3.2.3
bool is_atom_character(char c) {
  return is_alphanumeric(c) || std::string_view("!#$%&'*+-/=?^_`{|}~").find(c) != std::string_view::npos;
}

// Parts between dots, none of them empty.
template <class Check>
bool are_parts(std::string_view text, const Check& check) {
  while (true) {
    const auto dot = text.find('.');
    if (!check(text.substr(0, dot))) return false;
    if (dot == text.npos) return true;
    text.remove_prefix(dot + 1);
  }
}

bool is_atom(std::string_view part) { return !part.empty() && std::ranges::all_of(part, is_atom_character); }

bool is_label(std::string_view part) {
  const auto is_fine = [](char c) { return is_alphanumeric(c) || c == '-'; };
  return !part.empty() && part.size() <= kMaxLabel && part.front() != '-' && part.back() != '-' &&
         std::ranges::all_of(part, is_fine);
}

bool is_printable_ascii(char c) { return c >= ' ' && c < 127; }

std::string encoded_words(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto piece = model::first_octets(text, kMaxEncodedWord);
    out.append(out.empty() ? "" : "\r\n ").append("=?UTF-8?B?");
    out += identity::to_base64(reinterpret_cast<const unsigned char*>(piece.data()), piece.size());
    out += "?=";
    text.remove_prefix(piece.size());
  }
  return out;
}

// Not a control character, a line separator, or what turns the direction of writing (https://unicode.org/reports/tr9/).
bool is_for_lines(utf8proc_int32_t character) {
  const auto& properties = *utf8proc_get_property(character);
  switch (properties.category) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
      return false;
    default:
      break;
  }
  switch (properties.bidi_class) {
    case UTF8PROC_BIDI_CLASS_LRE:
    case UTF8PROC_BIDI_CLASS_RLE:
    case UTF8PROC_BIDI_CLASS_LRO:
    case UTF8PROC_BIDI_CLASS_RLO:
    case UTF8PROC_BIDI_CLASS_PDF:
    case UTF8PROC_BIDI_CLASS_LRI:
    case UTF8PROC_BIDI_CLASS_RLI:
    case UTF8PROC_BIDI_CLASS_FSI:
    case UTF8PROC_BIDI_CLASS_PDI:
      return false;
    default:
      return true;
  }
}

// An unstructured field's value. What looks like an encoded word is encoded, too.
std::string header_text(std::string_view text) {
  const bool is_plain =
      text.size() <= kMaxPlainHeader && std::ranges::all_of(text, is_printable_ascii) && text.find("=?") == text.npos;
  return is_plain ? std::string(text) : encoded_words(text);
}

std::string header_of(const Mailbox& mailbox) {
  if (mailbox.name.empty()) return mailbox.address;
  const bool is_plain = std::ranges::all_of(mailbox.name, [](char c) { return is_alphanumeric(c) || c == ' '; });
  return (is_plain ? '"' + mailbox.name + '"' : encoded_words(mailbox.name)) + " <" + mailbox.address + ">";
}

// RFC 5322, 3.3; not by strftime, which follows the locale.
std::string date_of(std::time_t at) {
  static constexpr std::array kDays{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  static constexpr std::array kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  std::tm time{};
  ::gmtime_r(&at, &time);
  const auto two = [](int number) { return (number < 10 ? "0" : "") + std::to_string(number); };
  return std::string(kDays.at(static_cast<std::size_t>(time.tm_wday))) + ", " + std::to_string(time.tm_mday) + " " +
         kMonths.at(static_cast<std::size_t>(time.tm_mon)) + " " + std::to_string(1900 + time.tm_year) + " " +
         two(time.tm_hour) + ":" + two(time.tm_min) + ":" + two(time.tm_sec) + " +0000";
}

std::string quoted_printable(std::string_view text) {
  static constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out;
  std::size_t column = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') {
      out += "\r\n";
      column = 0;
      continue;
    }
    const bool ends_line = i + 1 == text.size() || text[i + 1] == '\n';
    const bool is_as_it_is = is_printable_ascii(c) && c != '=' && !(c == ' ' && ends_line);
    if (column + (is_as_it_is ? 1 : 3) > kMaxLine) {
      out += "=\r\n";
      column = 0;
    }
    const auto octet = static_cast<unsigned char>(c);
    if (is_as_it_is)
      out += c;
    else
      out.append(1, '=').append(1, kDigits[octet >> 4]).append(1, kDigits[octet & 15]);
    column += is_as_it_is ? 1 : 3;
  }
  return out;
}

}  // namespace

bool is_mailable(std::string_view address) {
  const auto at = address.rfind('@');
  if (at == address.npos || address.size() > kMaxAddress || at > kMaxLocal) return false;
  return are_parts(address.substr(0, at), is_atom) && are_parts(address.substr(at + 1), is_label);
}

std::optional<Mailbox> read_mailbox(std::string_view text) {
  text = http::trimmed(text);
  Mailbox out{{}, std::string(text)};
  if (const auto open = text.find('<'); open != text.npos && text.ends_with('>')) {
    out.name = http::trimmed(text.substr(0, open));
    out.address = text.substr(open + 1, text.size() - open - 2);
  }
  const bool is_quoted = out.name.size() >= 2 && out.name.starts_with('"') && out.name.ends_with('"');
  if (is_quoted) out.name = out.name.substr(1, out.name.size() - 2);
  const bool is_fine =
      is_mailable(out.address) && model::count_characters(out.name) && one_line(out.name, out.name.size()) == out.name;
  return is_fine ? std::optional(std::move(out)) : std::nullopt;
}

std::string message_of(const Letter& letter, const Mailbox& from, std::string_view id, std::time_t at) {
  std::string out;
  const auto field = [&](std::string_view name, std::string_view value) {
    out.append(name).append(": ").append(value).append("\r\n");
  };
  field("Date", date_of(at));
  field("From", header_of(from));
  field("To", letter.to);
  field("Subject", header_text(letter.subject));
  field("Message-ID", "<" + std::string(id) + from.address.substr(from.address.rfind('@')) + ">");
  field("Auto-Submitted", "auto-generated");  // RFC 3834: nobody's holiday is told to it
  field("MIME-Version", "1.0");
  field("Content-Type", "text/plain; charset=utf-8");
  field("Content-Transfer-Encoding", "quoted-printable");
  return out + "\r\n" + quoted_printable(letter.text);
}

std::string one_line(std::string_view text, std::size_t most_characters) {
  const auto whole = model::repaired(text);
  std::string out;
  for (std::size_t i = 0; i < whole.size();) {
    utf8proc_int32_t character = 0;
    const auto length = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(whole.data()) + i,
                                         static_cast<utf8proc_ssize_t>(whole.size() - i), &character);
    const auto octets = static_cast<std::size_t>(length);  // at least 1: it is UTF-8
    if (is_for_lines(character))
      out.append(whole, i, octets);
    else
      out += ' ';
    i += octets;
  }
  return std::string(model::first_characters(out, most_characters));
}

}  // namespace parley::organizations::mail
