package io.tierwise.hadoop.secondary;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.RollingUpgradeAction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Nothing is cleaned away that somebody has put there, or may need. */
@ExtendWith(Clusters.Both.class)
class CleaningIT {
  private static final int BYTES = Clusters.BLOCK_BYTES + 4321;

  private final Clusters clusters;

  CleaningIT(Clusters clusters) {
    this.clusters = clusters;
  }

  /** As after a kill, where a line that its bytes are in HDFS would have nobody clean. */
  @Test
  void aRecallSaysWhatARunThatEndedLeft() throws IOException {
    String store = clusters.store("file");
    clusters.write("/ended/.tierwise-12-20260324T040000Z-0a1b2c3d.recall", BYTES);

    SecondaryReport report = clusters.run(store, SecondaryRun.Kind.RECALL, "/ended");

    assertThat(report.left()).hasSize(1);
    assertThat(report.left().get(0).reason()).contains("tierwise secondary clean");
  }

  @Test
  void filesThatUsersNamedAlikeAreTheirs() throws IOException {
    String store = clusters.store("file");
    List<String> theirs =
        List.of(".tierwise-notes", ".tierwise-12.recall", ".tierwise-12-today.body");
    for (String name : theirs) {
      clusters.write("/mine/" + name, BYTES);
    }
    clusters.write("/mine/file", BYTES);
    assertThat(clusters.run(store, SecondaryRun.Kind.OFFLOAD, "/mine").files()).isEqualTo(4);
    java.nio.file.Path folder = clusters.copyOf(store, "/mine/file").getParent();
    Files.writeString(folder.resolve("README"), "theirs");
    Files.writeString(folder.resolve("12.txt"), "theirs");
    assertThat(clusters.run(store, SecondaryRun.Kind.RECALL, "/mine").files()).isEqualTo(4);

    clusters.clean(store, "/mine");
    clusters.clean(store);

    assertThat(clusters.stock().listStatus(new Path("/mine"))).hasSize(4);
    assertThat(Clusters.filesIn(store)).isEqualTo(2);
  }

  @Test
  void aStoreThatTakesNothingAwayIsAFault() throws IOException {
    String store = clusters.store("file");
    clusters.write("/stubborn/kept", BYTES);
    clusters.write("/stubborn/deleted", BYTES);
    clusters.run(store, SecondaryRun.Kind.COPY, "/stubborn/kept");
    clusters.run(store, SecondaryRun.Kind.OFFLOAD, "/stubborn/deleted");
    clusters.stock().delete(new Path("/stubborn/deleted"), false);
    Configuration stubborn = clusters.conf(store);
    stubborn.set("fs.file.impl", StubbornFileSystem.class.getName());

    SecondaryReport orphans = clusters.clean(stubborn, store, 0);
    assertThat(orphans.files()).isZero();
    assertThat(orphans.complete()).isFalse();
    assertThat(orphans.left().get(0).reason()).contains("did not take it away");
    SecondaryReport below = clusters.clean(stubborn, store, 0, "/stubborn");
    assertThat(below.files()).isZero();
    assertThat(below.complete()).isFalse();
    assertThat(Clusters.filesIn(store)).isEqualTo(4);

    assertThat(clusters.clean(store).files()).isEqualTo(2);
    assertThat(clusters.clean(store, "/stubborn").files()).isOne();
    assertThat(Clusters.filesIn(store)).isZero();
  }

  @Test
  void whatARunThatGoesOnMayHaveMadeStays() throws IOException {
    String store = clusters.store("file");
    String name = new WorkName(5, Attempt.begin(), WorkName.Kind.RECALL).toString();
    clusters.write("/young/" + name, 10);

    SecondaryReport report = clusters.clean(clusters.conf(store), store, 24, "/young");

    assertThat(report.files()).isZero();
    assertThat(report.complete()).isTrue();
    assertThat(report.left().get(0).reason()).contains("less than 24 hours ago");
    assertThat(clusters.clean(store, "/young").files()).isOne();
    assertThat(clusters.stock().listStatus(new Path("/young"))).isEmpty();
  }

