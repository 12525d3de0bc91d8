#include "common/redis/reply.hpp"

#include <hiredis/hiredis.h>

#include <algorithm>
#include <array>

namespace parley::redis {

Reply copy_of(const redisReply& reply) {
  Reply out;
  switch (reply.type) {
    case REDIS_REPLY_STRING:
    case REDIS_REPLY_STATUS:
    case REDIS_REPLY_ERROR:
      out.kind = reply.type == REDIS_REPLY_STRING   ? Reply::Kind::string
                 : reply.type == REDIS_REPLY_STATUS ? Reply::Kind::status
                                                    : Reply::Kind::error;
      out.text.assign(reply.str, reply.len);
      break;
    case REDIS_REPLY_INTEGER:
      out.kind = Reply::Kind::integer;
      out.integer = reply.integer;
      break;
    case REDIS_REPLY_ARRAY:
      out.kind = Reply::Kind::array;
      out.items.reserve(reply.elements);
      for (std::size_t i = 0; i < reply.elements; ++i) out.items.push_back(copy_of(*reply.element[i]));
      break;
    default:
      out.kind = Reply::Kind::nil;
  }
  return out;
}

namespace {

std::string_view first_word(std::string_view text) { return text.substr(0, text.find(' ')); }

}  // namespace

bool is_refusal(std::string_view error_text) {
  static constexpr std::array<std::string_view, 11> refusals = {"OOM",        "READONLY",   "LOADING",     "MISCONF",
                                                                "MASTERDOWN", "NOREPLICAS", "CLUSTERDOWN", "TRYAGAIN",
                                                                "BUSY",       "NOAUTH",     "NOPERM"};
  return std::find(refusals.begin(), refusals.end(), first_word(error_text)) != refusals.end();
}

bool is_another_master(std::string_view error_text) {
  const auto word = first_word(error_text);
  return word == "READONLY" || word == "MASTERDOWN" || word == "LOADING";
}

}  // namespace parley::redis
