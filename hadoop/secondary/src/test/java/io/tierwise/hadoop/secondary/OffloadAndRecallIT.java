package io.tierwise.hadoop.secondary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.hadoop.mover.journal.PastRun;
import io.tierwise.hadoop.mover.journal.StepView;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.FileInputFormat;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RecordReader;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapred.TextInputFormat;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files go to a store and come back, and what readers see of them meanwhile. */
@ExtendWith(Clusters.Both.class)
class OffloadAndRecallIT {
  private static final int BYTES = 3 * Clusters.BLOCK_BYTES + 123;

  private final Clusters clusters;

  OffloadAndRecallIT(Clusters clusters) {
    this.clusters = clusters;
  }

  private static UserGroupInformation alice() {
    return UserGroupInformation.createUserForTesting("alice", new String[] {"staff"});
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "hdfs"})
  void aFileIsReadAsBeforeWhereverItsBytesAre(String kind) throws IOException {
    String store = clusters.store(kind);
    String path = "/whole-" + kind + "/file";
    byte[] data = clusters.write(path, BYTES);
    DistributedFileSystem stock = clusters.stock();
    stock.setPermission(new Path(path), new FsPermission((short) 0664));
    stock.setXAttr(new Path(path), "user.mine", new byte[] {1, 2});
    FileStatus before = stock.getFileStatus(new Path(path));

    SecondaryReport offloaded = clusters.run(store, SecondaryRun.Kind.OFFLOAD, path);

    assertThat(offloaded.left()).isEmpty();
    assertThat(offloaded.files()).isOne();
    assertThat(offloaded.bytes()).isEqualTo(BYTES);
    assertThat(stock.getContentSummary(new Path(path)).getSpaceConsumed()).isLessThan(4096);
    try (FileSystem ours = clusters.ours(store)) {
      assertThat(Clusters.read(ours, path)).isEqualTo(data);
      FileStatus shown = ours.getFileStatus(new Path(path));
      assertThat(shown.getLen()).isEqualTo(BYTES);
      assertThat(shown.getModificationTime()).isEqualTo(before.getModificationTime());
      assertThat(shown.getOwner()).isEqualTo(before.getOwner());
      assertThat(shown.getGroup()).isEqualTo(before.getGroup());
      assertThat(shown.getPermission()).isEqualTo(new FsPermission((short) 0444));
      assertThat(shown.getPath()).isEqualTo(before.getPath());
      assertThat(shown.getReplication()).isEqualTo((short) 2);
    }

    SecondaryReport recalled = clusters.run(store, SecondaryRun.Kind.RECALL, path);

    assertThat(recalled.left()).isEmpty();
    assertThat(recalled.files()).isOne();
    assertThat(Clusters.read(stock, path)).isEqualTo(data);
    FileStatus after = stock.getFileStatus(new Path(path));
    assertThat(after.getLen()).isEqualTo(BYTES);
    assertThat(after.getBlockSize()).isEqualTo(Clusters.BLOCK_BYTES);
    assertThat(after.getModificationTime()).isEqualTo(before.getModificationTime());
    assertThat(after.getPermission()).isEqualTo(before.getPermission());
    assertThat(after.getOwner()).isEqualTo(before.getOwner());
    assertThat(after.getGroup()).isEqualTo(before.getGroup());
    assertThat(after.getReplication()).isEqualTo((short) 2);
    assertThat(stock.getXAttr(new Path(path), "user.mine")).containsExactly(1, 2);
    assertThat(stock.listStatus(new Path(path).getParent())).hasSize(1);
  }

  @Test
  void aClientThatDoesNotKnowPlaceholdersIsRefused() throws Exception {
    String store = clusters.store("file");
    clusters.write("/refused/file", BYTES);
    Path path = new Path("/refused/file");

    clusters.run(store, SecondaryRun.Kind.OFFLOAD, "/refused");

    // Not empty, since query engines leave empty files out without a word.
    assertThat(clusters.stock().getFileStatus(path).getLen()).isPositive();
    assertThatThrownBy(() -> Clusters.read(clusters.stock(), "/refused/file"))
        .isInstanceOf(AccessControlException.class)
        .hasMessageContaining("superuser");
    alice()
        .doAs(
            (PrivilegedExceptionAction<Void>)
                () -> {
                  try (FileSystem hers =
                      FileSystem.newInstance(
                          clusters.primary().getURI(), clusters.primary().getConfiguration(0))) {
                    assertThatThrownBy(() -> Clusters.read(hers, "/refused/file"))
                        .isInstanceOf(AccessControlException.class)
                        .hasMessageContaining("Permission denied: user=alice, access=READ");
                    assertThatThrownBy(() -> hers.append(path).close())
                        .isInstanceOf(AccessControlException.class);
                  }
                  return null;
                });
  }

  @Test
  void theRightsToReadAreThoseOfTheFile() throws Exception {
    String store = clusters.store("hdfs");
    byte[] open = clusters.write("/rights/open", BYTES);
    clusters.write("/rights/closed", BYTES);
    clusters.stock().setPermission(new Path("/rights/closed"), new FsPermission((short) 0600));
    clusters.write("/rights/below/file", BYTES);
    clusters.stock().setPermission(new Path("/rights/below"), new FsPermission((short) 0700));

    assertThat(clusters.run(store, SecondaryRun.Kind.OFFLOAD, "/rights").files()).isEqualTo(3);

    alice()
        .doAs(
            (PrivilegedExceptionAction<Void>)
                () -> {
                  try (FileSystem hers = clusters.ours(store)) {
                    assertThat(Clusters.read(hers, "/rights/open")).isEqualTo(open);
                    hers.access(new Path("/rights/open"), FsAction.READ);
                    for (String path : List.of("/rights/closed", "/rights/below/file")) {
                      assertThatThrownBy(() -> Clusters.read(hers, path))
                          .isInstanceOf(AccessControlException.class)
                          .hasMessageContaining("alice");
                    }
                    assertThatThrownBy(() -> hers.access(new Path("/rights/closed"), FsAction.READ))
                        .isInstanceOf(AccessControlException.class);
                  }
                  // Nor by the store itself.
                  try (FileSystem archive =
                      FileSystem.newInstance(
                          clusters.archive().getURI(), clusters.archive().getConfiguration(0))) {
                    int readable = 0;
                    RemoteIterator<LocatedFileStatus> copies =
                        archive.listFiles(new Path(store), true);
                    while (copies.hasNext()) {
                      String copy = copies.next().getPath().toString();
                      readable += isReadable(archive, copy) ? 1 : 0;
                    }
                    assertThat(readable).isEqualTo(2);
                  }
                  return null;
                });
  }

  private static boolean isReadable(FileSystem fs, String path) throws IOException {
    try {
      Clusters.read(fs, path);
      return true;
    } catch (AccessControlException e) {
      return false;
    }
  }

  @Test
  void partsAreReadByPositionAndListedByAllWays() throws IOException {
    String store = clusters.store("file");
    byte[] data = clusters.write("/ways/file", BYTES);
    clusters.write("/ways/other", 700);
    clusters.run(store, SecondaryRun.Kind.OFFLOAD, "/ways");
    Path directory = new Path("/ways");
    Path path = new Path("/ways/file");

    try (FileSystem ours = clusters.ours(store)) {
      byte[] part = new byte[300_000];
      try (FSDataInputStream in = ours.open(path)) {
        in.readFully(Clusters.BLOCK_BYTES - 7, part);
        assertThat(part)
            .isEqualTo(
                Arrays.copyOfRange(
                    data, Clusters.BLOCK_BYTES - 7, Clusters.BLOCK_BYTES - 7 + part.length));
        in.seek(BYTES - 5);
        assertThat(in.readAllBytes()).isEqualTo(Arrays.copyOfRange(data, BYTES - 5, BYTES));
        assertThat(in.read()).isEqualTo(-1);
      }
      assertThat(ours.listStatus(directory)).extracting(FileStatus::getLen).contains((long) BYTES);
      assertThat(lengths(ours.listStatusIterator(directory))).containsExactly((long) BYTES, 700L);
      assertThat(lengths(ours.listLocatedStatus(directory))).containsExactly((long) BYTES, 700L);
      assertThat(lengths(ours.listFiles(directory, true))).containsExactly((long) BYTES, 700L);
      assertThat(ours.globStatus(new Path("/ways/f*"))[0].getLen()).isEqualTo(BYTES);
      try (FSDataInputStream in = ours.open(ours.getPathHandle(ours.getFileStatus(path)))) {
        assertThat(in.readAllBytes()).isEqualTo(data);
      }
      BlockLocation[] blocks = ours.getFileBlockLocations(path, 0, BYTES);
      assertThat(blocks).hasSize(4);
      assertThat(blocks[3].getOffset() + blocks[3].getLength()).isEqualTo(BYTES);
    }
    FileContext context =
        FileContext.getFileContext(clusters.primary().getURI(), clusters.conf(store));
    try (FSDataInputStream in = context.open(path)) {
      assertThat(in.readAllBytes()).isEqualTo(data);
    }
    assertThat(context.getFileStatus(path).getLen()).isEqualTo(BYTES);
    assertThat(lengths(context.listStatus(directory))).containsExactly((long) BYTES, 700L);
    assertThat(lengths(context.listLocatedStatus(directory))).containsExactly((long) BYTES, 700L);
    assertThat(context.getFileBlockLocations(path, 0, BYTES)).hasSize(4);
  }

  /** {@code distcp -p} asks for the checksum of each file before it copies it. */
  @Test
  void aFileInTheStoreHasNoChecksumAndIsNotChanged() throws Exception {
    String store = clusters.store("file");
    clusters.write("/sums/file", BYTES);
    clusters.write("/sums/closed", BYTES);
    clusters.stock().setPermission(new Path("/sums/closed"), new FsPermission((short) 0600));
    clusters.write("/sums/part", Clusters.BLOCK_BYTES);
    clusters.run(store, SecondaryRun.Kind.OFFLOAD, "/sums/file", "/sums/closed");
    Path path = new Path("/sums/file");
    FileContext context =
        FileContext.getFileContext(clusters.primary().getURI(), clusters.conf(store));
    try (FileSystem ours = clusters.ours(store)) {
      assertThat(ours.getFileChecksum(path)).isNull();
      assertThat(ours.getFileChecksum(path, 7)).isNull();
      assertThat(context.getFileChecksum(path)).isNull();
      assertThat(ours.getFileChecksum(new Path("/sums/part"))).isNotNull();
      Path[] part = {new Path("/sums/part")};
      assertInStore(() -> ours.concat(path, part));
      assertInStore(() -> ours.concat(part[0], new Path[] {path}));
      assertInStore(() -> ours.removeAcl(path));
      assertInStore(() -> ours.removeAclEntries(path, List.of()));
      assertInStore(() -> ours.setTimes(path, 1, 1));
      assertInStore(() -> context.removeAcl(path));
      assertInStore(() -> context.setTimes(path, 1, 1));
      assertInStore(() -> ours.unsetStoragePolicy(path));
      assertInStore(() -> context.unsetStoragePolicy(path));
      assertInStore(() -> context.create(path, EnumSet.of(CreateFlag.APPEND)).close());
      assertInStore(
          () -> context.create(path, EnumSet.of(CreateFlag.CREATE, CreateFlag.APPEND)).close());
    }
    alice()
        .doAs(
            (PrivilegedExceptionAction<Void>)
                () -> {
                  try (FileSystem hers = clusters.ours(store)) {
                    assertThat(hers.getFileChecksum(path)).isNull();
                    assertThatThrownBy(() -> hers.getFileChecksum(new Path("/sums/closed")))
                        .isInstanceOf(AccessControlException.class);
                  }
                  return null;
                });
  }

  private static void assertInStore(ThrowingCallable change) {
    assertThatThrownBy(change).hasMessageContaining("tierwise secondary recall");
  }

  private static List<Long> lengths(RemoteIterator<? extends FileStatus> listing)
      throws IOException {
    List<Long> lengths = new ArrayList<>();
    while (listing.hasNext()) {
      lengths.add(listing.next().getLen());
    }
    return lengths;
  }

  /** Splits are made of block locations, and each is read by itself. */
  @Test
  void aJobsSplitsCoverTheFile() throws IOException {
    String store = clusters.store("file");
    StringBuilder text = new StringBuilder();
    for (int line = 0; line < 300_000; line++) {
      text.append("line ").append(line).append('\n');
    }
    clusters.write("/splits/text", text.toString().getBytes(StandardCharsets.US_ASCII));
    clusters.run(store, SecondaryRun.Kind.OFFLOAD, "/splits");
    JobConf job = new JobConf(clusters.conf(store));
    job.setBoolean("fs.hdfs.impl.disable.cache", true);
    FileInputFormat.setInputPaths(job, new Path(clusters.primary().getURI() + "/splits"));
    TextInputFormat format = new TextInputFormat();
    format.configure(job);

    long lines = 0;
    InputSplit[] splits = format.getSplits(job, 2);
    for (InputSplit split : splits) {
      try (RecordReader<LongWritable, Text> reader =
          format.getRecordReader(split, job, Reporter.NULL)) {
        LongWritable key = reader.createKey();
        Text value = reader.createValue();
        while (reader.next(key, value)) {
          lines++;
        }
      }
    }

    assertThat(splits.length).isGreaterThan(2);
    assertThat(lines).isEqualTo(300_000);
  }

  @Test
  void filesMoveWithTheirPlaceholders() throws IOException {
    String store = clusters.store("file");
    byte[] data = clusters.write("/from/file", BYTES);
    clusters.run(store, SecondaryRun.Kind.OFFLOAD, "/from");

    clusters.stock().mkdirs(new Path("/to"));
    assertThat(clusters.stock().rename(new Path("/from/file"), new Path("/to/renamed"))).isTrue();

    try (FileSystem ours = clusters.ours(store)) {
      assertThat(Clusters.read(ours, "/to/renamed")).isEqualTo(data);
    }
    clusters.run(store, SecondaryRun.Kind.RECALL, "/to");
    assertThat(Clusters.read(clusters.stock(), "/to/renamed")).isEqualTo(data);
  }

  @Test
  void theJournalHasEachFile() throws IOException {
    String store = clusters.store("file");
    clusters.write("/told/file", BYTES);

    SecondaryReport report = clusters.run(store, SecondaryRun.Kind.OFFLOAD, "/told");

    PastRun run = PastRun.read(clusters.journal(), report.id());
    List<PastRun.Step> steps = new ArrayList<>();
    run.read(steps::add);
    assertThat(steps).hasSize(1);
    assertThat(StepView.of(report.id(), steps.get(0)).text())
        .contains("/told/file (3.0 MiB): hdfs -> secondary, store " + store + ": done");
  }
}
