#pragma once
#include <boost/describe/class.hpp>
#include <string>

namespace parley::organizations::options {

// What a page must know before anybody signs in.
struct Options {
  bool isSignUpOpen = false;
  std::string channelApplicationId;  // of the channel's embedded sign-up
  bool isMailOn = false;             // invitations and links for passwords are mailed
};
BOOST_DESCRIBE_STRUCT(Options, (), (isSignUpOpen, channelApplicationId, isMailOn))

struct OptionsResponse {
  Options options;
};
BOOST_DESCRIBE_STRUCT(OptionsResponse, (), (options))

struct NoParameters {};
BOOST_DESCRIBE_STRUCT(NoParameters, (), ())

}  // namespace parley::organizations::options
