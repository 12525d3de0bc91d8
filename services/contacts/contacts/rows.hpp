#pragma once
#include <boost/describe/class.hpp>

#include "common/model/contact.hpp"

namespace parley::contacts::contacts {

struct PageRow : model::ContactSummary {
  std::vector<model::Uuid> list_ids, tag_ids;
};
BOOST_DESCRIBE_STRUCT(PageRow, (model::ContactSummary), (list_ids, tag_ids))

struct TallyRow {
  std::int64_t contacts = 0;
  std::int64_t version = 0;
  std::string epoch;
};
BOOST_DESCRIBE_STRUCT(TallyRow, (), (contacts, version, epoch))

struct CountRow {
  std::int64_t version = 0;
  std::int64_t count = 0;
};
BOOST_DESCRIBE_STRUCT(CountRow, (), (version, count))

}  // namespace parley::contacts::contacts
