#include "conversations/channel/client.hpp"

#include <algorithm>

#include "common/http/query.hpp"
#include "conversations/channel/answers.hpp"

namespace parley::conversations::channel {

using namespace std::chrono_literals;

namespace {

// What one process has on its way at once: at a second an answer, the 1,000 messages a second of one great number, or a
// dozen of the usual ones.
constexpr std::size_t kMessagesInFlight = 1024;
// Shorter than any server's own: what is written to a connection that is being closed over there is in doubt.
constexpr auto kMessagesIdle = 15s;
constexpr std::size_t kOthersInFlight = 64;
constexpr std::uint64_t kLongestList = 16 << 20;
constexpr std::uint64_t kLongestMedia = 128 << 20;
constexpr auto kUploadTime = 60s;  // from the last octet to the answer, and for each piece
constexpr auto kDownloadTime = 20s;
constexpr std::size_t kLongestText = 500;
constexpr std::size_t kLongestId = 256;
constexpr std::size_t kMostPages = 100;
constexpr std::string_view kPageSize = "100";

http::UpstreamSettings for_messages(const Settings& settings) {
  http::UpstreamSettings out;
  out.url = settings.url;
  out.connect_time = 3s;
  out.answer_time = settings.answer_time;
  out.idle_time = kMessagesIdle;
  out.in_flight = kMessagesInFlight;
  out.queue = kMessagesInFlight;
  out.idle = kMessagesInFlight / 4;
  out.answer_limit = 1 << 20;
  out.tls_ca_file = settings.tls_ca_file;
  out.abort_time = settings.answer_time;
  return out;
}

http::UpstreamSettings for_others(const Settings& settings, std::string url, std::uint64_t answer_limit) {
  http::UpstreamSettings out;
  out.url = std::move(url);
  out.connect_time = 3s;
  out.answer_time = settings.list_time;
  out.in_flight = kOthersInFlight;
  out.queue = kOthersInFlight;
  out.answer_limit = answer_limit;
  out.tls_ca_file = settings.tls_ca_file;
  return out;
}

std::string bearer(const Account& account) { return "Authorization: Bearer " + account.accessToken + "\r\n"; }

http::Problem no_use(std::string_view why) {
  return http::Problem{.status = 502, .detail = "the messaging channel " + std::string(why)};
}

http::Problem later(std::string_view why, int seconds) {
  return http::Problem{.status = 503,
                       .detail = "the messaging channel " + std::string(why) + ": try again",
                       .head = "Retry-After: " + std::to_string(seconds) + "\r\n"};
}

// Cut where a character begins.
std::string shortened(std::string text) {
  if (text.size() <= kLongestText) return text;
  auto end = kLongestText;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  text.resize(end);
  return text;
}

// It becomes part of a path.
bool is_media_id(std::string_view id) {
  return !id.empty() && id.size() <= kLongestId && std::all_of(id.begin(), id.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-';
  });
}

// The answer tells by what is in it, not by its status.
Outcome outcome_of(const http::ClientResponse& response, bool is_receipt) {
  using Kind = Outcome::Kind;
  const auto status = "status " + std::to_string(response.status);
  const auto answer = model::from_json<MessageAnswer>(response.body);
  if (!answer) return {.kind = Kind::in_doubt, .error = status + " with an answer that makes no sense"};
  if (auto refusal = read_refusal(answer->error, response.status))
    return {.kind = Kind::refused, .refusal = std::move(*refusal)};
  if (response.status >= 200 && response.status < 300) {
    if (is_receipt && answer->success.value_or(false)) return {.kind = Kind::accepted};
    if (!is_receipt && answer->messages && !answer->messages->empty() &&
        !answer->messages->front().id.value_or("").empty())
      return {.kind = Kind::accepted, .channel_message_id = *answer->messages->front().id};
  }
  return {.kind = Kind::in_doubt, .error = status + (is_receipt ? " without success" : " without a message id")};
}

// Puts a medium between the parts of a form (RFC 7578).
class Form final : public http::BodySource {
 public:
  Form(std::string_view mime_type, http::BodySource& content) : content_(content) {
    const auto boundary = "parley-" + model::new_uuid().text();
    const auto part = "--" + boundary + "\r\nContent-Disposition: form-data; name=";
    before_.append(part).append("\"messaging_product\"\r\n\r\nwhatsapp\r\n");
    before_.append(part).append("\"type\"\r\n\r\n").append(mime_type).append("\r\n");
    before_.append(part).append("\"file\"; filename=\"media\"\r\nContent-Type: ").append(mime_type).append("\r\n\r\n");
    after_ = "\r\n--" + boundary + "--\r\n";
    type_ = "Content-Type: multipart/form-data; boundary=" + boundary + "\r\n";
  }
  // The field that tells the boundary.
  const std::string& type() const { return type_; }
  std::uint64_t size_with(std::uint64_t content) const { return before_.size() + content + after_.size(); }

