#include "conversations/channel/media/api.hpp"

#include <sodium/crypto_hash_sha256.h>

#include <algorithm>

#include "common/chassis/change.hpp"
#include "common/http/form.hpp"
#include "common/http/query.hpp"
#include "common/model/text.hpp"

namespace parley::conversations::media {

using identity::Permission;

Api::Api(chassis::Process& process, Store& store, channel::Accounts& accounts, channel::Client& channel)
    : store_(store), accounts_(accounts), channel_(channel) {
  auto routes = process.pipeline().mount(*this);
  routes.post("/api/messages/media", Permission::create_message, &Api::upload);
  routes.get("/api/messages/{id}/media", Permission::get_message, &Api::download);
  process.limits().streamed.emplace_back("/api/messages/media");
}

namespace {

// A file to be uploaded: the body itself, or the file of a form.
struct File {
  const Kind* kind = nullptr;
  std::uint64_t size = 0;
  http::BodySource* content = nullptr;
  std::unique_ptr<http::FormFile> of_form{};
};

void check(const http::Request& request) {
  const auto coding = request.field("Content-Encoding");
  if (!coding.empty() && !model::equals_ignoring_case(coding, "identity"))
    throw http::Problem(
        {.status = 415, .detail = "the body must not be compressed", .head = "Accept-Encoding: identity\r\n"});
  if (!request.has_body) throw http::Problem({.status = 400, .detail = "the body is missing: the file is expected"});
  if (!request.content_length)
    throw http::Problem({.status = 411, .detail = "a file needs a Content-Length: the channel takes none without"});
}

const Kind& kind_of(std::string_view content_type, std::uint64_t size) {
  const auto* const kind = find_kind(content_type);
  if (!kind)
    throw http::Problem(
        {.status = 415, .detail = "the Content-Type must be what the channel takes: " + std::string(known_kinds())});
  if (size > kind->most)
    throw http::Problem({.status = 413,
                         .detail = "a file of type " + std::string(kind->mime_type) + " may have at most " +
                                   std::to_string(kind->most) + " octets"});
  return *kind;
}

awaitable<File> file_of(http::Request& request) {
  check(request);
  const auto type = request.field("Content-Type");
  const auto boundary = http::form_boundary(type);
  if (boundary.empty())
    co_return File{&kind_of(type, *request.content_length), *request.content_length, request.body_source};
  auto form = std::make_unique<http::FormFile>(*request.body_source, boundary);
  co_await form->begin();
  const auto size = form->expect_size_in(*request.content_length);
  if (size == 0) throw http::Problem({.status = 400, .detail = "the form's file is empty"});
  File file{&kind_of(form->content_type(), size), size, form.get()};
  file.of_form = std::move(form);
  co_return file;
}

// Hashes a file while it streams. The hash stands for the body when an idempotency key is checked.
class Hashed final : public http::BodySource {
 public:
  explicit Hashed(http::BodySource& content) : content_(content) { crypto_hash_sha256_init(&hash_); }
  awaitable<std::string_view> next() override {
    const auto piece = co_await content_.next();
    crypto_hash_sha256_update(&hash_, reinterpret_cast<const unsigned char*>(piece.data()), piece.size());
    co_return piece;
  }
  std::string hash() {
    std::string out(crypto_hash_sha256_BYTES, '\0');
    crypto_hash_sha256_final(&hash_, reinterpret_cast<unsigned char*>(out.data()));
    return out;
  }

 private:
  http::BodySource& content_;
  crypto_hash_sha256_state hash_;
};

http::Problem no_media() { return chassis::not_found("there is no message with this id that has a file"); }

// RFC 6266. The sender chose the name: all but the plainest characters are encoded (RFC 8187).
std::string disposition(bool inert, const std::string& file_name) {
  std::string out = inert ? "inline" : "attachment";
  if (file_name.empty()) return out;
  out += "; filename*=UTF-8''";
  http::append_encoded(out, file_name);
  return out;
}

bool is_media_type(std::string_view text) {
  return text.size() > 2 && text.size() <= 255 && text.find('/') != text.npos &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c < 127; });
}

}  // namespace

awaitable<std::shared_ptr<const channel::Account>> Api::account_of(chassis::Call& call) {
  auto account = co_await accounts_.of_organization(call.organization());
  if (!account) throw http::Problem({.status = 409, .detail = "connect a messaging business account first"});
  co_return account;
}

// A repeated request uploads again, which costs nothing lasting: the channel drops media after 30 days.
awaitable<http::Response> Api::upload(chassis::Call& call, chassis::Change& change) {
  const auto file = co_await file_of(call.request);
  const auto account = co_await account_of(call);
  Hashed content(*file.content);
  auto id = co_await channel_.upload(*account, file.kind->mime_type, file.size, content);
  change.identify_body(content.hash());
  UploadedResponse answer{{std::move(id), std::string(file.kind->mime_type), static_cast<std::int64_t>(file.size)}};
  co_return http::json_response(answer, 201);
}

awaitable<http::Response> Api::download(chassis::Call& call) {
  const auto found = co_await store_.find(call.organization(), call.id());
  if (!found) throw no_media();
  if (found->media_id.value_or("").empty())
    throw chassis::not_found("this message's file is where its messageData.link says");
  const auto account = co_await account_of(call);
  const auto place = co_await channel_.find_media(*account, *found->media_id);
  std::unique_ptr<http::Exchange> file;
  if (place) file = co_await channel_.download(*account, place->url);
  if (!file) throw http::Problem({.status = 410, .detail = "the channel does not have this file any more"});

  auto type = std::string(http::find_field(file->fields(), "Content-Type"));
  if (!is_media_type(type)) type = is_media_type(place->mime_type) ? place->mime_type : "application/octet-stream";
  const auto* const kind = find_kind(type);
  http::Response response;
  response.content_type = {};
  response.add("Content-Type", type);
  response.add("Content-Disposition", disposition(kind && kind->inert, found->file_name.value_or("")));
  response.add("X-Content-Type-Options", "nosniff");
  response.add("Content-Security-Policy", "default-src 'none'; sandbox");
  response.stream_length = file->content_length();
  response.stream = std::move(file);
  co_return response;
}

}  // namespace parley::conversations::media
