package io.tierwise.hadoop.secondary;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.Test;

/** The store is a directory of the HDFS whose files it takes, and is below what is offloaded. */
class OwnCopiesIT {
  private static final int BYTES = 100_000;

  @Test
  void copiesAreNeverSentToTheStoreThatTheyAreIn() throws Exception {
    try (Clusters clusters = Clusters.with(new HdfsConfiguration())) {
      Path archive = new Path("/archive/tierwise");
      clusters.stock().mkdirs(archive);
      clusters.stock().setPermission(archive, new FsPermission((short) 0755));
      String store = clusters.stock().getUri() + archive.toString();
      byte[] data = clusters.write("/data/file", BYTES);
      clusters.write("/archive/tierwise-notes", BYTES);

      assertThat(clusters.run(store, SecondaryRun.Kind.OFFLOAD, "/").files()).isEqualTo(2);
      SecondaryReport again = clusters.run(store, SecondaryRun.Kind.OFFLOAD, "/");
      SecondaryReport copies = clusters.run(store, SecondaryRun.Kind.COPY, "/archive/tierwise");

      assertThat(again.files()).as("%s", again).isZero();
      assertThat(copies.files()).as("%s", copies).isZero();
      assertThat(copies.left())
          .extracting(SecondaryReport.Left::reason)
          .containsExactly("it is in the directory of a secondary store, and no file of HDFS");
      try (FileSystem ours = clusters.ours(store)) {
        assertThat(Arrays.equals(Clusters.read(ours, "/data/file"), data)).isTrue();
      }
    }
  }
}
