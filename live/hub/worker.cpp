#include "live/hub/worker.h"

#include <exception>

namespace bristle::live {

Worker::Worker() : thread_([this] { run(); }) {}

Worker::~Worker() {
    {
        const std::lock_guard lock(mutex_);
        is_ending_ = true;
    }
    changed_.notify_one();
    thread_.join();
}

void Worker::post(std::function<void()> task) {
    {
        const std::lock_guard lock(mutex_);
        tasks_.push_back(std::move(task));
    }
    changed_.notify_one();
}

void Worker::run() {
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [&] { return is_ending_ || !tasks_.empty(); });
        if (tasks_.empty()) return;
        {
            const std::function<void()> task = std::move(tasks_.front());
            tasks_.pop_front();
            lock.unlock();
            try {
                task();
            } catch (
                const std::exception&) {  // it has told whom it concerns; the next one is another's
            }
        }  // what the task held goes before the lock is taken
        lock.lock();
    }
}

}  // namespace bristle::live
