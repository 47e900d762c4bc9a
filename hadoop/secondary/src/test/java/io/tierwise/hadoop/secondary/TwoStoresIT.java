package io.tierwise.hadoop.secondary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Two stores that have a copy under one number, as after a rollback of HDFS: readers get the bytes
 * of their file or an error.
 */
@ExtendWith(Clusters.Both.class)
class TwoStoresIT {
  private static final int BYTES = Clusters.BLOCK_BYTES + 4321;

  private final Clusters clusters;
  private final String first;
  private final String second;
  private final String both;

  TwoStoresIT(Clusters clusters) throws IOException {
    this.clusters = clusters;
    first = clusters.store("file");
    second = clusters.store("file");
    both = first + "," + second;
  }

  /** A file in the second store, under whose number the first has another file of that length. */
  private byte[] offload(String directory) throws IOException {
    byte[] data = clusters.write(directory + "/file", BYTES);
    clusters.run(second, SecondaryRun.Kind.OFFLOAD, directory + "/file");
    clusters.write(directory + "/other", BYTES);
    clusters.run(first, SecondaryRun.Kind.OFFLOAD, directory + "/other");
    java.nio.file.Path own = clusters.copyOf(second, directory + "/file");
    java.nio.file.Path others = clusters.copyOf(first, directory + "/other");
    java.nio.file.Path taken =
        others.getParent().resolveSibling(own.getParent().getFileName()).resolve(own.getFileName());
    Files.createDirectories(taken.getParent());
    Files.copy(others, taken);
    Files.copy(Clusters.metaOf(others), Clusters.metaOf(taken));
    return data;
  }

  @Test
  void theDescriptionTellsWhoseACopyIs() throws IOException {
    byte[] data = offload("/two");

    try (FileSystem ours = clusters.ours(both)) {
      assertThat(Clusters.read(ours, "/two/file")).isEqualTo(data);
      clusters.stock().rename(new Path("/two/file"), new Path("/two/renamed"));
      assertThat(Clusters.read(ours, "/two/renamed")).isEqualTo(data);
    }
    SecondaryReport recalled = clusters.run(both, SecondaryRun.Kind.RECALL, "/two/renamed");
    assertThat(recalled.left()).isEmpty();
    assertThat(Clusters.read(clusters.stock(), "/two/renamed")).isEqualTo(data);
  }

  @Test
  void whatCannotBeToldIsHandedToNobody() throws IOException {
    byte[] data = offload("/untold");
    Path file = new Path("/untold/renamed");
    long mtime = clusters.stock().getFileStatus(new Path("/untold/file")).getModificationTime();
    clusters.stock().rename(new Path("/untold/file"), file);
    clusters.stock().setTimes(file, 1_000_000L, -1);

    try (FileSystem ours = clusters.ours(both)) {
      assertThatThrownBy(() -> Clusters.read(ours, file.toString()))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("more than one has a copy under its number")
          .hasMessageContaining(first);
      // Nor when the store that has its own is not mounted.
      java.nio.file.Path mount = java.nio.file.Path.of(URI.create(second));
      java.nio.file.Path unmounted = mount.resolveSibling("unmounted");
      Files.move(mount, unmounted);
      assertThatThrownBy(() -> Clusters.read(ours, file.toString()))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(second)
          .hasMessageContaining("cannot be read");
      Files.move(unmounted, mount);
      clusters.stock().setTimes(file, mtime, -1);
      assertThat(Clusters.read(ours, file.toString())).isEqualTo(data);
    }
  }

  /** As when one store was copied to another one, which takes its place. */
  @Test
  void aCopyThatBothStoresHaveIsReadFromEither() throws IOException {
    Path file = new Path("/same/renamed");
    byte[] data = clusters.write("/same/file", BYTES);
    clusters.stock().setTimes(new Path("/same/file"), 1_700_000_000_123L, -1);
    clusters.run(second, SecondaryRun.Kind.OFFLOAD, "/same/file");
    java.nio.file.Path own = clusters.copyOf(second, "/same/file");
    java.nio.file.Path root = java.nio.file.Path.of(URI.create(second));
    java.nio.file.Path same =
        java.nio.file.Path.of(URI.create(first)).resolve(root.relativize(own));
    Files.createDirectories(same.getParent());
    Files.copy(own, same);
    Files.copy(Clusters.metaOf(own), Clusters.metaOf(same));
    clusters.stock().rename(new Path("/same/file"), file);

    try (FileSystem ours = clusters.ours(both)) {
      assertThat(Clusters.read(ours, file.toString())).isEqualTo(data);
      for (String store : new String[] {first, second}) {
        java.nio.file.Path mount = java.nio.file.Path.of(URI.create(store));
        java.nio.file.Path unmounted = mount.resolveSibling("away");
        Files.move(mount, unmounted);
        assertThat(Clusters.read(ours, file.toString())).isEqualTo(data);
        Files.move(unmounted, mount);
      }
      clusters.stock().setTimes(file, 1_000_000L, -1);
      assertThat(Clusters.read(ours, file.toString())).isEqualTo(data);
    }
  }

  /** As after a rollback: its own copy has the number that it got when it came back later. */
  @Test
  void aCopyOfAnotherFileUnderItsNumberIsNotItsOwn() throws IOException {
    byte[] data = offload("/numbered");
    java.nio.file.Path own = clusters.copyOf(second, "/numbered/file");
    java.nio.file.Path later = own.resolveSibling("999999999998");
    Files.move(own, later);
    Files.move(Clusters.metaOf(own), Clusters.metaOf(later));

    SecondaryReport report = clusters.clean(both);

    assertThat(report.left()).anyMatch(left -> left.example().contains("999999999998"));
    assertThat(Files.readAllBytes(later)).isEqualTo(data);
  }
}
