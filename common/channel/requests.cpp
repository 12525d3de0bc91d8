#include "common/channel/requests.hpp"

#include "common/http/query.hpp"
#include "common/model/json.hpp"

namespace parley::cloud_api {

namespace {

constexpr std::string_view kPageSize = "100";
constexpr std::string_view kTemplates =
    "/message_templates?fields=id,name,language,category,status,rejected_reason,quality_score,components";

http::ClientRequest get(std::string target, std::string_view token) {
  return {.target = std::move(target), .head = "Authorization: Bearer " + std::string(token) + "\r\n"};
}

http::ClientRequest post(std::string target, std::string_view token, std::string body, bool replayable) {
  auto out = get(std::move(target), token);
  out.method = http::Method::post;
  out.head += "Content-Type: application/json\r\n";
  out.body = std::move(body);
  out.replayable = replayable;
  return out;
}

std::string path(std::string_view id, std::string_view edge = {}) {
  std::string out = "/";
  out.append(id).append(edge);
  return out;
}

http::ClientRequest page(std::string target, std::string_view token, std::string_view after) {
  target.append("&limit=").append(kPageSize);
  if (!after.empty()) {
    target += "&after=";
    http::append_encoded(target, after);
  }
  return get(std::move(target), token);
}

}  // namespace

http::ClientRequest exchange_code(std::string_view app_id, std::string_view app_secret, std::string_view code) {
  http::ClientRequest out;
  out.replayable = false;
  out.target = "/oauth/access_token?client_id=";
  http::append_encoded(out.target, app_id);
  out.target += "&client_secret=";
  http::append_encoded(out.target, app_secret);
  out.target += "&code=";
  http::append_encoded(out.target, code);
  return out;
}

http::ClientRequest subscribe(std::string_view business_account_id, std::string_view token, std::string_view callback,
                              std::string_view verify_token) {
  std::string body = "{}";
  if (!callback.empty()) {
    body = R"({"override_callback_uri":)";
    model::write(body, callback);
    body += R"(,"verify_token":)";
    model::write(body, verify_token);
    body += '}';
  }
  return post(path(business_account_id, "/subscribed_apps"), token, std::move(body), true);
}

http::ClientRequest show_phone_number(std::string_view id, std::string_view token) {
  return get(path(id, "?fields=code_verification_status,verified_name,display_phone_number"), token);
}

http::ClientRequest register_phone_number(std::string_view id, std::string_view token, std::string_view pin) {
  std::string body = R"({"messaging_product":"whatsapp","pin":)";
  model::write(body, pin);
  body += '}';
  return post(path(id, "/register"), token, std::move(body), false);
}

http::ClientRequest send_message(std::string_view phone_number_id, std::string_view token, std::string body) {
  return post(path(phone_number_id, "/messages"), token, std::move(body), false);
}

http::ClientRequest mark_read(std::string_view phone_number_id, std::string_view token,
                              std::string_view channel_message_id) {
  std::string body = R"({"messaging_product":"whatsapp","status":"read","message_id":)";
  model::write(body, channel_message_id);
  body += '}';
  return post(path(phone_number_id, "/messages"), token, std::move(body), true);
}

http::ClientRequest list_templates(std::string_view business_account_id, std::string_view token,
                                   std::string_view after) {
  return page(path(business_account_id, kTemplates), token, after);
}

http::ClientRequest find_templates(std::string_view business_account_id, std::string_view token, std::string_view name,
                                   std::string_view after) {
  auto target = path(business_account_id, kTemplates) + "&name=";
  http::append_encoded(target, name);
  return page(std::move(target), token, after);
}

http::ClientRequest create_template(std::string_view business_account_id, std::string_view token, std::string body) {
  return post(path(business_account_id, "/message_templates"), token, std::move(body), false);
}

http::ClientRequest edit_template(std::string_view id, std::string_view token, std::string body) {
  return post(path(id), token, std::move(body), false);
}

http::ClientRequest delete_template(std::string_view business_account_id, std::string_view token, std::string_view name,
                                    std::string_view id) {
  auto out = get(path(business_account_id, "/message_templates?hsm_id=").append(id) + "&name=", token);
  http::append_encoded(out.target, name);
  out.method = http::Method::del;
  out.replayable = true;
  return out;
}

http::ClientRequest list_phone_numbers(std::string_view business_account_id, std::string_view token,
                                       bool with_messaging_limit, std::string_view after) {
  auto target = path(business_account_id,
                     "/phone_numbers?fields=id,display_phone_number,verified_name,quality_rating,throughput,"
                     "platform_type");
  if (with_messaging_limit) target += ",whatsapp_business_manager_messaging_limit";
  return page(std::move(target), token, after);
}

http::ClientRequest upload_media(std::string_view phone_number_id, std::string_view token) {
  auto out = get(path(phone_number_id, "/media"), token);
  out.method = http::Method::post;
  return out;
}

http::ClientRequest begin_upload(std::string_view token, std::string_view mime_type, std::uint64_t size) {
  std::string target = "/app/uploads?file_length=" + std::to_string(size) + "&file_type=";
  http::append_encoded(target, mime_type);
  return post(std::move(target), token, "{}", false);
}

// The scheme is the one that the channel documents for this call.
http::ClientRequest upload_octets(std::string_view session, std::string_view token) {
  return {.method = http::Method::post,
          .target = path(session),
          .head = "Authorization: OAuth " + std::string(token) +
                  "\r\nfile_offset: 0\r\nContent-Type: application/octet-stream\r\n"};
}

http::ClientRequest find_media(std::string_view id, std::string_view phone_number_id, std::string_view token) {
  return get(path(id, "?phone_number_id=").append(phone_number_id), token);
}

// Without a User-Agent the channel responds as if the medium did not exist.
http::ClientRequest download_media(std::string path, std::string_view token) {
  auto out = get(std::move(path), token);
  out.head += "User-Agent: parley\r\n";
  return out;
}

}  // namespace parley::cloud_api
