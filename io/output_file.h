// The one way a result gets its name: what is there already stays until the new one is whole, and two programs never write
// the same one.
//
// A file that replaces another is written beside it, under its name with .part behind, and renamed at the end; killed on the
// way, a program has lost nothing but its own work. A table that replaces nothing grows under its own name, so that what is
// killed keeps its rows. Both are locked, and so is the one that is replaced: a second program is refused.
#pragma once

#include <filesystem>
#include <string_view>

namespace bristle::io {

class OutputFile {
  public:
    enum class Kind { whole_or_nothing, growing };
    // "-" is standard output, as it was given to us. Throws InputError if it cannot be made, or another program writes it.
    OutputFile(std::filesystem::path, Kind);
    ~OutputFile();  // what was written beside and not published is removed
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    void write(std::string_view);  // throws std::runtime_error
    // It is complete, and gets its name. Throws std::runtime_error.
    void publish();
    // The same of two that belong together: both get their names or none does, also when this program is killed meanwhile.
    static void publish(OutputFile&, OutputFile&);

    const std::filesystem::path& path() const { return path_; }
    // Where it is until then; empty if it is there already.
    const std::filesystem::path& beside() const { return beside_; }

  private:
    void open_beside();
    bool is_regular() const;
    [[noreturn]] void fail() const;
    void sync() const;
    void rename();
    static void rename_both(OutputFile&, OutputFile&);

    std::filesystem::path path_, beside_;
    int file_ = -1, replaced_ = -1;
};

// All of it, or std::runtime_error with the name.
void write_all(int file, std::string_view bytes, const std::filesystem::path& name);
// So that the name, too, survives a failure of power.
void sync_folder(const std::filesystem::path& file);

// Throws InputError if what is to be written is what is read.
void refuse_to_overwrite(const std::filesystem::path& input, const std::filesystem::path& output);

}  // namespace bristle::io
