#include "emu/amd/wave/launch.h"
#include "emu/amd/wave/launch_run.h"
#include "emu/memory/guard.h"

#include <fmt/format.h>

namespace mockgpu::emu::amd {

CodeCache& EngineState::cache(const isa::amd::Target& target) {
  for (const auto& cache : caches) {
    if (&cache->target() == &target) return *cache;
  }
  caches.push_back(std::make_unique<CodeCache>(target, *kernels, options.observer != nullptr));
  return *caches.back();
}

struct Engine::Impl {
  EngineState state;
};

Engine::Engine(Options options) : impl_(new Impl{EngineState{std::move(options), {}, {}, {}, {}, {}, {}}}) {
  EngineState& state = impl_->state;
  const std::string& level = state.options.level;
  state.kernels = find_level(level.empty() ? nullptr : level.c_str());
  if (!state.kernels) {
    throw Error(Tag::bad_usage,
                fmt::format("level \"{}\" is not one that this build has and this host can run", level));
  }
  if (state.options.threads == 0) state.options.threads = 1;
  Guard::arm();  // memory of the client may go away under a launch
}

Engine::~Engine() = default;

Engine::ExecutionPtr Engine::start(const Launch& launch) {
  EngineState& state = impl_->state;
  std::unique_ptr<LaunchRun> run;
  if (state.idle.empty()) {
    run = std::make_unique<LaunchRun>(state);
  } else {
    run = std::move(state.idle.back());
    state.idle.pop_back();
  }
  run->begin(launch);
  ++state.running;
  return ExecutionPtr(run.release(), Recycle{this});
}

void Engine::Recycle::operator()(Execution* execution) const {
  EngineState& state = engine->impl_->state;
  state.idle.emplace_back(static_cast<LaunchRun*>(execution));
  if (--state.running > 0) return;
  for (const auto& cache : state.caches) cache->drop_replaced();
}

void Engine::observe(Observer* observer) {
  impl_->state.options.observer = observer;
  impl_->state.caches.clear();
}

void Engine::invalidate_code() {
  // Launches in flight check their code again at their next look; new launches do so anyway.
  ++impl_->state.launches;
}

std::string_view Engine::level() const { return impl_->state.kernels->name; }

Outcome run_launch(const Launch& launch, AddressSpace& memory, const Engine::Options& options) {
  Engine engine(options);
  const Engine::ExecutionPtr execution = engine.start(launch);
  while (execution->run(0, AddressSpace::Pin(memory)) == Progress::running) {
  }
  return execution->outcome();
}

}  // namespace mockgpu::emu::amd
