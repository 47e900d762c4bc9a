#!/usr/bin/env python3
"""Makes the sample of docs/how-to/advise.md: a shop's warehouse, its NameNode's image, a week of its audit log, and the
client traces of its DataNodes in the week's last five days.

The image is written by Hadoop's own `hdfs oiv -p ReverseXML`; this program writes the XML that it takes, and the logs.
Equal runs give equal files.

    examples/advise/make.py DIR      # DIR/fsimage.xml, DIR/hdfs-audit.log.gz, DIR/datanode.log.gz
    hdfs oiv -p ReverseXML -i DIR/fsimage.xml -o DIR/fsimage
"""
import datetime
import gzip
import random
import sys
from xml.sax.saxutils import escape

START = datetime.datetime(2026, 3, 16, tzinfo=datetime.timezone.utc)
DAY_MILLIS = 86_400_000
MIB = 1 << 20
BLOCK = 128 * MIB
LAYOUT_VERSION = -67
COLD, ALL_SSD = 2, 12  # ids of HDFS's storage policies
NODES = [f"10.0.0.{i}" for i in range(11, 31)]
POOL = "BP-1-10.0.0.1-1700000000000"
FIRST_BLOCK = 1073741825
TRACES_FROM = START + datetime.timedelta(days=2)
READ_SHARE = {"ann": 0.1}  # of each block: an analyst's query takes some columns
SHORT_CIRCUIT = "serve"  # reads on the node that has the block, without its DataNode
HOSTILE = "<img src=x onerror=alert(1)>\t\n&amp;\"'.csv"


class Namespace:
    """Directories and files by path: what becomes the image."""

    def __init__(self):
        self.directories = {"": {"id": 16385, "policy": 0, "children": []}}
        self.files = {}
        self.next_id = 16386

    def take_id(self):
        self.next_id += 1
        return self.next_id - 1

    def directory(self, path, policy=0):
        if path not in self.directories:
            above = self.directory(path.rpartition("/")[0])
            self.directories[path] = {"id": self.take_id(), "policy": policy, "children": []}
            above["children"].append(self.directories[path]["id"])
        return self.directories[path]

    def file(self, path, size, days_unused=0, replicas=3):
        above = self.directory(path.rpartition("/")[0])
        used = int(START.timestamp() * 1000) - days_unused * DAY_MILLIS
        self.files[path] = {"id": self.take_id(), "size": size, "used": used, "replicas": replicas}
        above["children"].append(self.files[path]["id"])
        return path

    def xml(self):
        yield '<?xml version="1.0"?>\n<fsimage>'
        yield f"<version><layoutVersion>{LAYOUT_VERSION}</layoutVersion><onDiskVersion>1</onDiskVersion>"
        yield "<oivRevision>sample</oivRevision></version>"
        yield "<NameSection><namespaceId>1</namespaceId><genstampV1>1000</genstampV1><genstampV2>1001</genstampV2>"
        yield "<genstampV1Limit>0</genstampV1Limit><lastAllocatedBlockId>1073741824</lastAllocatedBlockId>"
        yield "<txid>1</txid></NameSection>"
        count = len(self.directories) + len(self.files)
        yield f"<INodeSection><lastInodeId>{self.next_id}</lastInodeId><numInodes>{count}</numInodes>"
        for path, each in self.directories.items():
            yield self.directory_xml(path, each)
        block = FIRST_BLOCK
        for path, each in self.files.items():
            text, block = self.file_xml(path, each, block)
            yield text
        yield "</INodeSection><INodeReferenceSection></INodeReferenceSection><INodeDirectorySection>"
        for each in self.directories.values():
            children = "".join(f"<child>{child}</child>" for child in each["children"])
            yield f"<directory><parent>{each['id']}</parent>{children}</directory>"
        yield "</INodeDirectorySection>"
        yield "<ErasureCodingSection></ErasureCodingSection>"
        yield "<SnapshotSection><snapshotCounter>0</snapshotCounter><numSnapshots>0</numSnapshots></SnapshotSection>"
        yield "<SnapshotDiffSection></SnapshotDiffSection><FileUnderConstructionSection></FileUnderConstructionSection>"
        yield "<SecretManagerSection><currentId>0</currentId><tokenSequenceNumber>0</tokenSequenceNumber>"
        yield "<numDelegationKeys>0</numDelegationKeys><numTokens>0</numTokens></SecretManagerSection>"
        yield "<CacheManagerSection><nextDirectiveId>1</nextDirectiveId><numDirectives>0</numDirectives>"
        yield "<numPools>0</numPools></CacheManagerSection></fsimage>"

    def name(self, path):
        """ReverseXML reads a control character as \\HHHH; and a backslash as \\005c;."""
        name = path.rpartition("/")[2].replace("\\", "\\005c;")
        return escape("".join(f"\\{ord(c):04x};" if ord(c) < 32 else c for c in name))

    def directory_xml(self, path, each):
        attributes = ""
        if each["policy"]:
            attributes = ("<xattrs><xattr><ns>SYSTEM</ns><name>hsm.block.storage.policy.id</name>"
                          f"<valHex>{each['policy']:02x}</valHex></xattr></xattrs>")
        return (f"<inode><id>{each['id']}</id><type>DIRECTORY</type><name>{self.name(path)}</name>"
                f"<mtime>{int(START.timestamp() * 1000)}</mtime><permission>hdfs:supergroup:0755</permission>"
                f"{attributes}<nsquota>-1</nsquota><dsquota>-1</dsquota></inode>")

    def file_xml(self, path, each, block):
        blocks = []
        left = each["size"]
        while left > 0:
            blocks.append(f"<block><id>{block}</id><genstamp>1001</genstamp><numBytes>{min(left, BLOCK)}</numBytes></block>")
            left -= BLOCK
            block += 1
        return (f"<inode><id>{each['id']}</id><type>FILE</type><name>{self.name(path)}</name>"
                f"<replication>{each['replicas']}</replication><mtime>{each['used']}</mtime><atime>{each['used']}</atime>"
                f"<preferredBlockSize>{BLOCK}</preferredBlockSize><permission>hdfs:supergroup:0644</permission>"
                f"<blocks>{''.join(blocks)}</blocks></inode>"), block


