package io.tierwise.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.cli.CommandRun;
import io.tierwise.cli.JournaledMoves;
import io.tierwise.cli.TierwiseJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The active NameNode is killed under a daemon that moves popular files to the fast tier: each
 * NameNode, DataNode and daemon is a process of its own, and HDFS has its defaults. Long:
 * NameNodeFailoverIT has a failover in one process in make test.
 */
@Tag("long")
class KilledNameNodeIT {
  private static final int NODES = 3;
  private static final int FILES = 20;
  private static final int BYTES = 100_000;
  private static final long SEED = 1;

  private static final String TIERS =
      """
      tiers:
        - name: ssd
          match: {storage-type: SSD}
          class: {name: s, read-megabytes-per-second: 500, write-megabytes-per-second: 400}
        - name: disk
          match: {storage-type: DISK}
          class: {name: d, read-megabytes-per-second: 1, write-megabytes-per-second: 1}
      """;

  @TempDir private Path folder;
  private final List<Process> daemons = new ArrayList<>();

  @AfterEach
  void endDaemons() {
    daemons.forEach(daemon -> daemon.destroyForcibly().onExit().join());
  }

  private static void read(HaProcesses hdfs, String path, int readers) throws Exception {
    for (int i = 0; i < readers; i++) {
      UserGroupInformation.createRemoteUser("reader" + i)
          .doAs(
              (PrivilegedExceptionAction<Integer>)
                  () -> {
                    try (FileSystem theirs = FileSystem.newInstance(hdfs.client(Map.of()));
                        FSDataInputStream in = theirs.open(hadoop(path))) {
                      return in.read();
                    }
                  });
    }
  }

  private static org.apache.hadoop.fs.Path hadoop(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }

  private static void write(DistributedFileSystem fs, String path) throws IOException {
    DFSTestUtil.createFile(fs, hadoop(path), BYTES, (short) NODES, SEED);
  }

  private static boolean isOnSsd(DistributedFileSystem fs, String path) throws IOException {
    StorageType[] types =
        fs.getClient().getLocatedFileInfo(path, false).getLocatedBlocks().get(0).getStorageTypes();
    return Arrays.asList(types).contains(StorageType.SSD);
  }

  private static long onSsd(DistributedFileSystem fs, List<String> paths) throws IOException {
    long there = 0;
    for (String path : paths) {
      there += isOnSsd(fs, path) ? 1 : 0;
    }
    return there;
  }

  /** Begins a move a second on each node, so that there is a middle. */
  private Process daemon(HaProcesses hdfs, String name) throws IOException {
    List<String> line =
        TierwiseJvm.line(
            List.of(),
            List.of(hdfs.processes().conf(HaProcesses.name(0))),
            "autotier",
            "run",
            "--audit-log",
            hdfs.processes().audits(HaProcesses.name(0)).toString(),
            "--audit-log",
            hdfs.processes().audits(HaProcesses.name(1)).toString(),
            "--zone",
            ZoneId.systemDefault().getId(),
            "--below",
            "/data",
            "--fast-tier",
            "ssd",
            "--on-average",
            "--window",
            "1 d",
            "--hold",
            "1",
            "--moves-per-node",
            "1",
            "--moves-per-second",
            "1",
            "--journal",
            folder.resolve("journal").toString(),
            "-D",
            "tierwise.tiers.file=" + folder.resolve("tiers.yaml"));
    Process process =
        new ProcessBuilder(line)
            .redirectErrorStream(true)
            .redirectOutput(said(name).toFile())
            .start();
    daemons.add(process);
    return process;
  }

  private Path said(String name) {
    return folder.resolve(name + ".said");
  }

  private String status(HaProcesses hdfs) {
    return CommandRun.of(
            "autotier",
            "status",
            "--conf",
            hdfs.processes().conf(HaProcesses.name(1)).toString(),
            "--json")
        .out();
  }

  @Test
  void theDaemonGoesOnWithTheOtherOneAndNothingIsLostOrMovedTwice() throws Exception {
    Files.writeString(folder.resolve("tiers.yaml"), TIERS);
    List<String> hot = IntStream.range(0, FILES).mapToObj(i -> "/data/hot-" + i).toList();
    try (HaProcesses hdfs = HaProcesses.start(folder.resolve("hdfs"), 2, Map.of(), TIERS)) {
      for (int node = 0; node < NODES; node++) {
        hdfs.startDataNode("SSD", "DISK");
      }
      Configuration conf = hdfs.client(Map.of());
      try (DistributedFileSystem fs = (DistributedFileSystem) FileSystem.newInstance(conf)) {
        for (String path : hot) {
          write(fs, path);
          read(hdfs, path, 4);
        }
        for (int i = 0; i < FILES; i++) {
          write(fs, "/data/cold-" + i);
          read(hdfs, "/data/cold-" + i, 1);
        }
        write(fs, "/data/late");
        Process first = daemon(hdfs, "first");
        hdfs.processes()
            .await("some to come: " + said("first"), () -> onSsd(fs, hot) > 1 || !first.isAlive());
        assertThat(first.isAlive()).as(Files.readString(said("first"))).isTrue();

        hdfs.processes().kill(HaProcesses.name(0));
        hdfs.admin("-transitionToActive", "--forceactive", HaProcesses.name(1));

        long then = onSsd(fs, hot);
        assertThat(then).as("in the middle of moves").isLessThan(FILES);
        Process second = daemon(hdfs, "second");
        hdfs.processes()
            .await(
                "the second daemon to wait",
                () -> Files.readString(said("second")).contains("another daemon runs"));
        hdfs.processes().await("the others to come", () -> onSsd(fs, hot) == FILES);
        assertThat(first.isAlive()).as(Files.readString(said("first"))).isTrue();
        assertThat(Files.readString(said("first"))).doesNotContain("Exception");
        assertThat(status(hdfs)).contains("running");
        hdfs.startNameNode(0);

        read(hdfs, "/data/late", 6);
        first.destroy();
        assertThat(first.waitFor(1, TimeUnit.MINUTES)).isTrue();
        hdfs.processes().await("what the second log alone has", () -> isOnSsd(fs, "/data/late"));
        assertThat(second.isAlive()).isTrue();
        byte[] written = DFSTestUtil.calculateFileContentsFromSeed(SEED, BYTES);
        for (String path : hot) {
          assertThat(DFSTestUtil.readFileAsBytes(fs, hadoop(path))).as(path).isEqualTo(written);
          assertThat(fs.getFileStatus(hadoop(path)).getReplication()).isEqualTo((short) NODES);
        }
      }
    }
    assertThat(JournaledMoves.of(folder.resolve("journal"), "ssd"))
        .as("what had come is not moved again")
        .contains("/data/late")
        .doesNotHaveDuplicates();
  }
}
