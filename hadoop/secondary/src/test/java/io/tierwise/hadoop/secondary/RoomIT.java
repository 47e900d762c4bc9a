package io.tierwise.hadoop.secondary;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.message.Listener;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

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
    // No further file would fit.
    assertThat(report.stopped()).isTrue();
    assertThat(report.left().get(0).files()).isOne();
  }

  @Test
  void aStoreWithoutRoomEndsTheRun() throws IOException {
    String store = clusters.store("file");
    clusters.write("/room/a", BYTES);
    clusters.write("/room/b", BYTES);

    for (SecondaryRun.Kind kind : List.of(SecondaryRun.Kind.OFFLOAD, SecondaryRun.Kind.COPY)) {
      assertNoRoom(runKeepingAll(store, kind, "/room"), "the secondary store " + store);
    }
    assertThat(Clusters.filesIn(store)).isZero();
  }

  @Test
  void hdfsWithoutRoomEndsTheRun() throws IOException {
    String store = clusters.store("file");
    clusters.write("/room-back/a", BYTES);
    clusters.write("/room-back/b", BYTES);
    clusters.run(store, SecondaryRun.Kind.OFFLOAD, "/room-back");

    assertNoRoom(runKeepingAll(store, SecondaryRun.Kind.RECALL, "/room-back"), "HDFS");
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
}
