package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The glance at a path, on a real NameNode, is never wrong about a managed one. */
class UnmanagedPathIT {
  private static TieredCluster cluster;
  private static PathGlance glance;

  @BeforeAll
  static void start() throws IOException {
    cluster =
        TieredCluster.start(TieredCluster.settings(TieredCluster.THREE_TIERS), "/r1", "/r1", "/r2");
    AttributeValues values = new AttributeValues(TieredCluster.ATTRIBUTE);
    glance = new PathGlance(cluster.mini().getNamesystem(), values);
    cluster.directory("/managed/below", null);
    cluster.setPolicy(new Path("/managed"), "hybrid");
    cluster.directory("/plain/other", null);
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  /** Under the lock: where a writer has it, as when a node tells of a replica, nothing is seen. */
  private static boolean isPlain(String path) {
    FSNamesystem namesystem = cluster.mini().getNamesystem();
    TreeLock.lock(namesystem);
    try {
      return glance.isPlain(path);
    } finally {
      TreeLock.unlock(namesystem, "test");
    }
  }

  @Test
  void plainPathsAreSeenAndManagedOnesAreNot() throws IOException {
    Path plain = cluster.write(new Path("/plain/other/file"), 1, 1);
    Path managed = cluster.write(new Path("/managed/below/file"), 1, 1);
    assertThat(isPlain(plain.toString())).isTrue();
    assertThat(isPlain("/")).isTrue();
    assertThat(isPlain("/plain/other")).isTrue();
    assertThat(isPlain(managed.toString())).isFalse();
    assertThat(isPlain("/managed")).isFalse();
    cluster.setPolicy(plain, "hybrid");
    assertThat(isPlain(plain.toString())).isFalse();
  }

  @Test
  void aChangedAttributeIsSeenAtOnce() throws IOException {
    Path directory = cluster.directory("/plain/changing", null);
    for (int turn = 0; turn < 3; turn++) {
      cluster.setPolicy(directory, "hybrid");
      assertThat(isPlain(directory.toString())).isFalse();
      cluster.files().setXAttr(directory, "user.other", new byte[] {(byte) turn});
      assertThat(isPlain(directory.toString())).isFalse();
      cluster.files().removeXAttr(directory, TieredCluster.ATTRIBUTE);
      assertThat(isPlain(directory.toString())).isTrue();
    }
  }

  @Test
  void namesBeyondAsciiAreFound() throws IOException {
    for (String name : new String[] {"d\u00e4ten", "\u6570\u636e", "\ud83d\ude00"}) {
      Path below = cluster.directory("/plain/" + name + "/below", null);
      assertThat(isPlain(below.toString())).as(name).isTrue();
      cluster.setPolicy(below.getParent(), "hybrid");
      assertThat(isPlain(below.toString())).as(name).isFalse();
    }
  }

  @Test
  void whatCannotBeSeenIsNotCalledPlain() throws IOException {
    Path file = cluster.write(new Path("/plain/short"), 1, 1);
    for (String path :
        new String[] {
          "",
          "relative",
          "/missing",
          "/plain/missing/file",
          file + "/below",
          "/.reserved/raw" + file,
          "/.reserved/.inodes/" + cluster.files().getClient().getFileInfo("/").getFileId(),
        }) {
      assertThat(isPlain(path)).as(path).isFalse();
    }
  }

  @Test
  void aRenameIsSeenAtOnce() throws IOException {
    Path moved = cluster.directory("/plain/moved", null);
    cluster.write(new Path(moved, "file"), 1, 1);
    assertThat(isPlain("/plain/moved/file")).isTrue();
    assertThat(cluster.files().rename(moved, new Path("/managed/moved"))).isTrue();
    assertThat(isPlain("/managed/moved/file")).isFalse();
    assertThat(isPlain("/plain/moved/file")).isFalse();
    cluster.write(new Path("/managed/moved/later"), 1, 3);
    assertThat(cluster.tiersOfBlocks(new Path("/managed/moved/later")))
        .containsOnly("fast middle slow");
  }

  @Test
  void itDoesNotWaitForAWriterAndIsSafeUnderTheCallersLock() throws Exception {
    FSNamesystem namesystem = cluster.mini().getNamesystem();
    namesystem.writeLock();
    try {
      assertThat(glance.isPlain("/plain")).isTrue();
      boolean[] seen = {true};
      Thread other = new Thread(() -> seen[0] = glance.isPlain("/plain"));
      other.start();
      other.join(60_000);
      assertThat(other.isAlive()).isFalse();
      assertThat(seen[0]).isFalse();
    } finally {
      namesystem.writeUnlock("test");
    }
  }
}
