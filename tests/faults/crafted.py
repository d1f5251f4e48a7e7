"""Recordings made by hand, byte by byte: what our writer would never write. Unfinished, as after a kill, so that all of it is
read; `bristle repair` can give them an end."""
import struct
import zlib

MAGIC = b"\x89MCAP0\r\n"
SCENE, INPUT, KEYFRAME, STATE, GROUND = 1, 2, 3, 4, 5  # channels
TOPICS = {SCENE: "/scene", INPUT: "/input", KEYFRAME: "/keyframe", STATE: "/state", GROUND: "/ground"}
RAW, REPEATED = 0, 1  # blocks of zstd


def text(value):
    value = value if isinstance(value, bytes) else value.encode()
    return struct.pack("<I", len(value)) + value


def record(opcode, content):
    return bytes([opcode]) + struct.pack("<Q", len(content)) + content


def attachment(name, data):
    content = bytes(16) + text(name) + text("application/yaml") + struct.pack("<Q", len(data)) + data
    return record(9, content + struct.pack("<I", zlib.crc32(content)))


def metadata(**changed):
    entries = {"format": "1", "scene": "scene", "title": "", "file": "scene.yaml", "step length": "0.01", "step": "0", "solver": "",
               "seed": "0", **{key.replace("_", " "): value for key, value in changed.items()}}
    listed = b"".join(text(key) + text(value) for key, value in sorted(entries.items(), key=lambda e: e[0].encode()))
    entries["checksum"] = str(zlib.crc32(listed))
    listed = b"".join(text(key) + text(value) for key, value in sorted(entries.items()))
    return record(12, text("bristle") + text(listed))


def channels():
    return b"".join(record(3, struct.pack("<H", i) + text("x") + text("protobuf") + text(b"")) for i in TOPICS) \
        + b"".join(record(4, struct.pack("<HH", i, i) + text(topic) + text("protobuf") + text(b"")) for i, topic in TOPICS.items())


def message(channel, log_time, data):
    return record(5, struct.pack("<HIQQ", channel, 0, log_time, log_time) + data)


def stored(data):
    """As a frame of zstd that packs nothing."""
    blocks = [data[i:i + 131072] for i in range(0, len(data), 131072)] or [b""]
    out = struct.pack("<IBQ", 0xFD2FB528, 0xE0, len(data))
    for i, block in enumerate(blocks):
        out += struct.pack("<I", (i + 1 == len(blocks)) | RAW << 1 | len(block) << 3)[:3] + block
    return out


def zeros(size):
    """A frame of zstd of 4 bytes for every 128 kB."""
    count = size // 131072
    block = struct.pack("<I", REPEATED << 1 | 131072 << 3)[:3] + b"\0"
    last = struct.pack("<I", 1 | REPEATED << 1 | 131072 << 3)[:3] + b"\0"
    return struct.pack("<IBQ", 0xFD2FB528, 0xE0, count * 131072) + block * (count - 1) + last


def chunk(records, packed=None, size=None, crc=None):
    """With the indexes of its messages; what is said of it may be a lie."""
    places, at = {}, 0
    while at < len(records):
        length = struct.unpack_from("<Q", records, at + 1)[0]
        if records[at] == 5:
            channel, _, log_time = struct.unpack_from("<HIQ", records, at + 9)
            places.setdefault(channel, []).append(struct.pack("<QQ", log_time, at))
        at += 9 + length
    packed = stored(records) if packed is None else packed
    content = struct.pack("<QQQI", 0, 0, len(records) if size is None else size, zlib.crc32(records) if crc is None else crc)
    out = record(6, content + text("zstd") + struct.pack("<Q", len(packed)) + packed)
    for channel in sorted(places):
        out += record(7, struct.pack("<H", channel) + text(b"".join(places[channel])))
    return out


def recording(*parts, scene="bodies:\n  b: {type: box, size: [1, 1, 1], mass: 1}\n", attached=b"", **changed):
    """Header, files and metadata, and then these bytes."""
    return MAGIC + record(1, text("") + text("bristle")) + attachment("scene.yaml", scene.encode()) + attached \
        + metadata(**changed) + b"".join(parts)


# ---- Messages of protocol.proto ------------------------------------------------------------------------------------------

def varint(value):
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def field(number, value):
    """An unsigned number, or bytes."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def rewind(step, to):
    return field(1, step) + field(10, field(1, to))


def state(step):
    return field(2, step) + field(3, 1)


def scene():
    return field(4, 1) + field(7, field(1, b"ground"))


def real(number, value, code="f"):
    return varint(number << 3 | (5 if code == "f" else 1)) + struct.pack("<" + code, value)


def scene_with_field(columns=40, rows=40, spacing=0.5, unit=0.01, points=None):
    """A height field of the ground, level, with shape 5; as the protocol has it unless something else is said."""
    heights = bytes(columns * rows if points is None else points)
    grid = field(1, 5) + field(2, columns) + field(3, rows) + real(4, spacing) + real(5, spacing) + field(6, 1) + field(7, 1) \
        + field(8, 1) + real(9, unit, "d") + field(10, heights)
    return scene() + field(8, field(2, 7)) + field(26, grid)


def ground(tile, columns=16, points=256, shape=5, whole=0, heap=None):
    told = field(3, whole) + field(5, field(1, shape) + field(2, tile) + field(3, columns) + field(4, b"\x02" * points))
    if heap:
        index, body, wide, numbers = heap
        told += field(6, field(1, index) + field(2, body) + field(3, wide) + field(4, bytes(numbers)))
    return told


def keyframe(step):
    return field(1, step)