class Log:
    """Lines of an audit log, sorted by time when they are written."""

    def __init__(self):
        self.lines = []
        self.reads = []

    def add(self, when, user, node, command, path):
        time = when.strftime("%Y-%m-%d %H:%M:%S,") + f"{when.microsecond // 1000:03d}"
        escaped = path.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace('"', '\\"')
        self.lines.append(
            f"{time} INFO FSNamesystem.audit: allowed=true\tugi={user} (auth:SIMPLE)\tip=/{node}\tcmd={command}\t"
            f"src={escaped}\tdst=null\tperm=null\tproto=rpc\n")

    def read(self, when, user, node, path, size):
        """A client asks for ten blocks at a time, and reads 200 MB/s."""
        self.reads.append((when, user, node, path, size))
        for first in range(0, max(1, size), 10 * BLOCK):
            self.add(when + datetime.timedelta(seconds=first / 200e6), user, node, "open", path)


def namespace():
    space = Namespace()
    space.directory("/archive", COLD)
    space.directory("/models", ALL_SSD)
    for day in range(1, 61):
        for part in range(4):
            space.file(f"/warehouse/shop.db/sales/day={day:02d}/part-{part}", 512 * MIB, days_unused=60 - day)
    for part in range(8):
        space.file(f"/warehouse/shop.db/customers/part-{part}", 256 * MIB)
    for month in range(1, 13):
        for part in range(6):
            space.file(f"/logs/2025-{month:02d}/events-{part}.json", 2048 * MIB, days_unused=440 - 30 * month)
    for year in range(2021, 2025):
        for part in range(10):
            space.file(f"/archive/{year}/sales-{part}", 4096 * MIB, days_unused=500)
    for number in range(6):
        space.file(f"/models/retired-{number}.bin", 8192 * MIB, days_unused=120)
    space.file("/models/current.bin", 1024 * MIB)
    space.file("/user/eve/" + HOSTILE, 700 * MIB, replicas=2)
    return space


