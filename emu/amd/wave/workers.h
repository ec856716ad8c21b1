#pragma once
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace mockgpu::emu::amd {

/// Helper threads of an engine. They sleep between jobs.
class Workers {
 public:
  explicit Workers(unsigned helpers);
  ~Workers();

  /// Runs `job` on every helper and on the caller; returns when all have returned. `job` must not throw.
  void run(const std::function<void()>& job);

 private:
  void loop();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  const std::function<void()>* job_ = nullptr;
  unsigned generation_ = 0;
  unsigned busy_ = 0;
  bool stop_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace mockgpu::emu::amd
