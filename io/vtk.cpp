#include "io/vtk.h"

#include <bristle/error.h>

#include <fmt/format.h>

#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>
#include <span>
#include <stdexcept>

namespace bristle::io {
namespace {

static_assert(std::endian::native == std::endian::little, "the files say so");
static_assert(std::numeric_limits<double>::is_iec559);

constexpr const char* file_tag =
    "<?xml version=\"1.0\"?>\n<VTKFile type=\"{}\" version=\"1.0\" byte_order=\"LittleEndian\" "
    "header_type=\"UInt64\">\n";

// Text inside quotes.
std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) switch (c) {
            case '&': out += "&amp;"; break;
            case '<': out += "&lt;"; break;
            case '>': out += "&gt;"; break;
            case '"': out += "&quot;"; break;
            default: out += c;
        }
    return out + '"';
}

[[noreturn]] void fail(const std::filesystem::path& path) {
    throw std::runtime_error(
        fmt::format("cannot write '{}': {}", path.string(), std::strerror(errno)));
}

void write_whole(const std::filesystem::path& path, const std::string& text,
                 const std::string& bytes = {}) {
    // Beside, so that what has its name is whole. Not synced: there are many, and the collection names only whole ones.
    // A device is written as it is.
    std::error_code error;
    const bool is_other =
        std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error);
    std::filesystem::path beside = path;
    if (!is_other) beside += ".part";
    errno = 0;
    std::ofstream out(beside, std::ios::binary);
    out << text << bytes;
    if (!out.flush()) fail(path);
    if (!is_other && std::rename(beside.c_str(), path.c_str()) != 0) fail(path);
}

template <class T> constexpr const char* type_name() {
    if constexpr (std::same_as<T, double>)
        return "Float64";
    else if constexpr (std::same_as<T, int32_t>)
        return "Int32";
    else
        return "Int64";
}

// The text of a file, and the numbers that follow it.
class Piece {
  public:
    template <class T>
    void add(const std::string& name, uint32_t components, std::span<const T> values,
             const std::string& unit = {}) {
        text += fmt::format(
            "<DataArray type=\"{}\" Name={} NumberOfComponents=\"{}\" format=\"appended\" "
            "offset=\"{}\"",
            type_name<T>(), quoted(name), components, bytes.size());
        if (unit.empty())
            text += "/>\n";
        else
            text += fmt::format(
                "><InformationKey name=\"UNITS_LABEL\" location=\"vtkDataArray\">{}"
                "</InformationKey></DataArray>\n",
                unit);
        const uint64_t size = values.size_bytes();
        append(&size, sizeof size);
        append(values.data(), size);
    }
    void add(const char* tag, const std::vector<VtkArray>& arrays) {
        text += fmt::format("<{}>\n", tag);
        for (const VtkArray& array : arrays)
            std::visit(
                [&]<class T>(const std::vector<T>& values) {
                    add<T>(array.name, array.components, values, array.unit);
                },
                array.values);
        text += fmt::format("</{}>\n", tag);
    }

    std::string text, bytes;

  private:
    void append(const void* data, size_t size) {
        if (size > 0) bytes.append(static_cast<const char*>(data), size);
    }
};

void add_points(Piece& piece, const std::vector<Vec3>& points) {
    static_assert(sizeof(Vec3) == 3 * sizeof(double));
    piece.text += "<Points>\n";
    piece.add<double>("points", 3,
                      {points.empty() ? nullptr : &points.front().x, 3 * points.size()});
    piece.text += "</Points>\n";
}

void add_cells(Piece& piece, const VtkPolyData& data) {
    const auto corners_each = static_cast<size_t>(data.kind);
    std::vector<int64_t> corners(data.corners.begin(), data.corners.end()), ends;
    if (data.kind == VtkPolyData::Cells::points)
        for (size_t i = 0; i < data.points.size(); ++i) corners.push_back(static_cast<int64_t>(i));
    for (size_t i = 1; i <= data.cells(); ++i)
        ends.push_back(static_cast<int64_t>(i * corners_each));
    const char* tag = data.kind == VtkPolyData::Cells::points ? "Verts"
                    : data.kind == VtkPolyData::Cells::lines  ? "Lines"
                                                              : "Polys";
    piece.text += fmt::format("<{}>\n", tag);
    piece.add<int64_t>("connectivity", 1, corners);
    piece.add<int64_t>("offsets", 1, ends);
    piece.text += fmt::format("</{}>\n", tag);
}

}  // namespace

size_t VtkPolyData::cells() const {
    return kind == Cells::points ? points.size() : corners.size() / static_cast<size_t>(kind);
}

void write_vtp(const std::filesystem::path& path, const VtkPolyData& data, double time) {
    Piece piece;
    piece.text = fmt::format(fmt::runtime(file_tag), "PolyData") + "<PolyData>\n<FieldData>\n";
    // ParaView's own name for it; a field needs its count of tuples.
    piece.text += fmt::format(
        "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">{}"
        "</DataArray>\n</FieldData>\n",
        time);
    const auto count = [&](VtkPolyData::Cells kind) {
        return data.kind == kind ? data.cells() : size_t{0};
    };
    piece.text += fmt::format(
        "<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"{}\" "
        "NumberOfStrips=\"0\" NumberOfPolys=\"{}\">\n",
        data.points.size(), count(VtkPolyData::Cells::points), count(VtkPolyData::Cells::lines),
        count(VtkPolyData::Cells::triangles));
    piece.add("PointData", data.of_points);
    piece.add("CellData", data.of_cells);
    add_points(piece, data.points);
    add_cells(piece, data);
    piece.text += "</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_";
    write_whole(path, piece.text, piece.bytes + "\n</AppendedData>\n</VTKFile>\n");
}

void write_vtm(const std::filesystem::path& path, const std::vector<VtkBlock>& blocks) {
    std::string text =
        fmt::format(fmt::runtime(file_tag), "vtkMultiBlockDataSet") + "<vtkMultiBlockDataSet>\n";
    for (size_t i = 0; i < blocks.size(); ++i)
        text += fmt::format("<DataSet index=\"{}\" name={} file={}/>\n", i, quoted(blocks[i].name),
                            quoted(blocks[i].file));
    write_whole(path, text + "</vtkMultiBlockDataSet>\n</VTKFile>\n");
}

PvdFile::PvdFile(std::filesystem::path path) : path_(std::move(path)) {
    errno = 0;
    out_.open(path_, std::ios::binary);
    if (!out_)
        throw InputError(
            fmt::format("cannot write '{}': {}", path_.string(), std::strerror(errno)));
    out_ << fmt::format(fmt::runtime(file_tag), "Collection") << "<Collection>\n";
    end_ = out_.tellp();
    end();
}

void PvdFile::add(double time, const std::string& file) {
    errno = 0;
    out_.seekp(end_);
    out_ << fmt::format("<DataSet timestep=\"{}\" group=\"\" part=\"0\" file={}/>\n", time,
                        quoted(file));
    end_ = out_.tellp();
    end();
}

void PvdFile::end() {
    out_ << "</Collection>\n</VTKFile>\n";
    if (!out_.flush()) fail(path_);
}

}  // namespace bristle::io
