#include "common/pg/pool.hpp"

#include "common/pg/core.hpp"
#include "common/pg/replica.hpp"

namespace parley::pg {

asio::io_context& Pool::context() const { return core_->context(); }

Pool::Pool(asio::io_context& context, Settings settings) : core_(std::make_shared<Core>(context, settings)) {
  if (!settings.replica_url.empty()) replica_ = std::make_shared<Replica>(context, core_, settings);
}

Pool::~Pool() {
  if (replica_) replica_->shut();
  core_->shut();
}

void Pool::start() {
  core_->start();
  if (replica_) replica_->start();
}

awaitable<void> Pool::close() {
  co_await core_->close();
  if (replica_) co_await replica_->close();
}

bool Pool::available() const { return core_->available(); }
LaneStats Pool::stats(Lane lane) const {
  if (lane != Lane::replica) return core_->stats(lane);
  return replica_ ? replica_->stats() : LaneStats();
}
ReplicaReads Pool::replica_reads() const { return replica_ ? replica_->reads() : ReplicaReads(); }

void Pool::observe(Observer observer) {
  if (replica_) replica_->observe(observer);
  core_->observe(std::move(observer));
}

void Pool::observe_waits(WaitObserver observer) {
  if (replica_) replica_->observe_waits(observer);
  core_->observe_waits(std::move(observer));
}

void Pool::on_publish(std::function<void()> published) { core_->on_publish(std::move(published)); }

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

awaitable<Results> Pool::read_anywhere(Batch batch) {
  if (!replica_) return read(std::move(batch));
  const auto frame = core_->frame_of(Lane::read, batch.size());
  return Replica::read(replica_, core_->prepare(std::move(batch), Lane::read, frame));
}

awaitable<Results> Pool::slow_anywhere(Batch batch) {
  if (!replica_) return slow(std::move(batch));
  const auto frame = core_->frame_of(Lane::slow, batch.size());
  return Replica::read(replica_, core_->prepare(std::move(batch), Lane::slow, frame));
}

awaitable<Results> Pool::write(Batch batch) {
  if (batch.empty()) throw MappingError("an empty batch");
  return Core::run_alone(core_, core_->prepare(std::move(batch), Lane::write, Frame::transaction));
}

}  // namespace parley::pg
