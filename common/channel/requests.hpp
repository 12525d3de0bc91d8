#pragma once
// The channel's calls as HTTP requests. Targets are without the version, which is part of the channel's URL. Ids go
// into paths as they are: they are digits, or were checked by who calls. Tokens are never to be logged.
#include "common/http/client.hpp"

namespace parley::cloud_api {

// Connecting an account.

// GET /oauth/access_token -> TokenResponse. It spends the code: sent once, whatever happens.
http::ClientRequest exchange_code(std::string_view app_id, std::string_view app_secret, std::string_view code);
// POST /{business account}/subscribed_apps -> SuccessResponse. An empty callback leaves the application's own.
http::ClientRequest subscribe(std::string_view business_account_id, std::string_view token, std::string_view callback,
                              std::string_view verify_token);
// GET /{phone number} -> PhoneNumberResponse
http::ClientRequest show_phone_number(std::string_view id, std::string_view token);
// POST /{phone number}/register -> SuccessResponse. The PIN is six digits.
http::ClientRequest register_phone_number(std::string_view id, std::string_view token, std::string_view pin);

// Messages.

// POST /{phone number}/messages -> MessageResponse. Not to be sent again: the channel would send the message twice.
http::ClientRequest send_message(std::string_view phone_number_id, std::string_view token, std::string body);
// The same for a receipt, which may be sent again.
http::ClientRequest mark_read(std::string_view phone_number_id, std::string_view token,
                              std::string_view channel_message_id);

// Lists come in pages: `after` is what the page before ended with, "" for the first one.

// GET /{business account}/message_templates -> TemplatesResponse
http::ClientRequest list_templates(std::string_view business_account_id, std::string_view token,
                                   std::string_view after);
// GET /{business account}/phone_numbers -> PhoneNumbersResponse. Older versions of the channel refuse the call when
// they are asked for the messaging limit.
http::ClientRequest list_phone_numbers(std::string_view business_account_id, std::string_view token,
                                       bool with_messaging_limit, std::string_view after);

// Media.

// POST /{phone number}/media -> IdResponse. Its body, a form, and the field that tells its type are the caller's to
// add.
http::ClientRequest upload_media(std::string_view phone_number_id, std::string_view token);
// GET /{medium} -> MediaResponse
http::ClientRequest find_media(std::string_view id, std::string_view phone_number_id, std::string_view token);
// GET of a path where a medium lies
http::ClientRequest download_media(std::string path, std::string_view token);

}  // namespace parley::cloud_api
