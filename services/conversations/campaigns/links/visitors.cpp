#include "conversations/campaigns/links/visitors.hpp"

#include <algorithm>
#include <array>

namespace parley::conversations::links {

namespace {

constexpr std::size_t kMaxAgentLength = 512;  // octets examined

// In lower case: WhatsApp's previews, and other services that fetch on behalf of people.
constexpr std::array<std::string_view, 23> kAgents{"whatsapp/",        "facebookexternalhit",
                                                   "facebookcatalog",  "meta-external",
                                                   "skypeuripreview",  "linkpreview",
                                                   "link-preview",     "urlpreview",
                                                   "bingpreview",      "googleimageproxy",
                                                   "google-safety",    "mediapartners-google",
                                                   "embedly",          "iframely",
                                                   "vkshare",          "pinterest/",
                                                   "snap url preview", "viber/",
                                                   "crawler",          "spider",
                                                   "headlesschrome",   "slurp",
                                                   "validator"};

char small(char letter) { return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter; }
bool is_letter(char letter) { return letter >= 'a' && letter <= 'z'; }

// Matches Slackbot-LinkExpanding, TelegramBot, Twitterbot/1.0, "(compatible; Googlebot/2.1)", but not Cubot phones.
bool names_bot(std::string_view agent) {
  constexpr std::string_view word = "bot";
  for (auto at = agent.find(word); at != agent.npos; at = agent.find(word, at + 1)) {
    const auto end = at + word.size();
    const bool is_phone = at >= 2 && agent.substr(at - 2, 2) == "cu";
    if (!is_phone && (end == agent.size() || !is_letter(agent[end]))) return true;
  }
  return false;
}

std::string in_small_letters(std::string_view text) {
  std::string out(text.substr(0, kMaxAgentLength));
  std::transform(out.begin(), out.end(), out.begin(), small);
  return out;
}

bool says_prefetch(std::string_view value) { return in_small_letters(value).find("prefetch") != std::string::npos; }

}  // namespace

bool is_preview(const http::Request& request) {
  if (request.method == http::Method::head) return true;
  if (says_prefetch(request.field("Sec-Purpose")) || says_prefetch(request.field("Purpose"))) return true;
  const auto agent = in_small_letters(request.field("User-Agent"));
  return names_bot(agent) ||
         std::any_of(kAgents.begin(), kAgents.end(), [&](auto each) { return agent.find(each) != agent.npos; });
}

}  // namespace parley::conversations::links
