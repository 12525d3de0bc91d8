#pragma once
#include <boost/json/object.hpp>
#include <string>

#include "conversations/channel/notices/shapes.hpp"
#include "conversations/channel/templates/report.hpp"

namespace parley::conversations::webhooks {

// Whether a change of this field tells something about the account.
bool is_about_account(std::string_view field);

// From the change's value, or one of its errors; without `key`, `at` and the account.
// https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/account_update and the
// pages of the other fields beside it
notices::News read_account_news(const std::string& field, const boost::json::object& value);
notices::News read_error_news(const boost::json::object& error);

// The same for templates; of a report `business_account_id` and `at` are missing.
bool is_about_template(std::string_view field);
templates::Report read_template_report(std::string_view field, const boost::json::object& value);

}  // namespace parley::conversations::webhooks
