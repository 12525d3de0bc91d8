#pragma once
#include <ctime>
#include <optional>
#include <string>
#include <string_view>

namespace parley::organizations::mail {

// Whether an e-mail address can stand in a mail and in SMTP as it is: an ASCII dot-atom, and a domain of letters,
// digits and hyphens (RFC 5321, 4.1.2). Nothing is quoted, so that no part of it can be taken for anything else.
bool is_mailable(std::string_view address);

struct Mailbox {
  std::string name;  // may be empty
  std::string address;
};
// Of `ADDRESS` or `NAME <ADDRESS>`; nullopt if the address is not mailable, or the name has control characters.
std::optional<Mailbox> read_mailbox(std::string_view text);

// A mail in plain text, in UTF-8, with lines that end in \n.
struct Letter {
  std::string to;  // is_mailable()
  std::string subject;
  std::string text;
};

// As it is sent (RFC 5322), in ASCII: texts are encoded by RFC 2047 and as quoted-printable (RFC 2045). `id` is the
// left part of its Message-ID, the same in each attempt.
std::string message_of(const Letter& letter, const Mailbox& from, std::string_view id, std::time_t at);

// A text of strangers for a line of a mail: without control characters, line separators and what turns the direction of
// writing, and bounded.
std::string one_line(std::string_view text, std::size_t most_characters);

}  // namespace parley::organizations::mail
