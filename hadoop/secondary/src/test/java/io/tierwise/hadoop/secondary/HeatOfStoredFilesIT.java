package io.tierwise.hadoop.secondary;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.hdfs.audit.HeatCalls;
import io.tierwise.hadoop.hdfs.audit.TierwiseAuditLogger;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.server.namenode.AuditLogger;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;

/** Reads of files whose bytes are in a store are counted, or nothing would say what to get back. */
class HeatOfStoredFilesIT {
  private static final int BYTES = 100_000;
  private static final String FILE = "/data/file";
  private static final String CLOSED = "/data/closed";

  @Test
  void readsOfAFileInTheStoreAreReadsAndRefusedOnesAreNot() throws Exception {
    Configuration conf = new HdfsConfiguration();
    conf.set("dfs.namenode.audit.loggers", TierwiseAuditLogger.class.getName());
    // All of the test lies in one window.
    conf.setInt("tierwise.namenode.feed.window.seconds", 604_800);
    try (Clusters clusters = Clusters.with(conf)) {
      clusters.write(FILE, BYTES);
      clusters.write(CLOSED, BYTES);
      clusters.stock().setPermission(new Path(CLOSED), new FsPermission((short) 0600));
      String store = clusters.store("file");
      assertThat(clusters.run(store, SecondaryRun.Kind.OFFLOAD, "/data").files()).isEqualTo(2);
      long before = reads(clusters, FILE);
      long closedBefore = reads(clusters, CLOSED);

      for (String reader : List.of("alice", "bob", "carol")) {
        UserGroupInformation.createUserForTesting(reader, new String[] {"staff"})
            .doAs(
                (PrivilegedExceptionAction<Void>)
                    () -> {
                      read(clusters, store);
                      return null;
                    });
      }

      long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
      while (reads(clusters, FILE) < before + 3 && System.nanoTime() < end) {
        TimeUnit.MILLISECONDS.sleep(20);
      }
      assertThat(reads(clusters, FILE)).isEqualTo(before + 3);
      assertThat(reads(clusters, CLOSED)).isEqualTo(closedBefore);
    }
  }

  /** Reads the one file, and tries to read the other. */
  private static void read(Clusters clusters, String store) throws IOException {
    try (FileSystem ours = clusters.ours(store)) {
      try {
        Clusters.read(ours, CLOSED);
        throw new AssertionError("read");
      } catch (AccessControlException e) {
        assertThat(e).hasMessageContaining("Permission denied");
      }
      // A question for rights alone reads nothing, and the read below is one with its two calls.
      ours.access(new Path(FILE), FsAction.READ);
      assertThat(Clusters.read(ours, FILE)).hasSize(BYTES);
      assertThat(Clusters.read(ours, FILE)).hasSize(BYTES);
    }
  }

  private static long reads(Clusters clusters, String path) {
    for (AuditLogger logger : clusters.primary().getNamesystem().getAuditLoggers()) {
      if (logger instanceof TierwiseAuditLogger ours) {
        return ours.answer(new HeatCalls.Question(HeatCalls.Kind.FILE, 1, path, 0, List.of()))
            .files()
            .get(0)
            .reads();
      }
    }
    throw new AssertionError("no such logger");
  }
}
