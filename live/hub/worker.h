// A thread for what takes its time: one task after the other.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace bristle::live {

class Worker {
  public:
    Worker();
    ~Worker();  // once all is done
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    void post(std::function<void()> task);  // must not throw

  private:
    void run();

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::function<void()>> tasks_;
    bool is_ending_ = false;
    std::thread thread_;
};

}  // namespace bristle::live
