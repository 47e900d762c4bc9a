package io.tierwise.hadoop.secondary;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.message.Listener;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Processes that are killed at any step, and in the middle of copies: the file is read, and another
 * run does the rest.
 */
@ExtendWith(Clusters.Both.class)
class KilledAnywhereIT {
  private static final int BYTES = Clusters.BLOCK_BYTES + 12_345;

  /** Steps and copied pieces of a move, more than there are. */
  private static final int POINTS_MAX = 40;

  private final Clusters clusters;

  KilledAnywhereIT(Clusters clusters) {
    this.clusters = clusters;
  }

  private void assertReadable(String store, String path, byte[] data, String when)
      throws IOException {
    try (FileSystem ours = clusters.ours(store)) {
      assertThat(Clusters.read(ours, path)).as(when).isEqualTo(data);
    }
  }

  private long mtime(String path) throws IOException {
    return clusters.stock().getFileStatus(new Path(path)).getModificationTime();
  }

  /** The lease of a process that was killed in the very step ends when HDFS ends it. */
  private void awaitClosed(String path) throws IOException {
    clusters.primary().setLeasePeriod(1, 1);
    try {
      long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
      while (!clusters.stock().isFileClosed(new Path(path))) {
        assertThat(System.nanoTime()).as("%s is open", path).isLessThan(end);
        LockSupport.parkNanos(50_000_000L);
      }
    } finally {
      clusters
          .primary()
          .setLeasePeriod(HdfsConstants.LEASE_SOFTLIMIT_PERIOD, TimeUnit.MINUTES.toMillis(20));
    }
  }

  private void killAt(int[] points, String store, String directory) throws Exception {
    String path = directory + "/file";
    byte[] data = clusters.write(path, BYTES);
    long mtime = mtime(path);
    int killed = 0;
    for (int at : points) {
      for (SecondaryRun.Kind kind : List.of(SecondaryRun.Kind.OFFLOAD, SecondaryRun.Kind.RECALL)) {
        killed += RunProcess.killAt(clusters, store, kind, at, path) ? 1 : 0;
        assertReadable(store, path, data, kind + " killed at " + at);
        boolean held = !clusters.stock().isFileClosed(new Path(path));
        awaitClosed(path);
        // HDFS itself closes a file that is held by nobody, and gives it that time.
        mtime = held ? mtime(path) : mtime;
        assertThat(mtime(path)).as("%s killed at %s", kind, at).isEqualTo(mtime);
        SecondaryReport rest = clusters.run(store, kind, path);
        assertThat(rest.complete()).as("%s at %s: %s", kind, at, rest.left()).isTrue();
        assertReadable(store, path, data, "after the rest of " + kind + " at " + at);
        assertThat(mtime(path)).as("after the rest of %s at %s", kind, at).isEqualTo(mtime);
      }
    }
    assertThat(killed).isPositive();
    clusters.clean(store, directory);
    clusters.clean(store);
    assertThat(clusters.stock().listStatus(new Path(directory))).hasSize(1);
    assertThat(Clusters.read(clusters.stock(), path)).isEqualTo(data);
    assertThat(Clusters.filesIn(store)).isZero();
  }

  private static int[] somePoints(int seed, int count) {
    return new Random(seed).ints(count, 0, POINTS_MAX / 2).toArray();
  }

  @Test
  void aProcessThatIsKilledLosesNothing() throws Exception {
    killAt(somePoints(3, 1), clusters.store("hdfs"), "/killed");
    killAt(somePoints(1, 1), clusters.store("file"), "/killed-local");
  }

  @Test
  @Tag("long")
  void aProcessThatIsKilledAtEachPointLosesNothing() throws Exception {
    int[] points = IntStream.range(0, POINTS_MAX).toArray();
    killAt(points, clusters.store("hdfs"), "/killed-long");
  }