  awaitable<std::string_view> next() override {
    if (stage_ == Stage::before) {
      stage_ = Stage::content;
      co_return before_;
    }
    if (stage_ == Stage::content) {
      const auto piece = co_await content_.next();
      if (!piece.empty()) co_return piece;
      stage_ = Stage::end;
      co_return after_;
    }
    co_return std::string_view{};
  }

 private:
  enum class Stage { before, content, end };
  http::BodySource& content_;
  std::string before_, after_, type_;
  Stage stage_ = Stage::before;
};

}  // namespace

std::optional<Refusal> read_refusal(const std::optional<ErrorObject>& error, unsigned status) {
  if (!error || !error->code) return std::nullopt;
  Refusal refusal{*error->code, error->message.value_or("error " + std::to_string(*error->code)),
                  reaction_to(*error->code, status)};
  const auto details = error->error_data ? error->error_data->details.value_or("") : "";
  if (!details.empty() && refusal.text.find(details) == refusal.text.npos) refusal.text += ": " + details;
  refusal.text = shortened(std::move(refusal.text));
  if (refusal.reaction == Reaction::give_up && error->is_transient.value_or(false)) refusal.reaction = Reaction::retry;
  return refusal;
}

Settings Settings::read(chassis::Environment& environment) {
  Settings out;
  out.url = environment.url("PARLEY_CHANNEL_URL");
  out.tls_ca_file = environment.text("PARLEY_CHANNEL_CA_FILE", "");
  const auto urls = environment.text("PARLEY_CHANNEL_MEDIA_URLS", "https://lookaside.fbsbx.com");
  if (!http::is_upstream_url(urls))
    environment.fault("PARLEY_CHANNEL_MEDIA_URLS", "must be http or https URLs with commas between them");
  for (std::size_t at = 0; at <= urls.size();) {
    const auto comma = std::min(urls.find(',', at), urls.size());
    out.media_urls.push_back(urls.substr(at, comma - at));
    at = comma + 1;
  }
  return out;
}

Client::Client(chassis::Process& process, const Settings& settings)
    : log_(process.log()),
      tracer_(process.tracer()),
      messages_(process.context(), process.wheel(), for_messages(settings)),
      rest_(process.context(), process.wheel(), for_others(settings, settings.url, kLongestList)) {
  process.watch("channel", messages_.upstream());
  process.watch("channel-rest", rest_.upstream());
  const auto add = [&](const std::string& url) {
    auto host =
        std::make_unique<http::Client>(process.context(), process.wheel(), for_others(settings, url, kLongestMedia));
    const auto scheme = url.substr(0, url.find(':'));
    media_hosts_.push_back({scheme + "://" + host->upstream().host(), std::move(host)});
    process.watch("channel-media-" + std::to_string(media_hosts_.size()), media_hosts_.back().client->upstream());
  };
  const auto& own = settings.url;
  add(own.substr(0, std::min(own.find('/', own.find("://") + 3), own.size())));
  for (const auto& url : settings.media_urls) add(url);
}