  @Test
  void copiesStayUntilAnUpgradeOfHdfsIsFinalized() throws IOException {
    String store = clusters.store("file");
    clusters.write("/upgraded/kept", BYTES);
    clusters.write("/upgraded/deleted", BYTES);
    clusters.run(store, SecondaryRun.Kind.COPY, "/upgraded/kept");
    clusters.run(store, SecondaryRun.Kind.OFFLOAD, "/upgraded/deleted");
    DistributedFileSystem stock = clusters.stock();
    stock.delete(new Path("/upgraded/deleted"), false);
    stock.setSafeMode(SafeModeAction.ENTER);
    stock.rollingUpgrade(RollingUpgradeAction.PREPARE);
    stock.setSafeMode(SafeModeAction.LEAVE);
    try {
      for (SecondaryReport report :
          List.of(clusters.clean(store, "/upgraded"), clusters.clean(store))) {
        assertThat(report.files()).isZero();
        assertThat(report.left().get(0).reason()).contains("an upgrade of HDFS is not finalized");
      }
    } finally {
      stock.rollingUpgrade(RollingUpgradeAction.FINALIZE);
    }
    assertThat(Clusters.filesIn(store)).isEqualTo(4);
    assertThat(clusters.clean(store, "/upgraded").files()).isOne();
    assertThat(clusters.clean(store).files()).isEqualTo(2);
  }

  /** As after a rollback: the copy has the number that its file got when it was recalled later. */
  @Test
  void copiesOfPlaceholdersThatCameBackStay() throws IOException {
    String store = clusters.store("file");
    byte[] data = clusters.write("/back/file", BYTES);
    clusters.run(store, SecondaryRun.Kind.OFFLOAD, "/back");
    java.nio.file.Path copy = clusters.copyOf(store, "/back/file");
    java.nio.file.Path meta = Clusters.metaOf(copy);
    java.nio.file.Path later = copy.resolveSibling("999999999999");
    java.nio.file.Path laterMeta = copy.resolveSibling("999999999999.meta");
    Files.move(copy, later);
    Files.move(meta, laterMeta);

    SecondaryReport report = clusters.clean(store);

    assertThat(report.files()).isZero();
    assertThat(report.left().get(0).reason())
        .contains("as after a rollback of HDFS")
        .endsWith("/back/file");
    Files.move(later, copy);
    Files.move(laterMeta, meta);
    try (FileSystem ours = clusters.ours(store)) {
      assertThat(Clusters.read(ours, "/back/file")).isEqualTo(data);
    }
  }

  /** As after a rollback: HDFS gives out a number again that the store has a copy under. */
  @Test
  void copiesUnderNumbersThatAreGivenOutAgainAreNotWrittenOver() throws IOException {
    String store = clusters.store("file");
    byte[] data = clusters.write("/again/file", BYTES);
    clusters.write("/again/other", BYTES);
    clusters.run(store, SecondaryRun.Kind.COPY, "/again/other");
    java.nio.file.Path others = clusters.copyOf(store, "/again/other");
    long id = clusters.stock().getClient().getFileInfo("/again/file").getFileId();
    java.nio.file.Path taken =
        others
            .getParent()
            .resolveSibling(String.format("%02x", id % 256))
            .resolve(Long.toString(id));
    Files.createDirectories(taken.getParent());
    Files.copy(others, taken);
    Files.copy(Clusters.metaOf(others), taken.resolveSibling(id + ".meta"));

    SecondaryReport report = clusters.run(store, SecondaryRun.Kind.COPY, "/again/file");

    assertThat(report.complete()).isFalse();
    assertThat(report.left().get(0).reason())
        .contains("HDFS was rolled back or restored", taken.getFileName().toString());
    assertThat(Files.mismatch(others, taken)).isEqualTo(-1);
    assertThat(Clusters.read(clusters.stock(), "/again/file")).isEqualTo(data);
  }

  @Test
  void aDamagedDescriptionDoesNotEndACleaning() throws IOException {
    String store = clusters.store("file");
    for (String name : List.of("a", "b", "c")) {
      clusters.write("/damaged/" + name, BYTES);
    }
    clusters.run(store, SecondaryRun.Kind.OFFLOAD, "/damaged");
    java.nio.file.Path damaged = clusters.copyOf(store, "/damaged/b");
    Clusters.damage(damaged);
    clusters.stock().delete(new Path("/damaged"), true);

    SecondaryReport report = clusters.clean(store);

    assertThat(report.files()).isEqualTo(4);
    assertThat(report.complete()).isFalse();
    assertThat(report.left()).hasSize(1);
    assertThat(report.left().get(0).reason())
        .contains("its description cannot be read", damaged.getFileName().toString());
    assertThat(damaged).exists();
    assertThat(Clusters.filesIn(store)).isEqualTo(2);
  }

