package io.tierwise.hadoop.inspect.image;

import io.tierwise.core.message.OperatorException;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.LayoutVersion;
import org.apache.hadoop.hdfs.server.namenode.FSImageUtil;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.FileSummary;
import org.apache.hadoop.hdfs.server.namenode.NameNodeLayoutVersion;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.apache.hadoop.util.LimitInputStream;

/** The file of an image: checks that it is one, and complete, and opens its sections. */
final class ImageSections {
  private static final int BUFFER_BYTES = 1 << 18;
  private static final int LENGTH_BYTES = Integer.BYTES;

  /** Own: a summary has a few dozen sections, of some 40 bytes each. */
  private static final int SUMMARY_BYTES_MAX = 1 << 24;

  private final Path file;
  private final FileSummary summary;
  private final Configuration conf = new Configuration();

  private ImageSections(Path file, FileSummary summary) {
    this.file = file;
    this.summary = summary;
  }

  /**
   * Opens an image.
   *
   * @throws OperatorException one line that names the file and what is wrong with it
   */
  static ImageSections open(Path file) throws IOException {
    if (!Files.exists(file)) {
      throw OperatorException.badInput(
          file
              + " is not there: name an image, as 'hdfs dfsadmin -fetchImage DIR' fetches the latest"
              + " of a NameNode");
    }
    if (!Files.isRegularFile(file)) {
      throw OperatorException.badInput(
          file + " is no file: name the image itself, as DIR/fsimage_0000000000000012345");
    }
    if (!Files.isReadable(file)) {
      throw OperatorException.cluster("no permission to read " + file, null);
    }
    try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
      requireImage(file, in);
      FileSummary summary = summary(file, in);
      requireVersion(file, summary);
      for (FileSummary.Section section : summary.getSectionsList()) {
        if (section.getOffset() < 0
            || section.getLength() < 0
            || section.getOffset() > in.length() - section.getLength()) {
          throw cut(file);
        }
      }
      return new ImageSections(file, summary);
    }
  }

  private static void requireImage(Path file, RandomAccessFile in) throws IOException {
    byte[] magic = new byte[FSImageUtil.MAGIC_HEADER.length];
    int got = in.read(magic);
    if (got >= 2 && magic[0] == (byte) 0x1f && magic[1] == (byte) 0x8b) {
      throw OperatorException.badInput(file + " is packed with gzip: unpack it first");
    }
    if (got < magic.length || !Arrays.equals(magic, FSImageUtil.MAGIC_HEADER)) {
      throw OperatorException.badInput(
          file
              + " is no fsimage of Hadoop 2.4 or later: it does not begin with "
              + new String(FSImageUtil.MAGIC_HEADER, StandardCharsets.US_ASCII));
    }
  }

  /** As Hadoop reads it, which would make an array of whatever length a cut file ends with. */
  private static FileSummary summary(Path file, RandomAccessFile in) throws IOException {
    long end = in.length() - LENGTH_BYTES;
    if (end < FSImageUtil.MAGIC_HEADER.length) {
      throw cut(file);
    }
    in.seek(end);
    int length = in.readInt();
    if (length <= 0
        || length > SUMMARY_BYTES_MAX
        || length > end - FSImageUtil.MAGIC_HEADER.length) {
      throw cut(file);
    }
    byte[] summary = new byte[length];
    in.seek(end - length);
    in.readFully(summary);
    try {
      return FileSummary.parseDelimitedFrom(new ByteArrayInputStream(summary));
    } catch (InvalidProtocolBufferException e) {
      throw cut(file);
    }
  }

  private static OperatorException cut(Path file) {
    return OperatorException.badInput(
        file
            + " is cut or damaged: its last bytes are no summary of its sections; fetch it again,"
            + " with 'hdfs dfsadmin -fetchImage DIR'");
  }

  private static void requireVersion(Path file, FileSummary summary) {
    int version = summary.getLayoutVersion();
    if (summary.getOndiskVersion() != FSImageUtil.FILE_VERSION
        || version < NameNodeLayoutVersion.CURRENT_LAYOUT_VERSION
        || !NameNodeLayoutVersion.supports(LayoutVersion.Feature.PROTOBUF_FORMAT, version)) {
      throw OperatorException.badInput(
          file
              + " has layout version "
              + version
              + ", of another release of HDFS: versions down to "
              + NameNodeLayoutVersion.CURRENT_LAYOUT_VERSION
              + " can be read");
    }
  }

  int layoutVersion() {
    return summary.getLayoutVersion();
  }

  /** A section could not be read to its end. */
  OperatorException damaged(String section, Exception why) {
    String text = why.getMessage() == null ? why.getClass().getSimpleName() : why.getMessage();
    return OperatorException.badInput(
        file
            + " is damaged in its section "
            + section
            + ": "
            + text.lines().findFirst().orElse(""));
  }

  /** Reads a part of a section. */
  interface Part {
    /**
     * Reads all of a stream.
     *
     * @param first whether the section begins with it
     */
    void read(InputStream in, boolean first) throws IOException;
  }

  /** Reads a section; a release that packs images writes it in parts, each packed by itself. */
  void read(String section, Part reader) {
    List<FileSummary.Section> parts = sections(section + "_SUB");
    boolean packed = !summary.getCodec().isEmpty();
    boolean first = true;
    for (FileSummary.Section each : packed && !parts.isEmpty() ? parts : sections(section)) {
      try (InputStream in = stream(each)) {
        reader.read(in, first);
      } catch (OperatorException e) {
        throw e;
      } catch (IOException | RuntimeException e) {
        // Hadoop's own parsers throw what they like at what they do not expect.
        throw damaged(section, e);
      }
      first = false;
    }
  }

  private List<FileSummary.Section> sections(String name) {
    List<FileSummary.Section> found = new ArrayList<>();
    for (FileSummary.Section section : summary.getSectionsList()) {
      if (section.getName().equals(name)) {
        found.add(section);
      }
    }
    return found;
  }

  private InputStream stream(FileSummary.Section section) throws IOException {
    FileInputStream in = new FileInputStream(file.toFile());
    in.getChannel().position(section.getOffset());
    InputStream limited =
        new BufferedInputStream(new LimitInputStream(in, section.getLength()), BUFFER_BYTES);
    return FSImageUtil.wrapInputStreamForCompression(conf, summary.getCodec(), limited);
  }
}
