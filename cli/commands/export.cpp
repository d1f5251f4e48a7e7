#include "cli/commands.h"
#include "cli/frames.h"
#include "cli/json_line.h"
#include "cli/prepare.h"
#include "cli/recordings.h"
#include "console/interrupt.h"
#include "io/output_file.h"
#include "live/record/playback.h"
#include "live/show/simulation.h"
#include "live/wire/protocol.pb.h"
#include "report/csv_file.h"
#include "report/history.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>
#include <memory>

namespace bristle::cli {
namespace {

// Rows of numbers, as CSV or as a JSON object each.
class Rows {
  public:
    Rows(const std::filesystem::path& file, const std::string& format,
         std::vector<std::string> columns)
        : columns_(std::move(columns)) {
        if (format == "csv") {
            csv_ = std::make_unique<report::CsvFile>(file, columns_);
            return;
        }
        json_ = std::make_unique<io::OutputFile>(file, io::OutputFile::Kind::growing);
    }
    void add(const std::vector<double>& row) {
        if (csv_) {
            csv_->add(row);
            return;
        }
        nlohmann::ordered_json line;  // NaN becomes null
        for (size_t i = 0; i < columns_.size(); ++i) line[columns_[i]] = row[i];
        pending_ += json_line(line) + '\n';
        if (pending_.size() > 1 << 16) flush();
    }
    void finish() {
        if (csv_) return csv_->finish();
        flush();
        json_->publish();
    }

  private:
    void flush() {
        json_->write(pending_);
        pending_.clear();
    }

    std::vector<std::string> columns_;
    std::unique_ptr<report::CsvFile> csv_;
    std::unique_ptr<io::OutputFile> json_;
    std::string pending_;
};

// Computes the motion again.
void export_quantities(const ExportOptions& options, const live::RecordingFile& file,
                       const std::filesystem::path& out) {
    const io::Scene scene = file.scene();
    const std::vector<io::Quantity> quantities =
        quantities_of(scene.model, names_in(options.quantities));
    std::vector<std::string> columns{"time (s)"};
    for (const io::Quantity& q : quantities) columns.push_back(report::column_name(q));
    Rows rows(out, options.format, std::move(columns));
    const auto again = file.simulation();
    live::Simulation& simulation = *again;
    const uint64_t last = last_step(file);
    const double every = options.every > 0 ? options.every : scene.output_step;
    const uint64_t stride = stride_for(every > 0 ? every : 1.0 / 60, file.step_length());
    std::vector<double> row;
    for (;;) {
        if (simulation.step() % stride == 0 || simulation.step() == last) {
            row = {simulation.time()};
            for (const io::Quantity& q : quantities) {
                try {
                    row.push_back(q.read(simulation.world()));
                } catch (const InputError&) {  // its object was removed
                    row.push_back(std::numeric_limits<double>::quiet_NaN());
                }
            }
            rows.add(row);
        }
        if (simulation.step() >= last || console::interrupt() != 0) break;
        simulation.advance();
    }
    rows.finish();
}

// The poses that were recorded, of all bodies there ever were.
void export_poses(const ExportOptions& options, const live::RecordingFile& file,
                  const std::filesystem::path& out) {
    live::Playback playback(options.scene);
    playback.go_to(playback.last_time());
    const auto scene = playback.scene();
    std::vector<std::string> columns{"time (s)"};
    for (int body = 1; body < scene->bodies_size(); ++body) {
        const std::string& name = scene->bodies(body).name();
        for (const char* axis : {"x", "y", "z"})
            columns.push_back(fmt::format("{}.position.{} (m)", name, axis));
        for (const char* part : {"w", "x", "y", "z"})
            columns.push_back(fmt::format("{}.orientation.{}", name, part));
    }
    const size_t width = columns.size();
    Rows rows(out, options.format, std::move(columns));
    const uint64_t stride = stride_for(options.every, file.step_length());
    uint64_t next = 0;
    std::vector<double> row;
    file.for_each_frame([&](const live::Frame& frame) {
        if (frame.step < next) return;
        next = (frame.step / stride + 1) * stride;
        row.assign(width, std::numeric_limits<double>::quiet_NaN());
        row[0] = frame.time;
        for (size_t i = 7; i < frame.poses.size() && i - 6 < width; ++i)
            row[i - 6] = static_cast<double>(frame.poses[i]);
        rows.add(row);
    });
    rows.finish();
}

}  // namespace

int export_recording(const ExportOptions& options) {
    const live::RecordingFile file = recording_to_export(options);
    std::filesystem::path out = options.out;
    if (options.out.empty())
        out = std::filesystem::path(options.scene).replace_extension(options.format);
    io::refuse_to_overwrite(options.scene, out);
    console::catch_interrupts();
    if (options.quantities.empty())
        export_poses(options, file, out);
    else
        export_quantities(options, file, out);
    if (options.out != "-") fmt::print("{}\n", out.string());
    return console::interrupt() != 0 ? console::interrupt_exit_code() : 0;
}

}  // namespace bristle::cli