def week(space, draw):
    log = Log()
    size = {path: each["size"] for path, each in space.files.items()}

    def at(day, hour, spread=3600):
        return START + datetime.timedelta(days=day, hours=hour, seconds=draw.uniform(0, spread))

    for day in range(7):
        for hour in (2, 8, 12, 16):  # a report joins the last days with all customers
            for back in range(3):
                for part in range(4):
                    path = f"/warehouse/shop.db/sales/day={60 - back:02d}/part-{part}"
                    log.read(at(day, hour, 600), "report", draw.choice(NODES), path, size[path])
            begin = at(day, hour, 60)
            for node in NODES[:8]:
                for part in range(8):
                    path = f"/warehouse/shop.db/customers/part-{part}"
                    log.read(begin + datetime.timedelta(seconds=draw.uniform(0, 50)), "report", node, path, size[path])
        for _ in range(12):  # analysts look at some day
            path = f"/warehouse/shop.db/sales/day={draw.randint(1, 60):02d}/part-{draw.randint(0, 3)}"
            log.read(at(day, draw.randint(9, 17)), "ann", draw.choice(NODES), path, size[path])
        for part in (0, 1):  # an audit goes through an archive that nobody expects to be read
            path = f"/archive/2024/sales-{part}"
            for hour in (6, 18):
                log.read(at(day, hour), "audit", NODES[day], path, size[path])
        for hour in range(0, 24, 2):
            log.read(at(day, hour), "serve", draw.choice(NODES), "/models/current.bin", size["/models/current.bin"])
        log.read(at(day, 11), "eve", NODES[5], "/user/eve/" + HOSTILE, 700 * MIB)
        for _ in range(60):
            log.add(at(day, draw.randint(0, 23)), "hive", NODES[0], "listStatus", "/warehouse/shop.db/sales")
    for number in range(40):  # temporary files come and go
        path = f"/tmp/job-{number}/out"
        log.add(at(number % 7, 3), "report", NODES[1], "create", path)
        log.add(at(number % 7, 4), "report", NODES[2], "open", path)
        log.add(at(number % 7, 6), "report", NODES[1], "delete", f"/tmp/job-{number}")
    return log


def blocks(space):
    """The ids and lengths of each file's blocks, as the image has them."""
    found = {}
    block = FIRST_BLOCK
    for path, each in space.files.items():
        lengths = [min(BLOCK, each["size"] - start) for start in range(0, each["size"], BLOCK)]
        found[path] = list(enumerate(lengths, block))
        block += len(lengths)
    return found


def traces(space, reads):
    """What DataNodes write of reads; a block is on three of them."""
    lines = []
    of_file = blocks(space)
    for number, (when, user, node, path, _) in enumerate(sorted(read for read in reads if read[0] >= TRACES_FROM)):
        for block, length in of_file[path]:
            when += datetime.timedelta(seconds=length / 200e6)
            time = when.strftime("%Y-%m-%d %H:%M:%S,") + f"{when.microsecond // 1000:03d}"
            server = NODES[(block + number % 3) % len(NODES)]
            uuid = f"00000000-0000-0000-0000-0000000000{server[-2:]}"
            if user == SHORT_CIRCUIT:
                lines.append(f"{time} INFO DataNode.clienttrace: src: 127.0.0.1, dest: 127.0.0.1, "
                             f"op: REQUEST_SHORT_CIRCUIT_FDS, blockid: {block}, srvID: {uuid}, success: true\n")
                continue
            data = int(length * READ_SHARE.get(user, 1))
            sent = data + 4 * -(-data // 512)
            lines.append(f"{time} DEBUG DataNode.clienttrace: src: /{server}:9866, dest: /{node}:40000, volume: /data/1, "
                         f"bytes: {sent}, op: HDFS_READ, cliID: DFSClient_NONMAPREDUCE_1_1, offset: 0, srvID: {uuid}, "
                         f"blockid: {POOL}:blk_{block}_1001, duration(ns): {length * 5}\n")
    return sorted(lines)


def write(path, lines):
    with open(path, "wb") as raw:
        with gzip.GzipFile("", "wb", 9, raw, mtime=0) as out:
            out.write("".join(lines).encode())


def main():
    folder = sys.argv[1] if len(sys.argv) == 2 else sys.exit(__doc__)
    space = namespace()
    with open(f"{folder}/fsimage.xml", "w", encoding="utf-8") as out:
        out.write("\n".join(space.xml()))
    log = week(space, random.Random(1))
    write(f"{folder}/hdfs-audit.log.gz", sorted(log.lines))
    write(f"{folder}/datanode.log.gz", traces(space, log.reads))


main()
