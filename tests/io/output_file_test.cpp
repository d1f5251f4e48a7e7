#include "io/output_file.h"

#include "tests/support/random.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace bristle {
namespace {

using io::OutputFile;
using testing_support::Random;

class OutputFiles : public testing::Test {
  protected:
    OutputFiles() {
        // In memory, where no sync takes nearly all of the time: moments between two names are then hit more often.
        const std::filesystem::path memory = "/dev/shm";
        std::string name =
            (access(memory.c_str(), W_OK) == 0 ? memory : std::filesystem::temp_directory_path())
            / "bristle_XXXXXX";
        folder_ = mkdtemp(name.data());
    }
    ~OutputFiles() override { std::filesystem::remove_all(folder_); }
    OutputFiles(const OutputFiles&) = delete;
    OutputFiles& operator=(const OutputFiles&) = delete;

    std::filesystem::path table() const { return folder_ / "a.csv"; }
    std::filesystem::path page() const { return folder_ / "a.html"; }
    static std::string read(const std::filesystem::path& path) {
        std::ifstream file(path);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    void write_both(const std::string& text) const {
        OutputFile one(table(), OutputFile::Kind::growing),
            other(page(), OutputFile::Kind::whole_or_nothing);
        one.write(text);
        other.write(text);
        OutputFile::publish(one, other);
    }

  private:
    std::filesystem::path folder_;
};

// Waits for whoever still has the lock of a file.
void wait_for(const std::filesystem::path& path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    flock(file, LOCK_EX);
    close(file);
}

TEST_F(OutputFiles, OfTwoBothAreNewOrBothOldWhenTheProgramIsKilled) {
    Random random(18);
    write_both("begin");
    for (int kill_number = 0; kill_number < 150; ++kill_number) {
        const pid_t victim = fork();
        if (victim == 0) {
            for (int i = 0;; ++i) write_both(std::to_string(kill_number) + " " + std::to_string(i));
        }
        usleep(static_cast<useconds_t>(random.uniform(0, 3000)));
        kill(victim, SIGKILL);
        waitpid(victim, nullptr, 0);
        wait_for(table());
        ASSERT_EQ(read(table()), read(page())) << "kill " << kill_number;
    }
    write_both("end");  // what is left over is not in the way
    EXPECT_EQ(read(page()), "end");
}

TEST_F(OutputFiles, TwoWithoutOldOnesGetTheirNames) {
    write_both("first");
    EXPECT_EQ(read(table()), "first");
    EXPECT_EQ(read(page()), "first");
    EXPECT_FALSE(std::filesystem::exists(page().string() + ".part"));
}

TEST_F(OutputFiles, WhatCannotGetItsNameIsTold) {
    write_both("old");
    OutputFile one(table(), OutputFile::Kind::growing),
        other(page(), OutputFile::Kind::whole_or_nothing);
    one.write("new");
    other.write("new");
    // A folder of that name cannot be replaced by a file.
    std::filesystem::remove(page());
    std::filesystem::create_directory(page());
    EXPECT_THROW(OutputFile::publish(one, other), std::runtime_error);
    // The first one had its name already when the second could not have its own.
    EXPECT_EQ(read(table()), "old");
    EXPECT_TRUE(std::filesystem::is_empty(page()));
}

TEST_F(OutputFiles, NeitherIsThereIfTheSecondOfTwoNewOnesCannotBe) {
    OutputFile one(table(), OutputFile::Kind::whole_or_nothing),
        other(page(), OutputFile::Kind::whole_or_nothing);
    one.write("new");
    other.write("new");
    std::filesystem::create_directory(page());
    EXPECT_THROW(OutputFile::publish(one, other), std::runtime_error);
    EXPECT_FALSE(std::filesystem::exists(table()));
}

TEST_F(OutputFiles, WhatOthersCouldNotReadTheyCannotReadAfterwards) {
    write_both("old");
    std::filesystem::permissions(
        table(), std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    write_both("new");
    EXPECT_EQ(std::filesystem::status(table()).permissions(),
              std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

}  // namespace
}  // namespace bristle
