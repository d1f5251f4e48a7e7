// The container: what is written is read, and what has been damaged is not.
#include <bristle/error.h>

#include "live/record/mcap_reader.h"
#include "live/record/mcap_writer.h"
#include "tests/live/recordings.h"
#include "tests/support/random.h"

#include <gtest/gtest.h>

namespace bristle::live::mcap {
namespace {

using testing_support::Random;

// Everything in a file, as text that can be compared.
struct Contents {
    std::vector<std::string> messages, attachments;
};

std::string describe(const Message& m) {
    return std::to_string(m.channel) + " " + std::to_string(m.sequence) + " "
         + std::to_string(m.log_time) + " " + std::to_string(m.publish_time) + " "
         + std::string(m.data);
}

// Leaves out what the reader refuses.
Contents contents_of(const Reader& reader) {
    Contents contents;
    for (const ChunkInfo& info : reader.index().chunks) {
        try {
            const std::string bytes = reader.chunk(info);
            for (const Message& m : records_in(bytes).messages)
                contents.messages.push_back(describe(m));
        } catch (const InputError&) {
        }
    }
    for (const AttachmentInfo& info : reader.index().attachments) {
        try {
            contents.attachments.push_back(info.name + ":" + reader.attachment(info));
        } catch (const InputError&) {
        }
    }
    return contents;
}

enum class End { finished, missing };

void write_file(const std::filesystem::path& path, End end, int chunks = 8) {
    Writer writer(path, "bristle",
                  {{"a.yaml", "application/yaml", "title: a"}, {"b/c.stl", "model/stl", "solid"}},
                  "bristle", {{"key", "value"}, {"other", ""}});
    writer.add(Schema{1, "some.Type", "protobuf", "description"});
    writer.add(Channel{1, 1, "/one", "protobuf"});
    writer.add(Channel{2, 1, "/two", "protobuf"});
    for (int i = 0; i < 10 * chunks; ++i) {
        const auto time = static_cast<uint64_t>(i) * 1000;
        writer.add(i % 3 == 0 ? 2 : 1, time, time / 2, "message " + std::to_string(i));
        if (i % 10 == 9) writer.write_chunk();
    }
    if (end == End::finished) writer.finish();
}

TEST(Mcap, HasTheChecksumOfTheStandard) {
    EXPECT_EQ(crc32("123456789"), 0xcbf43926u);  // the check value every catalogue of CRCs gives
    EXPECT_EQ(crc32("56789", crc32("1234")), 0xcbf43926u);
    EXPECT_EQ(crc32(""), 0u);
}

TEST(Mcap, GivesBackWhatWasWritten) {
    const TemporaryFolder folder;
    write_file(folder / "a.mcap", End::finished);
    const Reader reader(folder / "a.mcap");
    EXPECT_TRUE(reader.is_finished());
    EXPECT_EQ(reader.check(), "");
    const Contents contents = contents_of(reader);
    ASSERT_EQ(contents.messages.size(), 80u);
    EXPECT_EQ(contents.messages[0], "2 0 0 0 message 0");
    EXPECT_EQ(contents.messages[79], "1 52 79000 39500 message 79");
    EXPECT_EQ(contents.attachments, (std::vector<std::string>{"a.yaml:title: a", "b/c.stl:solid"}));
    EXPECT_EQ(reader.metadata(reader.index().metadata.at(0)),
              (Entries{{"key", "value"}, {"other", ""}}));
    EXPECT_EQ(reader.index().messages, (std::map<uint16_t, uint64_t>{{1, 53}, {2, 27}}));
    EXPECT_EQ(reader.index().schemas.begin()->second.data, "description");
    EXPECT_EQ(reader.index().channels.at(2).topic, "/two");
    EXPECT_EQ(reader.index().chunks.at(1).first_time, 10'000u);
    EXPECT_EQ(reader.index().chunks.at(1).last_time, 19'000u);
}

TEST(Mcap, AFileThatIsThereIsNotWrittenOver) {
    const TemporaryFolder folder;
    write_bytes(folder / "a.mcap", "precious");
    EXPECT_THROW(write_file(folder / "a.mcap", End::finished), InputError);
    EXPECT_EQ(bytes_of(folder / "a.mcap"), "precious");
    EXPECT_FALSE(std::filesystem::exists(folder / "a.mcap.part"));
}

TEST(Mcap, IsNotRepairedWhileItIsWritten) {
    const TemporaryFolder folder;
    const Writer writer(folder / "a.mcap", "bristle", {}, "bristle", {});
    EXPECT_THROW(repair(folder / "a.mcap"), InputError);
}

// Repairing writes what finishing would have written, to the byte.
TEST(Mcap, RepairsAnEndThatIsMissing) {
    const TemporaryFolder folder;
    write_file(folder / "whole.mcap", End::finished);
    write_file(folder / "torn.mcap", End::missing);
    EXPECT_FALSE(Reader(folder / "torn.mcap").is_finished());
    repair(folder / "torn.mcap");
    EXPECT_EQ(bytes_of(folder / "torn.mcap"), bytes_of(folder / "whole.mcap"));
    EXPECT_EQ(repair(folder / "torn.mcap"), "nothing to repair: it is whole");
    EXPECT_EQ(bytes_of(folder / "torn.mcap"), bytes_of(folder / "whole.mcap"));
}

// Whatever moment the file ends at, what came before is there, and can be made a whole file.
TEST(Mcap, CanBeCutAnywhere) {
    const TemporaryFolder folder;
    const auto path = folder / "a.mcap";
    write_file(path, End::finished, 3);
    const std::string whole = bytes_of(path);
    const Contents all = contents_of(Reader(path));
    const Reader intact(path);
    for (size_t size = magic.size(); size < whole.size(); ++size) {
        write_bytes(path, whole.substr(0, size));
        size_t expected = 0;  // messages of chunks that are there with their indexes
        for (const ChunkInfo& chunk : intact.index().chunks)
            if (chunk.offset + chunk.length + chunk.message_index_length <= size) expected += 10;
        const std::string repaired = repair(path);
        const Reader reader(path);
        EXPECT_TRUE(reader.is_finished()) << size;
        EXPECT_EQ(reader.check(), "") << size;
        const Contents rest = contents_of(reader);
        ASSERT_EQ(rest.messages.size(), expected) << size << ": " << repaired;
        EXPECT_TRUE(std::equal(rest.messages.begin(), rest.messages.end(), all.messages.begin()));
    }
    for (size_t size = 0; size < magic.size(); ++size) {
        write_bytes(path, whole.substr(0, size));
        EXPECT_THROW(const Reader reader(path), InputError) << size;
    }
}

TEST(Mcap, ARepairThatIsKilledHasLostNothing) {
    const TemporaryFolder folder;
    const auto path = folder / "a.mcap";
    write_file(path, End::missing);
    const std::string torn = bytes_of(path);
    repair(path);
    const std::string whole = bytes_of(path);
    for (size_t size = torn.size(); size < whole.size(); size += 5) {
        write_bytes(path, whole.substr(0, size));
        EXPECT_EQ(contents_of(Reader(path)).messages.size(), 80u);
        repair(path);
        EXPECT_EQ(bytes_of(path), whole);
    }
}

TEST(Mcap, ReadsOnBehindDamageAndDoesNotCutItAway) {
    const TemporaryFolder folder;
    const auto path = folder / "a.mcap";
    write_file(path, End::missing);
    std::string bytes = bytes_of(path);
    const ChunkInfo third = Reader(path).index().chunks.at(2);
    // The length of the third chunk, so that where the next record begins is lost, too.
    bytes[third.offset + 3] = static_cast<char>(bytes[third.offset + 3] ^ 0x40);
    write_bytes(path, bytes);
    const Reader reader(path);
    ASSERT_EQ(reader.holes().size(), 1u);
    EXPECT_EQ(reader.holes()[0].from, third.offset);
    EXPECT_EQ(contents_of(reader).messages.size(), 70u);
    EXPECT_THROW(repair(path), InputError);
    EXPECT_EQ(bytes_of(path), bytes);
}

// A chunk that claims to unpack to more than it holds must not be believed.
TEST(Mcap, BelievesNoSizes) {
    const TemporaryFolder folder;
    const auto path = folder / "a.mcap";
    write_file(path, End::missing, 1);
    const std::string good = bytes_of(path);
    const ChunkInfo chunk = Reader(path).index().chunks.at(0);
    for (const size_t field : {record_head + 16, record_head + 16 + 8 + 4 + 8, size_t{1}}) {
        std::string bytes = good;
        for (size_t i = 0; i < 8; ++i)
            bytes[chunk.offset + field + i] = static_cast<char>(i == 7 ? 0x7f : 0xff);
        write_bytes(path, bytes);
        const Reader reader(path);
        EXPECT_EQ(reader.index().chunks.size(), 0u);
        EXPECT_EQ(reader.holes().size(), 1u);
    }
}

// Never a crash, and never a message or an attachment that was not written: all of them have checksums.
TEST(Mcap, RandomDamageNeverGivesWrongData) {
    const TemporaryFolder folder;
    const auto path = folder / "a.mcap";
    write_file(folder / "finished.mcap", End::finished);
    write_file(folder / "torn.mcap", End::missing);
    const std::string files[] = {bytes_of(folder / "finished.mcap"),
                                 bytes_of(folder / "torn.mcap")};
    const Contents all = contents_of(Reader(folder / "finished.mcap"));
    const auto is_known = [](const std::vector<std::string>& list, const std::string& one) {
        return std::find(list.begin(), list.end(), one) != list.end();
    };
    Random random(7);
    int opened = 0, complete = 0;
    for (int i = 0; i < 2000; ++i) {
        std::string bytes = files[i % 2];
        if (random.chance(0.3))
            bytes.resize(static_cast<size_t>(random.integer(0, static_cast<int>(bytes.size()))));
        for (int flips = random.integer(random.chance(0.5) ? 1 : 20, 20);
             flips > 1 && !bytes.empty(); flips /= 2) {
            const int at = random.integer(0, static_cast<int>(bytes.size()) - 1);
            bytes[static_cast<size_t>(at)] = static_cast<char>(random.integer(0, 255));
        }
        write_bytes(path, bytes);
        try {
            const Reader reader(path);
            ++opened;
            const Contents contents = contents_of(reader);
            if (contents.messages.size() == all.messages.size()) ++complete;
            for (const std::string& message : contents.messages)
                ASSERT_TRUE(is_known(all.messages, message)) << i;
            for (const std::string& attachment : contents.attachments)
                ASSERT_TRUE(is_known(all.attachments, attachment)) << i;
            if (reader.is_finished() && contents.messages.size() < all.messages.size()) {
                EXPECT_NE(reader.check(), "") << i;
            }
            for (const MetadataInfo& info : reader.index().metadata) {
                try {
                    reader.metadata(info);
                } catch (const InputError&) {
                }
            }
            repair(path);
            EXPECT_TRUE(Reader(path).is_finished());
        } catch (const InputError&) {
        }
    }
    EXPECT_GT(opened, 1500);
    EXPECT_GT(complete, 100);  // where only the end was hit
}

}  // namespace
}  // namespace bristle::live::mcap
