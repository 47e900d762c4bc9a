package io.tierwise.hadoop.secondary;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.message.Listener;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A file or a setting that is unusual is told, and the run goes on with the others. */
@ExtendWith(Clusters.Both.class)
class OneBadFileIT {
  private static final int BYTES = Clusters.BLOCK_BYTES + 4321;

  private final Clusters clusters;

  OneBadFileIT(Clusters clusters) {
    this.clusters = clusters;
  }

  @Test
  void whateverGoesWrongWithOneFileIsItsOwn() throws IOException {
    String store = clusters.store("file");
    clusters.write("/bad/a", BYTES);
    clusters.write("/bad/b", BYTES);
    int[] copied = new int[1];

    SecondaryReport report =
        clusters.run(
            store,
            SecondaryRun.Kind.OFFLOAD,
            step -> {
              if (step.equals("copied") && copied[0]++ == 0) {
                throw new IllegalStateException("planted");
              }
            },
            Listener.SILENT,
            "/bad");

    assertThat(report.files()).isOne();
    assertThat(report.stopped()).isFalse();
    assertThat(report.complete()).isFalse();
    assertThat(report.left().get(0).reason()).isEqualTo("IllegalStateException: planted");
    assertThat(clusters.stock().listStatus(new Path("/bad"))).hasSize(2);
    assertThat(Clusters.filesIn(store)).isEqualTo(2);
  }

