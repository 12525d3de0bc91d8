#pragma once
#include "common/model/timestamp.hpp"
#include "organizations/mail/message.hpp"

namespace parley::organizations::mail {

// `pages` is the address below which the gateway's pages `password` and `join` are. The token stands behind a #, where
// no server and no log sees it.

Letter password_letter(const std::string& pages, std::string to, const std::string& token);
Letter invitation_letter(const std::string& pages, std::string to, const std::string& organization,
                         const model::Timestamp& expires_at, const std::string& token);

}  // namespace parley::organizations::mail
