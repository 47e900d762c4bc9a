package io.tierwise.benchmarks.popularity;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.BlockProto;
import org.apache.hadoop.hdfs.server.namenode.FSImageUtil;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.FileSummary;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.INodeDirectorySection.DirEntry;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.INodeSection;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.INodeSection.INode;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.INodeSection.INodeDirectory;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.INodeSection.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.StringTableSection;
import org.apache.hadoop.hdfs.server.namenode.INodeId;
import org.apache.hadoop.hdfs.server.namenode.NameNodeLayoutVersion;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.MessageLite;

/**
 * An image with the files of {@link WarehousePaths}, one block and three replicas each, in Hadoop's
 * own messages; and an audit log of such a warehouse. Arguments: the image, its files, the log, its
 * lines.
 */
public final class WarehouseImage {
  private static final long BLOCK_BYTES = 128L << 20;

  private final Counted out;
  private final int files;
  private final FileSummary.Builder summary =
      FileSummary.newBuilder()
          .setOndiskVersion(FSImageUtil.FILE_VERSION)
          .setLayoutVersion(NameNodeLayoutVersion.CURRENT_LAYOUT_VERSION)
          .setCodec("");

  /** The root first, each before what is below it. */
  private final List<Directory> directories = new ArrayList<>();

  private final byte[] path = new byte[WarehousePaths.LENGTH];

  /** A directory, and the ids of what is in it. */
  private record Directory(String name, long id, List<Long> children) {}

  private WarehouseImage(OutputStream out, int files) {
    this.out = new Counted(out);
    this.files = files;
  }

  public static void main(String[] arguments) throws IOException {
    Path image = Path.of(arguments[0]);
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(image), 1 << 18)) {
      new WarehouseImage(out, Integer.parseInt(arguments[1])).write();
    }
    AuditLogFile.write(Path.of(arguments[2]), Integer.parseInt(arguments[3]));
  }

  private void write() throws IOException {
    out.write(FSImageUtil.MAGIC_HEADER);
    section("STRING_TABLE", () -> tell(StringTableSection.newBuilder().setNumEntry(0).build()));
    hangUp();
    section("INODE", this::writeInodes);
    section("INODE_DIR", this::writeEntries);
    ByteArrayOutputStream end = new ByteArrayOutputStream();
    summary.build().writeDelimitedTo(end);
    end.writeTo(out);
    new DataOutputStream(out).writeInt(end.size());
  }

  /** Makes the directories of all files: a new one where a path differs from the one before. */
  private void hangUp() {
    List<Directory> open = new ArrayList<>();
    open.add(new Directory("", INodeId.ROOT_INODE_ID, new ArrayList<>()));
    directories.add(open.get(0));
    for (int file = 0; file < files; file += 100) {
      String[] names = path(file).split("/");
      int depth = 1;
      while (depth < open.size() && open.get(depth).name().equals(names[depth])) {
        depth++;
      }
      open.subList(depth, open.size()).clear();
      for (; depth < names.length - 1; depth++) {
        long id = INodeId.ROOT_INODE_ID + directories.size();
        Directory made = new Directory(names[depth], id, new ArrayList<>());
        open.get(depth - 1).children().add(id);
        directories.add(made);
        open.add(made);
      }
      for (int i = file; i < Math.min(files, file + 100); i++) {
        open.get(open.size() - 1).children().add(idOf(i));
      }
    }
  }

  private String path(long file) {
    WarehousePaths.write(file, path, 0);
    return new String(path, StandardCharsets.US_ASCII);
  }

  /** Directories have fewer: one for each hundred files, and some. */
  private long idOf(int file) {
    return INodeId.ROOT_INODE_ID + files + file;
  }

  private void writeInodes() throws IOException {
    tell(
        INodeSection.newBuilder()
            .setLastInodeId(idOf(files))
            .setNumInodes(directories.size() + (long) files)
            .build());
    for (Directory directory : directories) {
      tell(
          INode.newBuilder()
              .setType(INode.Type.DIRECTORY)
              .setId(directory.id())
              .setName(ByteString.copyFromUtf8(directory.name()))
              .setDirectory(INodeDirectory.newBuilder().setModificationTime(1))
              .build());
    }
    for (int file = 0; file < files; file++) {
      String name = path(file);
      tell(
          INode.newBuilder()
              .setType(INode.Type.FILE)
              .setId(idOf(file))
              .setName(ByteString.copyFromUtf8(name.substring(name.lastIndexOf('/') + 1)))
              .setFile(
                  INodeFile.newBuilder()
                      .setReplication(3)
                      .setModificationTime(1)
                      .setAccessTime(1)
                      .setPreferredBlockSize(BLOCK_BYTES)
                      .addBlocks(
                          BlockProto.newBuilder()
                              .setBlockId((1L << 30) + file)
                              .setGenStamp(1001)
                              .setNumBytes(BLOCK_BYTES - file % 1000)))
              .build());
    }
  }

  private void writeEntries() throws IOException {
    for (Directory directory : directories) {
      tell(
          DirEntry.newBuilder()
              .setParent(directory.id())
              .addAllChildren(directory.children())
              .build());
    }
  }

  private void tell(MessageLite message) throws IOException {
    message.writeDelimitedTo(out);
  }

  /** Writes what stands in a section. */
  @FunctionalInterface
  private interface Body {
    void write() throws IOException;
  }

  private void section(String name, Body body) throws IOException {
    long offset = out.bytes;
    body.write();
    summary.addSections(
        FileSummary.Section.newBuilder()
            .setName(name)
            .setOffset(offset)
            .setLength(out.bytes - offset));
  }

  /** Counts the bytes that went through it. */
  private static final class Counted extends OutputStream {
    private final OutputStream out;
    private long bytes;

    Counted(OutputStream out) {
      this.out = out;
    }

    @Override
    public void write(int value) throws IOException {
      out.write(value);
      bytes++;
    }

    @Override
    public void write(byte[] array, int from, int length) throws IOException {
      out.write(array, from, length);
      bytes += length;
    }
  }
}