awaitable<Outcome> Client::post(const Account& account, std::string body, bool is_receipt) {
  http::ClientRequest request;
  request.method = http::Method::post;
  request.target = "/" + account.phoneNumberId + "/messages";
  request.head = bearer(account) + "Content-Type: application/json\r\n";
  request.body = std::move(body);
  request.replayable = is_receipt;
  tracer_.follow(request, messages_.upstream());
  try {
    co_return outcome_of(co_await messages_.send(std::move(request)), is_receipt);
  } catch (const http::Unreachable& unreachable) {
    using Kind = Outcome::Kind;
    co_return Outcome{.kind = unreachable.sent_nothing ? Kind::not_sent : Kind::in_doubt, .error = unreachable.what()};
  }
}

awaitable<Outcome> Client::send(const Account& account, std::string body) {
  return post(account, std::move(body), false);
}

awaitable<Outcome> Client::mark_read(const Account& account, std::string channel_message_id) {
  std::string body = R"({"messaging_product":"whatsapp","status":"read","message_id":)";
  model::write(body, channel_message_id);
  body += '}';
  return post(account, std::move(body), true);
}

void Client::give_up(http::Problem problem, std::string_view error) {
  log_.warn(problem.detail).with("error", error);
  throw problem;
}

void Client::throw_unreachable(const http::Unreachable& unreachable) {
  using Why = http::Unreachable::Why;
  if (unreachable.why == Why::bad_answer) give_up(no_use("gave an answer that is no HTTP"), unreachable.what());
  if (unreachable.why == Why::timeout) give_up(later("did not answer in time", 5), unreachable.what());
  give_up(later("is out of reach", 5), unreachable.what());
}

void Client::throw_refusal(unsigned status, std::string_view body) {
  const auto told = "status " + std::to_string(status);
  const auto answer = model::from_json<ErrorAnswer>(body);
  const auto refusal = answer ? read_refusal(answer->error, status) : std::nullopt;
  if (!refusal && status >= 500) give_up(later("is out of order", 5), told);
  if (!refusal) give_up(no_use("gave an answer that makes no sense"), told);
  const auto code = "error " + std::to_string(refusal->code);
  const auto reaction = refusal->reaction;
  if (reaction == Reaction::stop_account)
    give_up(no_use("refuses what the account was connected with: connect it again"), code);
  if (reaction == Reaction::retry || reaction == Reaction::slow_number || reaction == Reaction::wait_for_maintenance)
    give_up(later("cannot do this now", 30), code);
  give_up(no_use("refuses: " + refusal->text), code);
}

awaitable<http::ClientResponse> Client::call(http::ClientRequest request) {
  tracer_.follow(request, rest_.upstream());
  try {
    co_return co_await rest_.send(std::move(request));
  } catch (const http::Unreachable& unreachable) {
    throw_unreachable(unreachable);
  }
}

template <class Answer>
Answer Client::read_answer(const http::ClientResponse& response) {
  if (response.status != 200) throw_refusal(response.status, response.body);
  auto answer = model::from_json<Answer>(response.body);
  if (!answer) give_up(no_use("gave an answer that makes no sense"), "status 200");
  return std::move(*answer);
}

// Page after page; the channel says where the next one begins.
template <class Answer>
awaitable<Answer> Client::list(const Account& account, std::string target) {
  Answer all;
  std::string after;
  for (std::size_t pages = 0; pages < kMostPages; ++pages) {
    http::ClientRequest request{.target = target + "&limit=" + std::string(kPageSize), .head = bearer(account)};
    if (!after.empty()) {
      request.target += "&after=";
      http::append_encoded(request.target, after);
    }
    auto answer = read_answer<Answer>(co_await call(std::move(request)));
    std::move(answer.data.begin(), answer.data.end(), std::back_inserter(all.data));
    if (!answer.paging || !answer.paging->next || !answer.paging->cursors) break;
    after = answer.paging->cursors->after.value_or("");
    if (after.empty()) break;
  }
  co_return all;
}

awaitable<std::vector<Template>> Client::templates(const Account& account) {
  auto listed = co_await list<TemplatesAnswer>(
      account,
      "/" + account.businessAccountId + "/message_templates?fields=id,name,language,category,status,components");
  std::vector<Template> out;
  for (auto& item : listed.data) {
    if (!item.id || !item.name || !item.language) continue;
    auto components = item.components.value_or(model::RawJson{"[]"});
    out.push_back({std::move(*item.id), std::move(*item.name), std::move(*item.language), item.category.value_or(""),
                   item.status.value_or(""), std::move(components)});
  }
  co_return out;
}