  /** It is another inode that comes back, and the snapshot's placeholder has its number yet. */
  @Test
  void aSnapshotsPlaceholderKeepsItsCopy() throws IOException {
    String store = clusters.store("file");
    DistributedFileSystem stock = clusters.stock();
    byte[] data = clusters.write("/snapped/file", BYTES);
    clusters.run(store, SecondaryRun.Kind.OFFLOAD, "/snapped");
    stock.mkdirs(new Path("/unsnapped"));
    stock.allowSnapshot(new Path("/snapped"));
    stock.createSnapshot(new Path("/snapped"), "s");
    try (FileSystem ours = clusters.ours(store)) {
      stock.rename(new Path("/snapped/file"), new Path("/unsnapped/file"));

      assertThat(clusters.run(store, SecondaryRun.Kind.RECALL, "/unsnapped").files()).isOne();
      assertThat(Clusters.read(ours, "/snapped/.snapshot/s/file")).isEqualTo(data);
      clusters.clean(store, "/unsnapped");
      clusters.clean(store);

      assertThat(Clusters.read(ours, "/snapped/.snapshot/s/file")).isEqualTo(data);
      assertThat(Clusters.read(stock, "/unsnapped/file")).isEqualTo(data);
    } finally {
      stock.deleteSnapshot(new Path("/snapped"), "s");
      stock.disallowSnapshot(new Path("/snapped"));
    }
    assertThat(clusters.clean(store).files()).isEqualTo(2);
  }

  @Test
  void cleaningByPathLooksAtSnapshotsToo() throws IOException {
    String store = clusters.store("file");
    DistributedFileSystem stock = clusters.stock();
    clusters.write("/later/recalled", BYTES);
    clusters.write("/later/copied", BYTES);
    clusters.run(store, SecondaryRun.Kind.OFFLOAD, "/later/recalled");
    clusters.run(store, SecondaryRun.Kind.RECALL, "/later/recalled");
    clusters.run(store, SecondaryRun.Kind.COPY, "/later/copied");
    stock.mkdirs(new Path("/snapped-later"));
    stock.allowSnapshot(new Path("/snapped-later"));
    stock.createSnapshot(new Path("/snapped-later"), "s");
    try {
      SecondaryReport report = clusters.clean(store, "/later");

      // No placeholder ever had the number of a file that was copied only.
      assertThat(report.files()).isOne();
      assertThat(report.left().get(0).reason()).contains("a snapshot was taken since");
      assertThat(clusters.copyOf(store, "/later/recalled")).exists();
    } finally {
      stock.deleteSnapshot(new Path("/snapped-later"), "s");
      stock.disallowSnapshot(new Path("/snapped-later"));
    }
    assertThat(clusters.clean(store, "/later").files()).isOne();
  }

  /** A rename keeps the time of a copy's bytes, and the NameNode that is asked may lag behind. */
  @Test
  void aCopyThatWasJustTakenUpIsYoung() throws IOException {
    String store = clusters.store("file");
    clusters.write("/taken-up/file", BYTES);
    clusters.run(store, SecondaryRun.Kind.COPY, "/taken-up");
    java.nio.file.Path copy = clusters.copyOf(store, "/taken-up/file");
    Files.setLastModifiedTime(copy, FileTime.from(Instant.now().minus(Duration.ofDays(9))));
    assertThat(clusters.copiesOf(store, SecondaryRun.Kind.OFFLOAD, "/taken-up")).isZero();
    clusters.stock().delete(new Path("/taken-up/file"), false);

    assertThat(clusters.clean(clusters.conf(store), store, 24).files()).isZero();
    assertThat(Clusters.filesIn(store)).isEqualTo(2);

    assertThat(clusters.clean(store).files()).isEqualTo(2);
  }
}
