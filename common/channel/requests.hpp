#pragma once
// The channel's calls as HTTP requests. Targets omit the version, which is part of the channel's URL. Ids are put into
// paths unescaped: they are digits, or checked by the caller. Tokens must never be logged.
#include "common/http/client.hpp"

namespace parley::cloud_api {

// Connecting an account.

// GET /oauth/access_token -> TokenResponse. Consumes the code, so it must be sent only once.
http::ClientRequest exchange_code(std::string_view app_id, std::string_view app_secret, std::string_view code);
// POST /{business account}/subscribed_apps -> SuccessResponse. An empty callback keeps the application's default.
http::ClientRequest subscribe(std::string_view business_account_id, std::string_view token, std::string_view callback,
                              std::string_view verify_token);
// GET /{phone number} -> PhoneNumberResponse
http::ClientRequest show_phone_number(std::string_view id, std::string_view token);
// POST /{phone number}/register -> SuccessResponse. The PIN is six digits.
http::ClientRequest register_phone_number(std::string_view id, std::string_view token, std::string_view pin);

// Messages.

// POST /{phone number}/messages -> MessageResponse. Must not be retried: the channel would send the message twice.
http::ClientRequest send_message(std::string_view phone_number_id, std::string_view token, std::string body);
// The same for a read receipt, which may be retried.
http::ClientRequest mark_read(std::string_view phone_number_id, std::string_view token,
                              std::string_view channel_message_id);

// Lists are paged: `after` is the previous page's cursor, "" for the first page.

// GET /{business account}/message_templates -> TemplatesResponse
http::ClientRequest list_templates(std::string_view business_account_id, std::string_view token,
                                   std::string_view after);
// The same for all languages of a name.
http::ClientRequest find_templates(std::string_view business_account_id, std::string_view token, std::string_view name,
                                   std::string_view after);
// POST /{business account}/message_templates -> SubmissionResponse. A repetition is refused: the name is taken.
http::ClientRequest create_template(std::string_view business_account_id, std::string_view token, std::string body);
// POST /{template} -> SubmissionResponse. Each edit counts for the channel's limit.
http::ClientRequest edit_template(std::string_view id, std::string_view token, std::string body);
// DELETE /{business account}/message_templates -> SubmissionResponse: one language of the name. Idempotent, but for the
// answer.
http::ClientRequest delete_template(std::string_view business_account_id, std::string_view token, std::string_view name,
                                    std::string_view id);
// GET /{business account}/phone_numbers -> PhoneNumbersResponse. Older versions of the channel refuse the messaging
// limit's field.
http::ClientRequest list_phone_numbers(std::string_view business_account_id, std::string_view token,
                                       bool with_messaging_limit, std::string_view after);

// Media.

// POST /{phone number}/media -> IdResponse. The caller adds the form body and its Content-Type.
http::ClientRequest upload_media(std::string_view phone_number_id, std::string_view token);
// POST /app/uploads -> IdResponse: of a session of a resumable upload, for the application of the token.
http::ClientRequest begin_upload(std::string_view token, std::string_view mime_type, std::uint64_t size);
// POST /{session} -> HandleResponse. The caller adds the octets, from the first to the last.
http::ClientRequest upload_octets(std::string_view session, std::string_view token);
// GET /{medium} -> MediaResponse
http::ClientRequest find_media(std::string_view id, std::string_view phone_number_id, std::string_view token);
// GET of a medium's download path
http::ClientRequest download_media(std::string path, std::string_view token);

}  // namespace parley::cloud_api
