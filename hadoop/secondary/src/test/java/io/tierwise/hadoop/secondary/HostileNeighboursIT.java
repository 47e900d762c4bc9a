package io.tierwise.hadoop.secondary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * HDFS's superuser moves a file in a directory that another user writes to. She puts somebody
 * else's file, which she may rename and not read, in the place of what the run made there.
 */
@ExtendWith(Clusters.Both.class)
class HostileNeighboursIT {
  private static final int BYTES = Clusters.BLOCK_BYTES + 88;

  private final Clusters clusters;

  HostileNeighboursIT(Clusters clusters) {
    this.clusters = clusters;
  }

  /** What somebody does as another user. */
  private interface Deed {
    void by(FileSystem hers) throws IOException;
  }

  private void asMallory(Deed deed) throws IOException {
    try {
      UserGroupInformation.createUserForTesting("mallory", new String[] {"staff"})
          .doAs(
              (PrivilegedExceptionAction<Void>)
                  () -> {
                    try (FileSystem hers =
                        FileSystem.newInstance(
                            clusters.primary().getURI(), clusters.primary().getConfiguration(0))) {
                      deed.by(hers);
                    }
                    return null;
                  });
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  /** Mallory's file in her directory, beside a directory where she may rename alice's. */
  private byte[] setUp(String directory) throws IOException {
    DistributedFileSystem stock = clusters.stock();
    byte[] secret = clusters.write(directory + "/team/secret", BYTES);
    stock.setPermission(new Path(directory + "/team"), new FsPermission((short) 0777));
    stock.setOwner(new Path(directory + "/team/secret"), "alice", "alices");
    stock.setPermission(new Path(directory + "/team/secret"), new FsPermission((short) 0600));
    stock.setTimes(new Path(directory + "/team/secret"), 1_000_000L, -1);
    clusters.write(directory + "/m/big", BYTES + 1);
    stock.setOwner(new Path(directory + "/m"), "mallory", "staff");
    stock.setOwner(new Path(directory + "/m/big"), "mallory", "staff");
    return secret;
  }

  /** The name of what the run has made there, which is not her file. */
  private static Path made(FileSystem hers, Path directory) throws IOException {
    for (FileStatus one : hers.listStatus(directory)) {
      if (one.getPath().getName().startsWith(".tierwise-")) {
        return one.getPath();
      }
    }
    throw new IOException("nothing was made in " + directory);
  }

  private void putSecretInItsPlace(String directory) throws IOException {
    asMallory(
        hers -> {
          Path made = made(hers, new Path(directory + "/m"));
          assertThat(hers.rename(made, new Path(directory + "/m/aside"))).isTrue();
          assertThat(hers.rename(new Path(directory + "/team/secret"), made)).isTrue();
        });
  }

  private void assertAsItWas(HdfsFileStatus before, byte[] secret) throws IOException {
    DistributedFileSystem stock = clusters.stock();
    Path path = new Path(PrimaryFile.byId(before.getFileId()));
    HdfsFileStatus now = stock.getClient().getFileInfo(path.toString());
    assertThat(now.getOwner()).isEqualTo("alice");
    assertThat(now.getGroup()).isEqualTo("alices");
    assertThat(now.getPermission()).isEqualTo(before.getPermission());
    assertThat(now.getReplication()).isEqualTo(before.getReplication());
    assertThat(now.getModificationTime()).isEqualTo(1_000_000L);
    assertThat(stock.getXAttrs(path)).isEmpty();
    assertThat(Clusters.read(stock, path.toString())).isEqualTo(secret);
  }

  @Test
  void aFileInThePlaceOfAPlaceholderIsNotTouched() throws IOException {
    String store = clusters.store("hdfs");
    byte[] secret = setUp("/hostile");
    HdfsFileStatus before = clusters.stock().getClient().getFileInfo("/hostile/team/secret");
    byte[] big = Clusters.read(clusters.stock(), "/hostile/m/big");

    SecondaryReport report =
        clusters.runAndAt(
            "placeholder begun",
            store,
            SecondaryRun.Kind.OFFLOAD,
            "/hostile/m/big",
            () -> putSecretInItsPlace("/hostile"));

    assertAsItWas(before, secret);
    assertThat(report.left()).isEmpty();
    assertThat(report.files()).isOne();
    try (FileSystem ours = clusters.ours(store)) {
      assertThat(Clusters.read(ours, "/hostile/m/big")).isEqualTo(big);
    }
  }

  @Test
  void aFileInThePlaceOfOneThatComesBackIsNotTouched() throws IOException {
    String store = clusters.store("hdfs");
    byte[] secret = setUp("/hostile-back");
    HdfsFileStatus before = clusters.stock().getClient().getFileInfo("/hostile-back/team/secret");
    byte[] big = Clusters.read(clusters.stock(), "/hostile-back/m/big");
    assertThat(clusters.run(store, SecondaryRun.Kind.OFFLOAD, "/hostile-back/m").files()).isOne();

    SecondaryReport report =
        clusters.runAndAt(
            "written",
            store,
            SecondaryRun.Kind.RECALL,
            "/hostile-back/m/big",
            () -> putSecretInItsPlace("/hostile-back"));

    assertAsItWas(before, secret);
    assertThat(report.left()).isEmpty();
    assertThat(report.files()).isOne();
    try (FileSystem ours = clusters.ours(store)) {
      assertThat(Clusters.read(ours, "/hostile-back/m/big")).isEqualTo(big);
    }
  }

  /** HDFS joins files by their paths alone: she sees the directory, and no name in it. */
  @Test
  void whereFilesAreJoinedByPathNobodyElseKnowsTheirNames() throws IOException {
    String store = clusters.store("hdfs");
    byte[] secret = setUp("/hostile-closed");
    HdfsFileStatus before = clusters.stock().getClient().getFileInfo("/hostile-closed/team/secret");
    byte[] big = Clusters.read(clusters.stock(), "/hostile-closed/m/big");
    Path directory = new Path("/hostile-closed/m");
    boolean[] done = new boolean[1];

    SecondaryReport report =
        clusters.runAndAt(
            "placeholder enclosed",
            store,
            SecondaryRun.Kind.OFFLOAD,
            "/hostile-closed/m/big",
            () ->
                asMallory(
                    hers -> {
                      Path closed = made(hers, directory);
                      assertThat(hers.getFileStatus(closed).isDirectory()).isTrue();
                      assertThatThrownBy(() -> hers.listStatus(closed))
                          .isInstanceOf(AccessControlException.class);
                      assertThat(hers.rename(closed, new Path(directory, "aside"))).isTrue();
                      assertThat(hers.mkdirs(closed)).isTrue();
                      assertThat(
                              hers.rename(
                                  new Path("/hostile-closed/team/secret"),
                                  new Path(closed, "placeholder")))
                          .isTrue();
                      done[0] = true;
                    }));

    assertThat(done[0]).isTrue();
    assertThat(report.complete()).isFalse();
    assertAsItWas(before, secret);
    assertThat(Clusters.read(clusters.stock(), "/hostile-closed/m/big")).isEqualTo(big);
    // Nothing of the run is left, wherever she has put it.
    assertThat(clusters.stock().listStatus(directory))
        .extracting(one -> one.getPath().getName())
        .containsExactlyInAnyOrderElementsOf(
            List.of("big", made(clusters.stock(), directory).getName()));
    assertThat(Clusters.filesIn(store)).isZero();
  }
}
