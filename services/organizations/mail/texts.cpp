#include "organizations/mail/texts.hpp"

namespace parley::organizations::mail {

namespace {
constexpr std::size_t kMaxName = 100;  // characters of an organization's name, which strangers choose
}

Letter password_letter(const std::string& pages, std::string to, const std::string& token) {
  auto text = "Somebody, probably you, asked for a link to set the password of " + to + " at " + pages +
              ".\n\nSet it here, within an hour:\n\n" + pages + "/password#token=" + token +
              "\n\nThe link works once. If you ask for another, only the last one works.\n"
              "If you did not ask for it, do nothing: your password stays as it is.\n";
  return {std::move(to), "Set your password", std::move(text)};
}

Letter invitation_letter(const std::string& pages, std::string to, const std::string& organization,
                         const model::Timestamp& expires_at, const std::string& token) {
  const auto name = one_line(organization, kMaxName);
  auto text = "You are invited to join the organization \"" + name + "\" at " + pages + ".\n\nAccept it here, until " +
              expires_at.text().substr(0, 10) + ":\n\n" + pages + "/join#token=" + token +
              "\n\nThe link works once. If you do not know who invites you, do nothing.\n";
  return {std::move(to), "Invitation to " + name, std::move(text)};
}

}  // namespace parley::organizations::mail
