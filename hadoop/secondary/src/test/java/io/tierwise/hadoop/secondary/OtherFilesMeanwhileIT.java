package io.tierwise.hadoop.secondary;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.hdfs.secondary.SecondaryKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Another file of the same length and time takes the name of one that is copied, as when a table
 * gets its next version by two renames. Each file keeps its own bytes.
 */
@ExtendWith(Clusters.Both.class)
class OtherFilesMeanwhileIT {
  private static final int BYTES = 2 * Clusters.BLOCK_BYTES + 77;

  private final Clusters clusters;

  OtherFilesMeanwhileIT(Clusters clusters) {
    this.clusters = clusters;
  }

  /** A directory with the file that is copied, and another one that waits for its name. */
  private byte[][] tables(String directory) throws IOException {
    byte[] current = clusters.write(directory + "/current", BYTES);
    byte[] next = clusters.write(directory + "/next", BYTES);
    for (String table : new String[] {"current", "next"}) {
      clusters.stock().setTimes(new Path(directory + "/" + table), 1_000_000L, -1);
    }
    return new byte[][] {current, next};
  }

  private void exchange(String directory) throws IOException {
    DistributedFileSystem stock = clusters.stock();
    stock.rename(new Path(directory + "/current"), new Path(directory + "/old"));
    stock.rename(new Path(directory + "/next"), new Path(directory + "/current"));
  }

  private void assertOwnBytes(String store, String directory, byte[]... tables) throws IOException {
    try (FileSystem ours = clusters.ours(store)) {
      assertThat(Clusters.read(ours, directory + "/old")).isEqualTo(tables[0]);
      assertThat(Clusters.read(ours, directory + "/current")).isEqualTo(tables[1]);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"placeholder begun", "copied", "published", "held"})
  void aFileThatIsReplacedHasItsOwnBytesInTheStore(String step) throws IOException {
    String store = clusters.store("file");
    String directory = "/exchanged-" + step.replace(' ', '-');
    byte[][] tables = tables(directory);

    SecondaryReport report =
        clusters.runAndAt(
            step,
            store,
            SecondaryRun.Kind.OFFLOAD,
            directory + "/current",
            () -> exchange(directory));

    assertThat(report.files() + report.left().size()).isOne();
    assertOwnBytes(store, directory, tables);
  }

  @Test
  void aCopyThatIsThereIsComparedWithItsOwnFile() throws IOException {
    String store = clusters.store("file");
    byte[][] tables = tables("/exchanged-kept");
    clusters.run(store, SecondaryRun.Kind.COPY, "/exchanged-kept/current");

    clusters.runAndAt(
        "placeholder begun",
        store,
        SecondaryRun.Kind.OFFLOAD,
        "/exchanged-kept/current",
        () -> exchange("/exchanged-kept"));

    assertOwnBytes(store, "/exchanged-kept", tables);
    assertThat(clusters.clean(store, "/exchanged-kept").left()).isEmpty();
    assertOwnBytes(store, "/exchanged-kept", tables);
  }

  @Test
  void aCopyIsNotedOnTheFileThatItIsOf() throws IOException {
    String store = clusters.store("file");
    tables("/exchanged-noted");

    clusters.runAndAt(
        "published",
        store,
        SecondaryRun.Kind.COPY,
        "/exchanged-noted/current",
        () -> exchange("/exchanged-noted"));

    Map<String, byte[]> other = clusters.stock().getXAttrs(new Path("/exchanged-noted/current"));
    assertThat(other).doesNotContainKey(SecondaryKeys.COPY_ATTRIBUTE);
    assertThat(clusters.stock().getXAttrs(new Path("/exchanged-noted/old")))
        .containsKey(SecondaryKeys.COPY_ATTRIBUTE);
  }

  /** Nobody reads by the store what he does not reach in HDFS. */
  @Test
  void directoriesThatAFileIsRenamedIntoSayWhoReadsItsCopy() throws IOException {
    String store = clusters.store("file");
    DistributedFileSystem stock = clusters.stock();
    clusters.write("/renamed/open/file", BYTES);
    stock.mkdirs(new Path("/renamed/closed"));
    stock.setPermission(new Path("/renamed/closed"), new FsPermission((short) 0700));

    SecondaryReport report =
        clusters.runAndAt(
            "placeholder begun",
            store,
            SecondaryRun.Kind.OFFLOAD,
            "/renamed/open/file",
            () -> stock.rename(new Path("/renamed/open/file"), new Path("/renamed/closed/file")));

    assertThat(report.left()).isEmpty();
    java.nio.file.Path copy = clusters.copyOf(store, "/renamed/closed/file");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(copy)))
        .isEqualTo("r--------");
  }

  @Test
  void aFileThatIsRenamedToWhereSnapshotsAreAllowedStays() throws IOException {
    String store = clusters.store("file");
    DistributedFileSystem stock = clusters.stock();
    byte[] data = clusters.write("/renamed-plain/file", BYTES);
    stock.mkdirs(new Path("/renamed-snapped"));
    stock.allowSnapshot(new Path("/renamed-snapped"));
    try {
      SecondaryReport report =
          clusters.runAndAt(
              "placeholder finished",
              store,
              SecondaryRun.Kind.OFFLOAD,
              "/renamed-plain/file",
              () ->
                  stock.rename(new Path("/renamed-plain/file"), new Path("/renamed-snapped/file")));

      assertThat(report.files()).isZero();
      assertThat(report.left().get(0).reason()).contains("allows snapshots");
      assertThat(Clusters.read(stock, "/renamed-snapped/file")).isEqualTo(data);
      assertThat(Clusters.filesIn(store)).isZero();
    } finally {
      stock.disallowSnapshot(new Path("/renamed-snapped"));
    }
  }
}
