package io.tierwise.hadoop.secondary;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.message.Listener;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What cannot be moved for want of room is a failure, and nobody is told that all went well. */
@ExtendWith(Clusters.Both.class)
class RoomIT {
  private static final int BYTES = 10_000;

  private final Clusters clusters;

  RoomIT(Clusters clusters) {
    this.clusters = clusters;
  }

  private SecondaryReport runKeepingAll(String store, SecondaryRun.Kind kind, String path)
      throws IOException {
    return clusters.run(
        clusters.conf(store), store, 0.9999, kind, Steps.NONE, Listener.SILENT, path);
  }

  private void assertNoRoom(SecondaryReport report, String where) {
    assertThat(report.files()).isZero();
    assertThat(report.complete()).isFalse();
    assertThat(report.left()).hasSize(1);
    assertThat(report.left().get(0).fault()).isTrue();
    assertThat(report.left().get(0).reason())
        .contains(where, "would have less than 100% free", "make room");
  }

  @Test
  void aStoreWithoutRoomEndsTheRun() throws IOException {
    String store = clusters.store("file");
    clusters.write("/room/a", BYTES);
    clusters.write("/room/b", BYTES);

    SecondaryReport copy = runKeepingAll(store, SecondaryRun.Kind.COPY, "/room");
    assertNoRoom(copy, "the secondary store " + store);
    // No further file would fit.
    assertThat(copy.stopped()).isTrue();
    assertThat(copy.left().get(0).files()).isOne();

    SecondaryReport offload = runKeepingAll(store, SecondaryRun.Kind.OFFLOAD, "/room");
    assertNoRoom(offload, "the secondary store " + store);
    assertThat(offload.left().get(0).files()).isEqualTo(2);
    assertThat(Clusters.filesIn(store)).isZero();
  }

  /** They take nothing there, also behind a file that finds no room. */
  @Test
  void filesWhoseCopiesAreInAFullStoreLeaveHdfs() throws IOException {
    String store = clusters.store("file");
    clusters.write("/room-copied/b", BYTES);
    clusters.write("/room-copied/c", BYTES);
    SecondaryReport copied = clusters.run(store, SecondaryRun.Kind.COPY, "/room-copied");
    clusters.write("/room-copied/a", BYTES);

    SecondaryReport report = runKeepingAll(store, SecondaryRun.Kind.OFFLOAD, "/room-copied");

    assertThat(report.files()).as("%s", report.left()).isEqualTo(2);
    assertThat(copied.storeBytes()).isEqualTo(2 * BYTES);
    assertThat(report.storeBytes()).isZero();
    assertThat(report.left()).hasSize(1);
    assertThat(report.left().get(0).example()).isEqualTo("/room-copied/a");
    assertThat(report.complete()).isFalse();
  }

  @Test
  void hdfsWithoutRoomEndsTheRun() throws IOException {
    String store = clusters.store("file");
    clusters.write("/room-back/a", BYTES);
    clusters.write("/room-back/b", BYTES);
    clusters.run(store, SecondaryRun.Kind.OFFLOAD, "/room-back");

    SecondaryReport recall = runKeepingAll(store, SecondaryRun.Kind.RECALL, "/room-back");
    assertNoRoom(recall, "HDFS");
    assertThat(recall.stopped()).isTrue();
    assertThat(recall.left().get(0).files()).isOne();
  }

  /** Nobody waits for a store that takes connections and says nothing. */
  @Test
  @Timeout(20)
  void whatHdfsKnowsIsToldWithoutAWordFromTheStore() throws IOException {
    clusters.write("/foreseen/a", BYTES);
    try (ServerSocket silent = new ServerSocket(0, 9, InetAddress.getLoopbackAddress())) {
      String store = "hdfs://127.0.0.1:" + silent.getLocalPort() + "/archive";

      SecondaryReport report = clusters.plan(store, SecondaryRun.Kind.OFFLOAD, false, "/foreseen");

      assertThat(report.files()).as("%s", report.left()).isOne();
      assertThat(report.storeBytes()).isNull();
    }
  }