  @Test
  void aDirectoryThatGoesMeanwhileDoesNotEndTheRun() throws IOException {
    String store = clusters.store("file");
    clusters.write("/going/a", BYTES);
    clusters.write("/going/b/file", BYTES);
    clusters.write("/going/c", BYTES);

    SecondaryReport report =
        clusters.run(
            store,
            SecondaryRun.Kind.OFFLOAD,
            step -> {
              try {
                clusters.stock().delete(new Path("/going/b"), true);
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            },
            Listener.SILENT,
            "/going");

    assertThat(report.files()).isEqualTo(2);
    assertThat(report.left().get(0).reason()).contains("the directory was deleted");
    assertThat(report.left().get(0).example()).isEqualTo("/going/b");
    assertThat(report.complete()).isFalse();
  }

  /** HDFS does not append to such files, and gives no lease of them. */
  @Test
  void filesUnderLazyPersistStay() throws IOException {
    String store = clusters.store("file");
    clusters.stock().mkdirs(new Path("/lazily/memory"));
    clusters.stock().setStoragePolicy(new Path("/lazily/memory"), "LAZY_PERSIST");
    clusters.write("/lazily/memory/file", BYTES);
    clusters.write("/lazily/other", BYTES);
    clusters.stock().setStoragePolicy(new Path("/lazily/other"), "WARM");

    SecondaryReport report = clusters.run(store, SecondaryRun.Kind.OFFLOAD, "/lazily");

    assertThat(report.files()).isOne();
    assertThat(report.complete()).isTrue();
    assertThat(report.left().get(0).reason()).contains("LAZY_PERSIST");
    // HDFS refuses this policy for a file that is being written; the file comes back without it.
    clusters.stock().setStoragePolicy(new Path("/lazily"), "LAZY_PERSIST");
    assertThat(clusters.run(store, SecondaryRun.Kind.RECALL, "/lazily").files()).isOne();
    assertThat(clusters.stock().getFileStatus(new Path("/lazily/other")).getLen()).isEqualTo(BYTES);
  }

  @Test
  void aFileWithAsManyAttributesAsHdfsTakesComesBack() throws IOException {
    String store = clusters.store("file");
    byte[] data = clusters.write("/many/file", BYTES);
    Path file = new Path("/many/file");
    DistributedFileSystem stock = clusters.stock();
    Map<String, byte[]> attributes = new HashMap<>();
    for (int i = 0; i < 32; i++) {
      attributes.put("user.a" + i, new byte[] {(byte) i});
      stock.setXAttr(file, "user.a" + i, new byte[] {(byte) i});
    }
    SecondaryReport copied = clusters.run(store, SecondaryRun.Kind.COPY, "/many");
    assertThat(copied.complete()).isFalse();
    assertThat(Clusters.filesIn(store)).isZero();

    assertThat(clusters.run(store, SecondaryRun.Kind.OFFLOAD, "/many").files()).isOne();
    assertThat(clusters.run(store, SecondaryRun.Kind.RECALL, "/many").left()).isEmpty();

    assertThat(Clusters.read(stock, "/many/file")).isEqualTo(data);
    Map<String, byte[]> back = stock.getXAttrs(file);
    assertThat(back.keySet()).isEqualTo(attributes.keySet());
    // The file has no room to tell of its copy, which is nobody's then.
    assertThat(clusters.clean(store).files()).isEqualTo(2);
  }

  @Test
  void checksumsOfLargerChunksDoNotHinder() throws IOException {
    String store = clusters.store("file");
    byte[] data = clusters.write("/chunks/file", BYTES);
    Configuration conf = clusters.conf(store);
    conf.setInt("dfs.bytes-per-checksum", 4096);
    for (SecondaryRun.Kind kind :
        new SecondaryRun.Kind[] {SecondaryRun.Kind.OFFLOAD, SecondaryRun.Kind.RECALL}) {
      SecondaryReport report =
          clusters.run(conf, store, kind, Steps.NONE, Listener.SILENT, "/chunks");
      assertThat(report.left()).as("%s", kind).isEmpty();
      try (FileSystem ours = clusters.ours(store)) {
        assertThat(Clusters.read(ours, "/chunks/file")).isEqualTo(data);
      }
    }
  }

  @Test
  void placeholdersAreMadeWhereHdfsTakesNoSmallBlocks() throws IOException {
    Configuration conf = new HdfsConfiguration();
    conf.setLong(Clusters.BLOCK_BYTES_MIN, 2L * Clusters.BLOCK_BYTES);
    try (Clusters other = Clusters.with(conf)) {
      String store = other.store("file");
      byte[] data = other.write("/large-blocks/file", BYTES);
      assertThat(other.run(store, SecondaryRun.Kind.OFFLOAD, "/large-blocks").left()).isEmpty();
      try (FileSystem ours = other.ours(store)) {
        assertThat(Clusters.read(ours, "/large-blocks/file")).isEqualTo(data);
      }
      assertThat(other.run(store, SecondaryRun.Kind.RECALL, "/large-blocks").left()).isEmpty();
      assertThat(Clusters.read(other.stock(), "/large-blocks/file")).isEqualTo(data);
    }
  }

  @Test
  void aDamagedDescriptionIsItsFilesOwn() throws IOException {
    String store = clusters.store("file");
    for (String path : List.of("/bad-meta/a", "/bad-meta/b")) {
      clusters.write(path, BYTES);
    }
    clusters.run(store, SecondaryRun.Kind.COPY, "/bad-meta");
    java.nio.file.Path damaged = clusters.copyOf(store, "/bad-meta/a");
    Clusters.damage(damaged);
    for (String path : List.of("/bad-meta/a", "/bad-meta/b")) {
      try (FSDataOutputStream out = clusters.stock().append(new Path(path))) {
        out.write(1);
      }
    }

    SecondaryReport report = clusters.run(store, SecondaryRun.Kind.COPY, "/bad-meta");

    assertThat(report.files()).isOne();
    assertThat(report.stopped()).isFalse();
    assertThat(report.complete()).isFalse();
    assertThat(report.left()).hasSize(1);
    assertThat(report.left().get(0).reason())
        .contains("its description cannot be read", damaged.getFileName().toString());
    assertThat(report.left().get(0).example()).isEqualTo("/bad-meta/a");
    assertThat(damaged).hasSize(BYTES);
  }

  /** Not a reason for each, of which a report of millions of files would consist. */
  @Test
  void filesThatLackTheSameAreTogether() throws IOException {
    String store = clusters.store("file");
    for (String path : List.of("/copyless/a", "/copyless/b", "/copyless/c")) {
      clusters.write(path, BYTES);
    }
    clusters.run(store, SecondaryRun.Kind.OFFLOAD, "/copyless");

    SecondaryReport report =
        clusters.run(clusters.store("file"), SecondaryRun.Kind.VERIFY, "/copyless");

    assertThat(report.left()).hasSize(1);
    assertThat(report.left().get(0).files()).isEqualTo(3);
    assertThat(report.left().get(0).bytes()).isEqualTo(3L * BYTES);
    assertThat(report.left().get(0).reason()).contains("has its copy");
    assertThat(report.complete()).isFalse();
  }
}
