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
  std::string tls_ca_file{};  // "": the system's store
  // Origins, without a path, that may serve media beside the channel's own host. No other host receives a token.
  std::vector<std::string> media_urls{};
  std::chrono::milliseconds answer_time{10'000};  // for sending a message
  std::chrono::milliseconds list_time{4'000};     // for requests that a member waits for

  // PARLEY_CHANNEL_URL, PARLEY_CHANNEL_CA_FILE, PARLEY_CHANNEL_MEDIA_URLS
  static Settings read(chassis::Environment& environment);
};

struct Outcome {
  enum class Kind {
    accepted,  // the channel returned channel_message_id; statuses report what follows
    refused,   // the channel rejected the message: nothing was sent
    in_doubt,  // no conclusive response: it may have been sent, and must not be sent again blindly
    not_sent   // no octet left this host: it may be sent again
  };
  Kind kind = Kind::in_doubt;
  std::string channel_message_id{};  // if accepted; "" for a receipt
  Refusal refusal{};                 // if refused
  std::string error{};               // if in_doubt or not_sent: the reason, for the log
};

struct Template {
  std::string id, name, language, category, status;
  model::RawJson components;
  std::string reason{};   // of a rejection; "" for none
  std::string quality{};  // GREEN, YELLOW, RED, UNKNOWN
};

// What became of a template that was sent to the channel to be made, changed or deleted.
struct Submission {
  enum class Kind {
    accepted,
    refused,  // for good: nothing was done
    in_doubt  // no conclusive response: look before it is sent again
  };
  Kind kind = Kind::in_doubt;
  std::string id{}, status{}, category{};  // if accepted; "" where the channel did not say
  std::string text{};                      // why it was refused; for the log, why it is in doubt
  std::int64_t subcode = 0;                // of the refusal
};

struct PhoneNumber {
  std::string id, displayPhoneNumber, verifiedName;
  std::string qualityRating;  // GREEN, YELLOW, RED, UNKNOWN
  std::string throughput;     // STANDARD (80 messages a second), HIGH (1,000), NOT_APPLICABLE
  bool registered = false;    // with the Cloud API: the number can send
  // How many users all numbers of the portfolio together may write to first within 24 hours: TIER_250, TIER_2K,
  // TIER_10K, TIER_100K, TIER_UNLIMITED; "" if unknown.
  std::string messagingLimit{};
};

// The download URL of a medium, valid for some minutes, and what the channel says of the file.
struct MediaLocation {
  std::string url, mime_type;
  std::string sha256{};                 // hexadecimal; "": not told
  std::optional<std::uint64_t> size{};  // octets
};

// Calls of the WhatsApp Business Cloud API. Lists and media cannot exhaust the connections of messages. Caches nothing.
class Client {
 public:
  Client(chassis::Process& process, const Settings& settings);

  // POST /{phone number}/messages, once. Throws nothing. Waits at most 10 s for the response to begin; after a timeout
  // the connection is reset, so that the message is not delivered later.
  awaitable<Outcome> send(const Account& account, std::string body);
  // Marks an inbound message as read for its sender. Idempotent.
  awaitable<Outcome> mark_read(const Account& account, std::string channel_message_id);

  // Lists all templates. This and the following calls throw a Problem: 503 if a retry may succeed, otherwise 502.
  awaitable<std::vector<Template>> templates(const Account& account);
  // All languages of a name.
  awaitable<std::vector<Template>> templates_named(const Account& account, std::string name);
  awaitable<std::vector<PhoneNumber>> phone_numbers(const Account& account);
  // `body`: the channel's object. Each is sent once, and may throw only while nothing was done.
  awaitable<Submission> create_template(const Account& account, std::string body);
  awaitable<Submission> edit_template(const Account& account, std::string id, std::string body);
  awaitable<Submission> delete_template(const Account& account, std::string name, std::string id);
  // Returns the media id, which the channel keeps for 30 days. Reads `content` to its end; it must have `size` octets.
  awaitable<std::string> upload(const Account& account, std::string_view mime_type, std::uint64_t size,
                                http::BodySource& content);
  // The same for a template's example, by a resumable upload in one part. Returns its handle.
  awaitable<std::string> upload_example(const Account& account, std::string_view mime_type, std::uint64_t size,
                                        http::BodySource& content);
  // nullopt if the channel does not have the medium, or no longer has it.
  awaitable<std::optional<MediaLocation>> find_media(const Account& account, std::string id);
  // The response with the file's octets; nullptr if the file is gone.
  awaitable<std::unique_ptr<http::Exchange>> download(const Account& account, std::string url);

 private:
  struct MediaHost {
    std::string origin;  // https://host[:port]
    std::unique_ptr<http::Client> client;
  };
  awaitable<Outcome> post(http::ClientRequest request, bool is_receipt);
  awaitable<http::ClientResponse> call(http::ClientRequest request);
  template <class Answer, class Page>
  awaitable<Answer> list(Page page);
  template <class Page>
  awaitable<std::vector<Template>> list_templates(Page page);
  awaitable<Submission> submit(http::ClientRequest request);
  awaitable<cloud_api::PhoneNumbersResponse> list_numbers(const Account& account);
  template <class Answer>
  Answer read_answer(const http::ClientResponse& response);
  [[noreturn]] void throw_refusal(unsigned status, std::string_view body);
  [[noreturn]] void throw_unreachable(const http::Unreachable& unreachable);
  // Logs `error` and throws `problem`, which does not show it to callers.
  [[noreturn]] void give_up(http::Problem problem, std::string_view error);

  chassis::Log& log_;
  chassis::Tracer& tracer_;
  http::Client messages_, rest_;
  std::vector<MediaHost> media_hosts_;
};

}  // namespace parley::conversations::channel
