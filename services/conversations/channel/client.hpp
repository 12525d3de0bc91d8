#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/channel/answers.hpp"
#include "common/chassis/process.hpp"
#include "common/http/client.hpp"
#include "conversations/channel/account.hpp"
#include "conversations/channel/refusals.hpp"

namespace parley::conversations::channel {

struct Settings {
  std::string url;            // with the version: https://graph.facebook.com/v20.0
  std::string tls_ca_file{};  // "" is the system's store
  // Where media may lie beside the channel's own host: nothing else is sent a token. Without a path.
  std::vector<std::string> media_urls{};
  std::chrono::milliseconds answer_time{10'000};  // of a message
  std::chrono::milliseconds list_time{4'000};     // of what somebody waits for

  // PARLEY_CHANNEL_URL, PARLEY_CHANNEL_CA_FILE, PARLEY_CHANNEL_MEDIA_URLS
  static Settings read(chassis::Environment& environment);
};

// What became of a message that was to be sent.
struct Outcome {
  enum class Kind {
    accepted,  // the channel has it, as channel_message_id; what becomes of it there is told by statuses
    refused,   // the channel said that it will not have it: nothing was sent
    in_doubt,  // no answer, or none that tells: it may have been sent, and is never to be sent again blindly
    not_sent   // surely no octet of it left: it may be sent again
  };
  Kind kind = Kind::in_doubt;
  std::string channel_message_id{};  // of what was accepted; "" for a receipt
  Refusal refusal{};                 // of what was refused
  std::string error{};               // in_doubt, not_sent: why, for the log
};

// A template as the channel lists it.
struct Template {
  std::string id, name, language, category, status;
  model::RawJson components;
};

struct PhoneNumber {
  std::string id, displayPhoneNumber, verifiedName;
  std::string qualityRating;  // GREEN, YELLOW, RED, UNKNOWN
  std::string throughput;     // STANDARD (80 messages a second), HIGH (1,000), NOT_APPLICABLE
  bool registered = false;    // with the Cloud API: it can send
  // To how many people it may write first in 24 hours, all numbers of the portfolio together: TIER_250, TIER_2K,
  // TIER_10K, TIER_100K, TIER_UNLIMITED; "" when it is not told.
  std::string messagingLimit{};
};

// Where a medium lies for the next minutes, and what it is.
struct MediaLocation {
  std::string url, mime_type;
};

// The channel's calls that conversations makes, as the WhatsApp Business Cloud API has them. Messages have connections
// of their own, which lists and media cannot use up. What comes from the channel is remembered nowhere here.
class Client {
 public:
  Client(chassis::Process& process, const Settings& settings);

  // POST /{phone number}/messages, once: `body` is to_channel()'s. At most 10 s until the answer begins; what was given
  // up on is not delivered later either. Throws nothing but what destroys the caller too.
  awaitable<Outcome> send(const Account& account, std::string body);
  // Shows the sender of an inbound message that it was read. May be called again.
  awaitable<Outcome> mark_read(const Account& account, std::string channel_message_id);

  // All of them. What goes wrong here and below is a Problem: 503 when it may go well later, 502 otherwise.
  awaitable<std::vector<Template>> templates(const Account& account);
  awaitable<std::vector<PhoneNumber>> phone_numbers(const Account& account);
  // The id under which the channel keeps it for 30 days. `content` is read to its end; it has `size` octets.
  awaitable<std::string> upload(const Account& account, std::string_view mime_type, std::uint64_t size,
                                http::BodySource& content);
  // nullopt: the channel does not have it, or no more.
  awaitable<std::optional<MediaLocation>> find_media(const Account& account, std::string id);
  // The answer with its octets; nullptr when they are not there any more.
  awaitable<std::unique_ptr<http::Exchange>> download(const Account& account, std::string url);

 private:
  struct MediaHost {
    std::string origin;  // https://host[:port]
    std::unique_ptr<http::Client> client;
  };
  awaitable<Outcome> post(http::ClientRequest request, bool is_receipt);
  awaitable<http::ClientResponse> call(http::ClientRequest request);
  // `page` makes the request of a page, of what the page before ended with.
  template <class Answer, class Page>
  awaitable<Answer> list(Page page);
  awaitable<cloud_api::PhoneNumbersResponse> list_numbers(const Account& account);
  template <class Answer>
  Answer read_answer(const http::ClientResponse& response);
  [[noreturn]] void throw_refusal(unsigned status, std::string_view body);
  [[noreturn]] void throw_unreachable(const http::Unreachable& unreachable);
  // What went wrong is for the log: callers are told that it did.
  [[noreturn]] void give_up(http::Problem problem, std::string_view error);

  chassis::Log& log_;
  chassis::Tracer& tracer_;
  http::Client messages_, rest_;
  std::vector<MediaHost> media_hosts_;
};

}  // namespace parley::conversations::channel
