package io.tierwise.cli.heat;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.cli.CommandRun;
import io.tierwise.cli.ExitCode;
import io.tierwise.cli.ManagedHdfs;
import io.tierwise.hadoop.hdfs.audit.TierwiseAuditLogger;
import java.io.IOException;
import java.security.PrivilegedAction;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Accesses as a real NameNode has counted them, asked for by commands. */
class HeatOfNameNodeIT {
  @TempDir private java.nio.file.Path folder;

  private ManagedHdfs start(String auditLoggers) throws IOException {
    Configuration conf = ManagedHdfs.configuration();
    conf.set("dfs.namenode.audit.loggers", auditLoggers);
    // All of a test lies in one window: in another one a read that goes on counts again.
    conf.setInt("tierwise.namenode.feed.window.seconds", 604_800);
    return ManagedHdfs.start(folder, null, conf, nodes -> nodes.numDataNodes(1));
  }

  private static void write(ManagedHdfs hdfs, String path) throws IOException {
    try (FSDataOutputStream out = hdfs.fs().create(new Path(path), (short) 1)) {
      out.writeBytes("content");
    }
  }

  private static void read(ManagedHdfs hdfs, String path) throws IOException {
    try (FSDataInputStream in = hdfs.fs().open(new Path(path))) {
      in.readAllBytes();
    }
  }

  /** The NameNode counts on a thread of its own. */
  private static void awaitCounted(ManagedHdfs hdfs, String counts) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    while (!hdfs.run("heat", "top").out().contains(counts) && System.nanoTime() < end) {
      LockSupport.parkNanos(50_000_000L);
    }
    assertThat(hdfs.run("heat", "top").out()).contains(counts);
  }

  @Test
  void readsAreToldToTheSuperuserAlone() throws IOException {
    ManagedHdfs hdfs = start("default," + TierwiseAuditLogger.class.getName());
    try {
      write(hdfs, "/shop.db/sales/day=1/part 0");
      write(hdfs, "/logs/a");
      read(hdfs, "/shop.db/sales/day=1/part 0");
      read(hdfs, "/logs/a");
      // The same reader a moment later goes on with its read.
      read(hdfs, "/logs/a");
      awaitCounted(hdfs, "2 reads, 1 open");

      CommandRun top = hdfs.run("heat", "top", "--json");
      assertThat(top.exitCode()).as(top.err()).isZero();
      assertThat(top.out())
          .contains("\"/logs/a\"", "\"/shop.db/sales/day=1/part 0\"", "\"dropped\"")
          .contains("\"log\" : null");
      assertThat(hdfs.run("heat", "file", "/logs/a").out()).contains("/logs/a", "latest access");
      assertThat(hdfs.run("heat", "dir").out()).contains("/shop.db", "/logs");
      assertThat(hdfs.run("heat", "table", "--pattern", "/*.db/*").out())
          .contains("/shop.db/sales")
          .doesNotContain("/logs");

      CommandRun pattern = hdfs.run("heat", "table", "--pattern", "shop");
      assertThat(pattern.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
      assertThat(pattern.err()).contains("--pattern");

      CommandRun other =
          UserGroupInformation.createRemoteUser("ann")
              .doAs((PrivilegedAction<CommandRun>) () -> hdfs.run("heat", "top"));
      assertThat(other.exitCode()).isEqualTo(ExitCode.CLUSTER);
      assertThat(other.out()).isEmpty();
      assertThat(other.err()).contains("ann");
    } finally {
      hdfs.cluster().shutdown();
    }
  }

  @Test
  void aNameNodeThatDoesNotCountSaysWhatToChange() throws IOException {
    ManagedHdfs hdfs = start("default");
    try {
      CommandRun top = hdfs.run("heat", "top");
      assertThat(top.exitCode()).isEqualTo(ExitCode.CLUSTER);
      assertThat(CommandRun.unfolded(top.err()))
          .contains("dfs.namenode.audit.loggers")
          .contains(TierwiseAuditLogger.class.getName());
      CommandRun window = hdfs.run("heat", "top", "--window", "2 h");
      assertThat(window.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
      assertThat(window.err()).contains("--window is for --audit-log");
    } finally {
      hdfs.cluster().shutdown();
    }
  }
}
