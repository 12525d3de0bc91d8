#include "conversations/campaigns/rendering/composition.hpp"

#include <algorithm>
#include <set>

#include "common/http/query.hpp"
#include "common/model/text.hpp"
#include "conversations/campaigns/rendering/text.hpp"

namespace parley::conversations::rendering {

namespace {

constexpr std::string_view kCut = "…";

}  // namespace

std::size_t Composition::variant_drawn(std::int64_t draw) const {
  auto left = draw;
  for (std::size_t i = 1; i < variants_.size(); ++i) {
    left -= variants_[i].share;
    if (left < 0) return i;
  }
  return 0;
}

std::vector<std::int64_t> Composition::draw_bounds() const {
  std::vector<std::int64_t> out;
  std::int64_t bound = 0;
  for (std::size_t i = 1; i < variants_.size(); ++i) out.push_back(bound += variants_[i].share);
  return out;
}

std::vector<std::size_t> Composition::deciding() const {
  std::set<std::size_t> out;
  for (const auto& variant : variants_)
    for (const auto& text : variant.wanted)
      for (auto i = text.first; i < text.last; ++i)
        if (const auto& piece = variant.pieces[i]; piece.what == What::value) out.insert(piece.index);
  return {out.begin(), out.end()};
}

std::string_view Composition::value_of(const Piece& piece, Parameters parameters) {
  // The parameters of a deleted contact are empty.
  if (piece.index >= parameters.size()) return piece.text;
  const auto& value = parameters[piece.index];
  if (!value || model::is_blank(*value)) return piece.text;
  if (piece.manner == Manner::whole && value->size() > kWholeValue) return piece.text;
  if (piece.manner == Manner::url && encoded_size(*value) > kWholeValue) return piece.text;
  return *value;
}

bool Composition::misses_value(std::size_t variant, Parameters parameters) const {
  const auto& pieces = variants_.at(variant).pieces;
  const auto& wanted = variants_.at(variant).wanted;
  return std::any_of(wanted.begin(), wanted.end(), [&](const Wanted& text) {
    std::size_t there = 0, missing = 0;
    for (auto i = text.first; i < text.last; ++i)
      if (pieces[i].what == What::value) ++(value_of(pieces[i], parameters).empty() ? missing : there);
    return text.each ? missing > 0 : there == 0;
  });
}

std::vector<std::string> Composition::missing(std::size_t variant, Parameters parameters) const {
  std::vector<std::string> out;
  for (const auto& piece : variants_.at(variant).pieces) {
    if (piece.what != What::value || !value_of(piece, parameters).empty()) continue;
    const auto& name = variables_[piece.index];
    if (std::find(out.begin(), out.end(), name) == out.end()) out.push_back(name);
  }
  return out;
}

// Returns the maximum of characters per value: unlimited if all fit, else an equal share of the room.
std::size_t Composition::max_of_each(const Variant& variant, const Budget& budget, Parameters parameters) {
  std::size_t wanted = 0;
  for (auto i = budget.first; i < budget.last; ++i) {
    const auto& piece = variant.pieces[i];
    if (piece.what != What::value || piece.manner == Manner::url) continue;
    const auto value = value_of(piece, parameters);
    wanted += model::count_characters(value).value_or(value.size());
  }
  return wanted <= budget.room ? std::string::npos : budget.room / budget.values;
}

void Composition::append_value(std::string& out, const Piece& piece, std::string_view value, std::size_t most) {
  if (piece.manner == Manner::url) return http::append_encoded(out, value);
  if (most != std::string::npos && model::first_characters(value, most).size() < value.size()) {
    append_value(out, piece, model::first_characters(value, most - 1), std::string::npos);
    out += kCut;
  } else if (std::none_of(value.begin(), value.end(), [](char c) { return is_control(c) || c == ' '; })) {
    append_json(out, value);
  } else {
    append_json(out, piece.manner == Manner::words ? without_controls(value) : on_one_line(value));
  }
}

Composition::Rendered Composition::render(std::size_t number, Parameters parameters, const Link& link) const {
  const auto& variant = variants_.at(number);
  Rendered out{variant.type, {}};
  out.data.reserve(variant.size);
  auto budget = variant.budgets.begin();
  std::size_t most = std::string::npos;
  for (std::size_t i = 0; i < variant.pieces.size(); ++i) {
    if (budget != variant.budgets.end() && budget->last == i) {
      most = std::string::npos;
      ++budget;
    }
    if (budget != variant.budgets.end() && budget->first == i) most = max_of_each(variant, *budget, parameters);
    const auto& piece = variant.pieces[i];
    const auto begin = out.data.size();
    if (piece.what == What::literal) {
      out.data += piece.text;
    } else if (piece.what == What::value) {
      append_value(out.data, piece, value_of(piece, parameters), most);
    } else if (!link) {
      append_json(out.data, urls_[piece.index]);
    } else {
      link(out.data, piece.index);
      const auto slash = out.data.rfind('/');
      if (piece.what == What::code && slash != out.data.npos && slash >= begin)
        out.data.erase(begin, slash + 1 - begin);
    }
  }
  return out;
}

}  // namespace parley::conversations::rendering
