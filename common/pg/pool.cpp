#include "common/pg/pool.hpp"

#include "common/pg/core.hpp"

namespace parley::pg {

Pool::Pool(asio::io_context& context, Settings settings)
    : core_(std::make_shared<Core>(context, std::move(settings))) {}

Pool::~Pool() { core_->shut(); }

void Pool::start() { core_->start(); }
awaitable<void> Pool::close() { return core_->close(); }
bool Pool::available() const { return core_->available(); }
LaneStats Pool::stats(Lane lane) const { return core_->stats(lane); }
void Pool::observe(Observer observer) { core_->observe(std::move(observer)); }

Pending Pool::start_read(Batch batch) {
  const auto frame = core_->frame_of(Lane::read, batch.size());
  auto exchange = core_->prepare(std::move(batch), Lane::read, frame);
  core_->try_read(exchange);
  return Pending(core_, std::move(exchange));
}

awaitable<Results> Pending::get() { return Core::finish_read(std::move(core_), std::move(exchange_)); }

awaitable<Results> Pool::read(Batch batch) { return start_read(std::move(batch)).get(); }

awaitable<Results> Pool::slow(Batch batch) {
  const auto frame = core_->frame_of(Lane::slow, batch.size());
  return Core::run_alone(core_, core_->prepare(std::move(batch), Lane::slow, frame));
}

awaitable<Results> Pool::write(Batch batch) {
  if (batch.empty()) throw MappingError("an empty batch");
  return Core::run_alone(core_, core_->prepare(std::move(batch), Lane::write, Frame::transaction));
}

}  // namespace parley::pg
