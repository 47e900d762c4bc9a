package io.tierwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.viewfs.ViewFileSystemOverloadScheme;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.ViewDistributedFileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients whose {@code hdfs:} is a view, with the mount table in a file for all of them. */
class MountTableIT {
  @TempDir static java.nio.file.Path folder;
  private static ManagedHdfs hdfs;
  private static DistributedFileSystem fs;

  @BeforeAll
  static void start() throws IOException {
    Configuration conf = ManagedHdfs.configuration();
    hdfs = ManagedHdfs.start(folder, null, conf, nodes -> nodes.numDataNodes(1));
    fs = hdfs.fs();
    DFSTestUtil.createFile(fs, new Path("/hot/file"), 10, (short) 1, 7);
    try (FSDataOutputStream table = fs.create(new Path("/tables/mount-table.2.xml"))) {
      table.write(
          ("<configuration>"
                  + link("/data", "/hot")
                  + link("/org/unit", "/hot")
                  + "</configuration>")
              .getBytes(StandardCharsets.UTF_8));
    }
  }

  private static String link(String from, String to) {
    return "<property><name>fs.viewfs.mounttable.home.link."
        + from
        + "</name><value>"
        + fs.getUri()
        + to
        + "</value></property>";
  }

  @AfterAll
  static void stop() {
    hdfs.cluster().shutdown();
  }

  private static CommandRun run(Class<?> view, String table, String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    for (String key :
        List.of(
            "fs.defaultFS=hdfs://home/",
            "fs.hdfs.impl=" + view.getName(),
            "fs.viewfs.mounttable.path=" + table,
            hdfs.webKey())) {
      all.addAll(List.of("-D", key));
    }
    return CommandRun.of(all.toArray(String[]::new));
  }

  @ParameterizedTest
  @ValueSource(classes = {ViewFileSystemOverloadScheme.class, ViewDistributedFileSystem.class})
  void commandsFollowItToTheClusterBehind(Class<?> view) {
    String table = fs.getUri() + "/tables";
    CommandRun doctor = run(view, table, "doctor");
    assertThat(doctor.unfolded()).contains("the plug-in runs and publishes its counters");
    assertThat(doctor.exitCode()).as(doctor.out()).isZero();
    CommandRun find = run(view, table, "policy", "find", "/data");
    assertThat(find.exitCode()).as(find.err()).isZero();
    assertThat(find.out()).contains("0 of 1 file managed");
    CommandRun explain = run(view, table, "explain", "/data/file");
    assertThat(explain.exitCode()).as(explain.err()).isZero();
    assertThat(run(view, table, "doctor", "-D", "tierwise.access.strategy=dld").unfolded())
        .contains("fs.viewfs.overload.scheme.target.hdfs.impl is org.apache.hadoop.hdfs.Dist");
  }

  /** Else a path of another meaning would move, where the view's name is a cluster's, too. */
  @ParameterizedTest
  @ValueSource(classes = {ViewFileSystemOverloadScheme.class, ViewDistributedFileSystem.class})
  void commandsThatKeepTheNameNodesOrderFollowItAsWell(Class<?> view) {
    String table = fs.getUri() + "/tables";
    CommandRun where = run(view, table, "file", "where", "/data");
    assertThat(where.exitCode()).as(where.err()).isZero();
    CommandRun move = run(view, table, "file", "move", "/data", "--to", "1 x disk", "--dry-run");
    assertThat(move.exitCode()).as(move.err()).isZero();
  }

  @ParameterizedTest
  @ValueSource(classes = {ViewFileSystemOverloadScheme.class, ViewDistributedFileSystem.class})
  void aDirectoryOfTheTableItselfIsOnNoCluster(Class<?> view) {
    for (String path : List.of("/org", "hdfs://home/org")) {
      CommandRun find = run(view, fs.getUri() + "/tables", "policy", "find", path);
      assertThat(find.exitCode()).as(find.out()).isEqualTo(ExitCode.BAD_INPUT);
      assertThat(find.err())
          .contains(path + " is a directory of the mount table, on no cluster")
          .hasLineCount(1);
    }
  }

  @Test
  void aTableThatIsNotThereIsNamedWithItsKey() {
    CommandRun run = run(ViewFileSystemOverloadScheme.class, fs.getUri() + "/nowhere", "doctor");
    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err())
        .startsWith("tierwise doctor: fs.viewfs.mounttable.path cannot be read: ")
        .contains("/nowhere")
        .hasLineCount(1);
  }
}
