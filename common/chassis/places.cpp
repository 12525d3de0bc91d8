#include "common/chassis/places.hpp"

#include "common/http/problem.hpp"

namespace parley::chassis {

Places::Place Places::take(const http::Request& request, const model::Uuid& organization) {
  if (shares_.may_take(organization)) return std::make_unique<Place::element_type>(shares_, organization);
  const bool has_some = shares_.of(organization) > 0;
  throw http::Problem(
      {.status = has_some ? 429U : 503U,
       .detail = has_some ? "the " + what_ +
                                " of this organization that are under way take its share: wait until one has ended"
                          : "too many " + what_ + " are under way: try again",
       .head = "Retry-After: 10\r\n",
       .close = request.has_body});
}

}  // namespace parley::chassis
