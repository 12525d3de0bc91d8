#pragma once
#include <boost/describe/class.hpp>
#include <string>

namespace parley::model {

// A resource with its version: see common/http/etag.hpp. A row of it has the column `version` as text.
template <class T>
struct Versioned : T {
  std::string version;
  BOOST_DESCRIBE_CLASS(Versioned, (T), (version), (), ())
};

}  // namespace parley::model
