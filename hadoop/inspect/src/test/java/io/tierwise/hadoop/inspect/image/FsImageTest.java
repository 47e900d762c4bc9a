package io.tierwise.hadoop.inspect.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.inspect.advise.Advisor;
import io.tierwise.hadoop.inspect.advise.JobHistories;
import io.tierwise.hadoop.inspect.advise.SiteConf;
import io.tierwise.hadoop.inspect.audit.LogHeat;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.BlockProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.BlockTypeProto;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.FileSummary;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.INodeSection;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.StringTableSection;
import org.apache.hadoop.thirdparty.protobuf.MessageLite;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FsImageTest {
  private static final Path SAMPLE =
      Path.of(System.getProperty("tierwise.root"), "examples/advise/fsimage");
  private static final long MIB = 1 << 20;

  @TempDir private Path folder;

  private record Seen(long bytes, long storedBytes, int replicas, int storagePolicy) {}

  private static Map<String, Seen> files(Path image) throws IOException {
    Map<String, Seen> files = new LinkedHashMap<>();
    FsImage.read(
        image,
        file ->
            files.put(
                file.path().toString(),
                new Seen(file.bytes(), file.storedBytes(), file.replicas(), file.storagePolicy())));
    return files;
  }

  @Test
  void tellsPathsSizesReplicasAndPoliciesThatDirectoriesHandDown() throws IOException {
    Map<String, Seen> files = files(SAMPLE);

    assertThat(files).hasSize(368);
    assertThat(files.get("/warehouse/shop.db/sales/day=60/part-3"))
        .isEqualTo(new Seen(512 * MIB, 3 * 512 * MIB, 3, 0));
    assertThat(files.get("/archive/2024/sales-9").storagePolicy()).isEqualTo(2);
    assertThat(files.get("/models/current.bin").storagePolicy()).isEqualTo(12);
    assertThat(files.get("/user/eve/<img src=x onerror=alert(1)>\t\n&amp;\"'.csv"))
        .isEqualTo(new Seen(700 * MIB, 1400 * MIB, 2, 0));
  }

  @Test
  void countsFilesAndDirectories() throws IOException {
    ImageCounts counts = FsImage.read(SAMPLE, file -> {});

    assertThat(counts.files()).isEqualTo(368);
    assertThat(counts.directories()).isEqualTo(86);
    assertThat(counts.snapshotFiles()).isZero();
    assertThat(counts.layoutVersion()).isEqualTo(-67);
  }

  private void assertRefused(Path image, String text) {
    assertThatThrownBy(() -> files(image))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining(image.toString())
        .hasMessageContaining(text)
        .message()
        .hasLineCount(1);
  }

  private Path written(byte[] bytes) throws IOException {
    return Files.write(folder.resolve("image"), bytes);
  }

  @Test
  void refusesWhatIsNoImage() throws IOException {
    assertRefused(folder.resolve("absent"), "is not there");
    assertRefused(folder, "is no file");
    assertRefused(written(new byte[0]), "is no fsimage");
    assertRefused(
        written("2026-03-24 an audit log\n".getBytes(StandardCharsets.UTF_8)), "is no fsimage");
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(Files.readAllBytes(SAMPLE));
    }
    assertRefused(written(packed.toByteArray()), "is packed with gzip");
  }

  @Test
  void refusesACutImageWhereverItWasCut() throws IOException {
    byte[] whole = Files.readAllBytes(SAMPLE);
    for (int length = 8; length < whole.length; length += whole.length / 97) {
      assertRefused(written(Arrays.copyOf(whole, length)), "is cut or damaged");
    }
    assertRefused(written(Arrays.copyOf(whole, whole.length - 1)), "is cut or damaged");
  }

  @Test
  void refusesAnotherVersion() throws IOException {
    for (int version : new int[] {-99, -40}) {
      FileSummary changed = summary().toBuilder().setLayoutVersion(version).build();

      assertRefused(with(new byte[0], changed), "layout version " + version);
    }
  }

  private static int summaryLength(byte[] whole) {
    return ByteBuffer.wrap(whole).getInt(whole.length - Integer.BYTES);
  }

  private static FileSummary summary() throws IOException {
    byte[] whole = Files.readAllBytes(SAMPLE);
    int length = summaryLength(whole);
    int from = whole.length - Integer.BYTES - length;
    return FileSummary.parseDelimitedFrom(new ByteArrayInputStream(whole, from, length));
  }

  /** The sample's sections, more bytes behind them, and another summary. */
  private Path with(byte[] bytes, FileSummary summary) throws IOException {
    byte[] whole = Files.readAllBytes(SAMPLE);
    ByteArrayOutputStream changed = new ByteArrayOutputStream();
    changed.write(whole, 0, whole.length - Integer.BYTES - summaryLength(whole));
    changed.write(bytes);
    int from = changed.size();
    summary.writeDelimitedTo(changed);
    changed.write(ByteBuffer.allocate(Integer.BYTES).putInt(changed.size() - from).array());
    return written(changed.toByteArray());
  }

  /** The sample with another section of that name. */
  private Path with(String section, byte[] bytes) throws IOException {
    byte[] whole = Files.readAllBytes(SAMPLE);
    FileSummary.Builder changed = summary().toBuilder();
    for (FileSummary.Section.Builder each : changed.getSectionsBuilderList()) {
      if (each.getName().equals(section)) {
        each.setOffset(whole.length - Integer.BYTES - summaryLength(whole));
        each.setLength(bytes.length);
      }
    }
    return with(bytes, changed.build());
  }

  private static byte[] delimited(MessageLite... messages) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (MessageLite message : messages) {
      message.writeDelimitedTo(bytes);
    }
    return bytes.toByteArray();
  }

  @Test
  void makesNoRoomForWhatDamageClaims() throws IOException {
    INodeSection inodes = INodeSection.newBuilder().setNumInodes(1 << 30).build();
    assertRefused(with("INODE", delimited(inodes)), "0 of 1073741824 inodes are there");

    StringTableSection strings = StringTableSection.newBuilder().setNumEntry(1 << 30).build();
    StringTableSection.Entry entry =
        StringTableSection.Entry.newBuilder().setId(1).setStr("a").build();
    assertRefused(
        with("STRING_TABLE", delimited(strings, entry)),
        "is damaged in its section STRING_TABLE: it ends too early");

    byte[] header = delimited(INodeSection.newBuilder().setNumInodes(1).build());
    // A length of 2^29, seven bits a byte.
    byte[] length = {(byte) 0x80, (byte) 0x80, (byte) 0x80, (byte) 0x80, 2, 8, 1};
    byte[] inode = Arrays.copyOf(header, header.length + length.length);
    System.arraycopy(length, 0, inode, header.length, length.length);
    assertRefused(with("INODE", inode), "it ends in the middle of an inode");
  }

  /** The sample with other inodes. */
  private Path withInodes(UnaryOperator<INodeSection.INode> change) throws IOException {
    byte[] whole = Files.readAllBytes(SAMPLE);
    ByteArrayOutputStream changed = new ByteArrayOutputStream();
    for (FileSummary.Section each : summary().getSectionsList()) {
      if (each.getName().equals("INODE")) {
        InputStream in =
            new ByteArrayInputStream(whole, (int) each.getOffset(), (int) each.getLength());
        INodeSection.parseDelimitedFrom(in).writeDelimitedTo(changed);
        INodeSection.INode inode = INodeSection.INode.parseDelimitedFrom(in);
        while (inode != null) {
          change.apply(inode).writeDelimitedTo(changed);
          inode = INodeSection.INode.parseDelimitedFrom(in);
        }
      }
    }
    return with("INODE", changed.toByteArray());
  }

  /** The sample with one file as one of RS-6-3-1024k under ONE_SSD. */
  private Path withCoded(String name, int bytes) throws IOException {
    return withInodes(
        inode -> inode.getName().toStringUtf8().equals(name) ? coded(inode, bytes) : inode);
  }

  private static INodeSection.INode coded(INodeSection.INode inode, int bytes) {
    INodeSection.INodeFile.Builder file = inode.getFile().toBuilder();
    BlockProto block = file.getBlocks(0).toBuilder().setNumBytes(bytes).build();
    file.clearBlocks().addBlocks(block).clearReplication();
    file.setBlockType(BlockTypeProto.STRIPED);
    file.setErasureCodingPolicyID(1).setStoragePolicyID(10);
    return inode.toBuilder().setFile(file).build();
  }

  @Test
  void aShortCodedFileHasParityAsLongAsItsFirstCellAndThePolicyThatHdfsTakes() throws IOException {
    String path = "/models/current.bin";
    int mib = (int) MIB;

    assertThat(files(withCoded("current.bin", mib)).get(path))
        .isEqualTo(new Seen(MIB, 4 * MIB, 1, 0));
    assertThat(files(withCoded("current.bin", 6 * mib)).get(path).storedBytes()).isEqualTo(9 * MIB);
    assertThat(files(withCoded("current.bin", 1_000)).get(path).storedBytes()).isEqualTo(4_000);
  }

  private static List<String> remarks(Path image) throws IOException {
    Path log = SAMPLE.resolveSibling("hdfs-audit.log.gz");
    return Advisor.advise(
            new Advisor.Wish(
                new LogHeat.Wish(List.of(log), ZoneOffset.UTC, 3_600_000, null, 1_000),
                image,
                TierConfiguration.byStorageType(),
                1,
                5,
                1 << 20,
                JobHistories.Found.NONE,
                SiteConf.NONE,
                null))
        .advice()
        .remarks();
  }

  /** With dfs.namenode.accesstime.precision 0 a file keeps the time at which it was made. */
  @Test
  void anImageWithoutTimesOfReadsIsTold() throws IOException {
    assertThat(remarks(SAMPLE)).noneMatch(each -> each.contains("accesstime"));
    Path image =
        withInodes(
            inode -> {
              INodeSection.INode.Builder changed = inode.toBuilder();
              if (inode.hasFile()) {
                long written = inode.getFile().getModificationTime();
                changed.getFileBuilder().setAccessTime(written - 40);
              }
              return changed.build();
            });

    assertThat(remarks(image))
        .anyMatch(
            each ->
                each.startsWith("0.0% of the files that the log reads have a time of a read")
                    && each.contains("dfs.namenode.accesstime.precision"));
  }

  @Test
  void whatHadoopsParsersThrowIsDamageOfTheFile() throws IOException {
    // All bits set: a namespace that there is not.
    Path image =
        withInodes(
            inode -> {
              INodeSection.INode.Builder changed = inode.toBuilder();
              if (inode.getDirectory().hasXAttrs()) {
                changed.getDirectoryBuilder().getXAttrsBuilder().getXAttrsBuilder(0).setName(-1);
              }
              return changed.build();
            });

    assertRefused(image, "is damaged in its section INODE");
  }

  /** Nothing but an answer or one line comes of any damage. */
  @Test
  void neverFailsOtherwiseOnADamagedImage() throws IOException {
    byte[] whole = Files.readAllBytes(SAMPLE);
    Random random = new Random(1);
    int refused = 0;
    for (int run = 0; run < 300; run++) {
      byte[] damaged = whole.clone();
      int at = random.nextInt(whole.length);
      // The tables and the summary are short, and stand at the end.
      at = run % 2 == 0 ? at : whole.length - 1 - random.nextInt(2_000);
      damaged[at] = (byte) random.nextInt(256);
      try {
        files(written(damaged));
      } catch (OperatorException e) {
        refused++;
      }
    }
    assertThat(refused).isBetween(20, 299);
  }
}
