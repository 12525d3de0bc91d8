#pragma once
#include "common/contracts/contacts.hpp"

namespace parley::contacts::audience {

using contracts::contacts::AudienceCount;
using contracts::contacts::AudienceCountQuestion;
using contracts::contacts::AudienceGroup;
using contracts::contacts::AudienceQuestion;
using contracts::contacts::Recipient;

struct RecipientRow : Recipient {
  model::Uuid id;
};
BOOST_DESCRIBE_STRUCT(RecipientRow, (Recipient), (id))

}  // namespace parley::contacts::audience