  /** A smaller one may fit. */
  @Test
  void aFileThatIsTooLargeStaysAlone() throws IOException {
    String store = clusters.store("file");
    clusters.write("/room-some/a-large", 8 * Clusters.BLOCK_BYTES);
    clusters.write("/room-some/b-small", BYTES);
    Configuration conf = clusters.conf(store);
    conf.set("fs.file.impl", SmallFileSystem.class.getName());
    long kept = SmallFileSystem.REMAINING_BYTES - 4L * Clusters.BLOCK_BYTES;

    SecondaryReport report =
        clusters.run(
            conf,
            store,
            (double) kept / SmallFileSystem.CAPACITY_BYTES,
            SecondaryRun.Kind.COPY,
            Steps.NONE,
            Listener.SILENT,
            "/room-some");

    assertThat(report.files()).as("%s", report.left()).isOne();
    assertThat(report.stopped()).isFalse();
    assertThat(report.complete()).isFalse();
    assertThat(report.left().get(0).example()).isEqualTo("/room-some/a-large");
  }

  /** The copy of one is made and read back before HDFS refuses its placeholder. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void belowAFullQuotaOneFileAloneIsCopiedInVain(boolean ofNames) throws IOException {
    String store = clusters.store("file");
    String full = "/quota-full-" + ofNames;
    String other = full + "-not";
    for (String name : List.of("a", "b/c", "b/d")) {
      clusters.write(full + "/" + name, BYTES);
    }
    clusters.write(other + "/e", BYTES);
    clusters
        .stock()
        .setQuota(
            new Path(full),
            ofNames ? 5 : HdfsConstants.QUOTA_DONT_SET,
            ofNames ? HdfsConstants.QUOTA_DONT_SET : 1);
    AtomicInteger copied = new AtomicInteger();
    SecondaryReport report =
        clusters.run(
            clusters.conf(store),
            store,
            0,
            SecondaryRun.Kind.OFFLOAD,
            step -> copied.addAndGet(step.equals("copied") ? 1 : 0),
            Listener.SILENT,
            full,
            other);

    assertThat(report.left()).hasSize(1);
    assertThat(report.left().get(0).files()).isEqualTo(3);
    assertThat(report.left().get(0).reason()).contains(full + " is exceeded");
    assertThat(report.files()).as("the one without that quota").isOne();
    assertThat(copied).hasValue(ofNames ? 1 : 2);
  }

  /** A daemon makes run after run. */
  @Test
  void aFullQuotaRefusesFilesOfLaterRunsUntilItHasMoreRoom() throws IOException {
    String store = clusters.store("file");
    clusters.write("/quota-later/a", BYTES);
    clusters.write("/quota-later/b", BYTES);
    Path directory = new Path("/quota-later");
    clusters.stock().setQuota(directory, HdfsConstants.QUOTA_DONT_SET, 1);
    FullQuotas quotas = new FullQuotas();
    AtomicInteger copied = new AtomicInteger();

    offload(store, quotas, copied, "/quota-later");
    SecondaryReport again = offload(store, quotas, copied, "/quota-later");
    assertThat(copied).as("by the first run alone").hasValue(1);
    assertThat(again.left()).hasSize(1);
    assertThat(again.left().get(0).files()).isEqualTo(2);
    assertThat(again.left().get(0).reason()).contains("/quota-later is exceeded");

    clusters.stock().setQuota(directory, HdfsConstants.QUOTA_DONT_SET, 1L << 40);
    assertThat(offload(store, quotas, copied, "/quota-later").files()).isEqualTo(2);
  }

  private SecondaryReport offload(
      String store, FullQuotas quotas, AtomicInteger copied, String path) throws IOException {
    Configuration conf = clusters.conf(store);
    SecondaryTier.prepare(conf);
    try (DistributedFileSystem fs =
            (DistributedFileSystem) FileSystem.newInstance(clusters.stock().getUri(), conf);
        SecondaryTier tier = SecondaryTier.of(fs, conf)) {
      tier.heed(quotas);
      SecondarySettings settings = new SecondarySettings(1L << 40, 0);
      List<String> paths = List.of(path);
      Steps steps = step -> copied.addAndGet(step.equals("copied") ? 1 : 0);
      return new SecondaryRun(tier, settings, SecondaryRun.Kind.OFFLOAD, steps)
          .run(
              paths,
              new SecondaryRun(tier, settings, SecondaryRun.Kind.OFFLOAD).plan(paths),
              () -> clusters.journal().begin("test", fs, paths, store, null),
              Listener.SILENT,
              () -> false);
    }
  }
}