// Older versions of the channel refuse the list when they are asked for a field that they do not know.
awaitable<PhoneNumbersAnswer> Client::list_numbers(const Account& account) {
  const auto target = "/" + account.businessAccountId +
                      "/phone_numbers?fields=id,display_phone_number,verified_name,quality_rating,throughput,"
                      "platform_type";
  try {
    co_return co_await list<PhoneNumbersAnswer>(account, target + ",whatsapp_business_manager_messaging_limit");
  } catch (const http::Problem& problem) {
    if (problem.status != 502) throw;
  }
  co_return co_await list<PhoneNumbersAnswer>(account, target);
}

awaitable<std::vector<PhoneNumber>> Client::phone_numbers(const Account& account) {
  auto listed = co_await list_numbers(account);
  std::vector<PhoneNumber> out;
  for (auto& item : listed.data) {
    if (!item.id) continue;
    const auto level = item.throughput ? item.throughput->level.value_or("") : "";
    out.push_back({std::move(*item.id), item.display_phone_number.value_or(""), item.verified_name.value_or(""),
                   item.quality_rating.value_or(""), level, item.platform_type == "CLOUD_API",
                   item.whatsapp_business_manager_messaging_limit.value_or("")});
  }
  co_return out;
}

awaitable<std::string> Client::upload(const Account& account, std::string_view mime_type, std::uint64_t size,
                                      http::BodySource& content) {
  Form form(mime_type, content);
  http::ClientRequest request;
  request.method = http::Method::post;
  request.target = "/" + account.phoneNumberId + "/media";
  request.head = bearer(account) + form.type();
  request.source = &form;
  request.source_size = form.size_with(size);
  request.answer_time = kUploadTime;
  auto answer = read_answer<IdAnswer>(co_await call(std::move(request)));
  co_return std::move(answer.id);
}

awaitable<std::optional<MediaPlace>> Client::find_media(const Account& account, std::string id) {
  if (!is_media_id(id)) co_return std::nullopt;
  http::ClientRequest request{.target = "/" + id + "?phone_number_id=" + account.phoneNumberId,
                              .head = bearer(account)};
  const auto response = co_await call(std::move(request));
  // What is unknown, no more there or another's comes as a bad parameter.
  const auto answer = model::from_json<ErrorAnswer>(response.body);
  const auto refusal = answer ? read_refusal(answer->error, response.status) : std::nullopt;
  if (refusal && refusal->reaction == Reaction::give_up) co_return std::nullopt;
  auto media = read_answer<MediaAnswer>(response);
  co_return MediaPlace{std::move(media.url), media.mime_type.value_or("")};
}

awaitable<std::unique_ptr<http::Exchange>> Client::download(const Account& account, std::string url) {
  const auto host = std::find_if(media_hosts_.begin(), media_hosts_.end(), [&](const MediaHost& known) {
    return url.starts_with(known.origin) && url.substr(known.origin.size(), 1) == "/";
  });
  // Wherever else it leads, the token does not go there.
  if (host == media_hosts_.end())
    give_up(no_use("says that this lies where it has no media"),
            std::string_view(url).substr(0, url.find('/', url.find("//") + 2)));
  http::ClientRequest request{.target = url.substr(host->origin.size()), .head = bearer(account)};
  request.head += "User-Agent: parley\r\n";  // without any, the channel answers that there is nothing
  request.answer_time = kDownloadTime;
  tracer_.follow(request, host->client->upstream());
  std::unique_ptr<http::Exchange> exchange;
  try {
    exchange = co_await host->client->open(std::move(request));
  } catch (const http::Unreachable& unreachable) {
    throw_unreachable(unreachable);
  }
  if (exchange->status() == 404 || exchange->status() == 410) co_return nullptr;
  if (exchange->status() != 200) throw_refusal(exchange->status(), "");
  co_return exchange;
}

}  // namespace parley::conversations::channel
