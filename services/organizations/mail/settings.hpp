#pragma once
#include <optional>
#include <string>

#include "common/chassis/environment.hpp"
#include "organizations/mail/message.hpp"

namespace parley::organizations::mail {

struct Settings {
  std::string url;  // smtp or smtps, with the user and password, if any: a secret
  bool is_encrypted = true;
  std::string ca_file{};  // empty: the system's authorities
  Mailbox from;
  std::string pages;  // the address below which links lead, without a final slash

  // From PARLEY_SMTP_URL, PARLEY_SMTP_TLS, PARLEY_SMTP_CA_FILE, PARLEY_MAIL_FROM, PARLEY_MAIL_PAGES_URL and
  // PARLEY_PUBLIC_URL. nullopt: no mail is sent here.
  static std::optional<Settings> read(chassis::Environment& environment);
};

}  // namespace parley::organizations::mail