  @Test
  void copiesKeptWhileBytesAreInHdfsAreTakenUpAndCleaned() throws IOException {
    String store = clusters.store("file");
    byte[] data = clusters.write("/lazy/file", BYTES);
    assertThat(clusters.run(store, SecondaryRun.Kind.COPY, "/lazy").files()).isOne();
    assertThat(Clusters.read(clusters.stock(), "/lazy/file")).isEqualTo(data);
    assertThat(Clusters.filesIn(store)).isEqualTo(2);

    AtomicInteger copied = new AtomicInteger();
    clusters.run(
        store,
        SecondaryRun.Kind.OFFLOAD,
        step -> copied.addAndGet(step.equals("copied") ? 1 : 0),
        Listener.SILENT,
        "/lazy");
    assertThat(copied).hasValue(0);
    assertReadable(store, "/lazy/file", data, "offloaded");
    clusters.run(store, SecondaryRun.Kind.RECALL, "/lazy");
    assertThat(Clusters.filesIn(store)).isEqualTo(2);
    assertThat(clusters.run(store, SecondaryRun.Kind.VERIFY, "/lazy").files()).isOne();

    assertThat(clusters.clean(store, "/lazy").bytes()).isEqualTo(BYTES);
    assertThat(Clusters.filesIn(store)).isZero();
    assertThat(Clusters.read(clusters.stock(), "/lazy/file")).isEqualTo(data);
  }

  @Test
  void aCopyOfAnOlderFileIsNotTakenUp() throws IOException {
    String store = clusters.store("file");
    clusters.write("/older/file", BYTES);
    clusters.run(store, SecondaryRun.Kind.COPY, "/older");
    byte[] data;
    try (var out = clusters.stock().append(new Path("/older/file"))) {
      out.write(7);
    }
    data = Clusters.read(clusters.stock(), "/older/file");

    assertThat(clusters.run(store, SecondaryRun.Kind.OFFLOAD, "/older").left()).isEmpty();

    assertReadable(store, "/older/file", data, "offloaded");
  }

  /** Another inode in its place would leave the snapshot's placeholder without its copy. */
  @Test
  void filesThatASnapshotMayHoldStay() throws IOException {
    String store = clusters.store("file");
    DistributedFileSystem stock = clusters.stock();
    byte[] away = clusters.write("/held/away", BYTES);
    assertThat(clusters.run(store, SecondaryRun.Kind.OFFLOAD, "/held").files()).isEqualTo(1);
    byte[] here = clusters.write("/held/here", BYTES);
    stock.allowSnapshot(new Path("/held"));
    stock.createSnapshot(new Path("/held"), "s");

    for (SecondaryRun.Kind kind :
        List.of(SecondaryRun.Kind.OFFLOAD, SecondaryRun.Kind.COPY, SecondaryRun.Kind.RECALL)) {
      SecondaryReport report = clusters.run(store, kind, "/held");
      assertThat(report.files()).as("%s", kind).isZero();
      assertThat(report.left())
          .as("%s", kind)
          .anyMatch(left -> left.reason().contains("allows snapshots") && !left.fault());
    }
    assertReadable(store, "/held/.snapshot/s/away", away, "in a snapshot");
    assertReadable(store, "/held/away", away, "in the store");
    assertThat(Clusters.read(stock, "/held/here")).isEqualTo(here);

    stock.deleteSnapshot(new Path("/held"), "s");
    stock.disallowSnapshot(new Path("/held"));
    assertThat(clusters.run(store, SecondaryRun.Kind.RECALL, "/held").files()).isEqualTo(1);
    assertThat(Clusters.read(stock, "/held/away")).isEqualTo(away);
  }

  @Test
  void copiesOfDeletedFilesAreCleanedUnlessASnapshotMayNeedThem() throws IOException {
    String store = clusters.store("file");
    byte[] data = clusters.write("/gone/file", BYTES);
    clusters.run(store, SecondaryRun.Kind.OFFLOAD, "/gone");
    DistributedFileSystem stock = clusters.stock();
    assertThat(clusters.clean(store).files()).isZero();
    stock.allowSnapshot(new Path("/gone"));
    stock.createSnapshot(new Path("/gone"), "s");
    stock.delete(new Path("/gone/file"), false);

    assertReadable(store, "/gone/.snapshot/s/file", data, "in a snapshot");
    assertThat(clusters.clean(store).left().get(0).reason()).contains("a snapshot was taken");
    assertReadable(store, "/gone/.snapshot/s/file", data, "in a snapshot, after cleaning");

    stock.deleteSnapshot(new Path("/gone"), "s");
    stock.disallowSnapshot(new Path("/gone"));
    assertThat(clusters.clean(store).files()).isEqualTo(2);
    assertThat(Clusters.filesIn(store)).isZero();
  }
}
