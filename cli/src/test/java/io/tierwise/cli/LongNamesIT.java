package io.tierwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables on a cluster whose nodes have names of more than 60 characters, as clouds give them. */
class LongNamesIT {
  private static final String DOMAIN = ".workers.analytics-production.europe-west1-b.internal.org";

  @TempDir static Path folder;
  private static ManagedHdfs hdfs;
  private static DistributedFileSystem fs;

  @BeforeAll
  static void start() throws IOException {
    Configuration conf = ManagedHdfs.configuration();
    conf.set("tierwise.namenode.regions", "/datacenter-one=east,/datacenter-two=west");
    hdfs =
        ManagedHdfs.start(
            folder,
            """
            tiers:
              - {name: flash, match: {storage-type: SSD}}
              - {name: disk, match: {storage-type: DISK}}
            """,
            conf,
            nodes ->
                nodes
                    .numDataNodes(2)
                    .racks(new String[] {"/datacenter-one/rack-17", "/datacenter-two/rack-18"})
                    .hosts(new String[] {"datanode-0001" + DOMAIN, "datanode-0002" + DOMAIN})
                    .storageTypes(new StorageType[] {StorageType.SSD, StorageType.DISK}));
    fs = hdfs.fs();
    DFSTestUtil.createFile(fs, new org.apache.hadoop.fs.Path("/data/file"), 10, (short) 2, 7);
    run("policy", "set", "/data", "--placement", "layout:2 x flash");
  }

  @AfterAll
  static void stop() {
    hdfs.cluster().shutdown();
  }

  private static CommandRun run(String... arguments) {
    return hdfs.run(arguments);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tiers list",
        "tiers list --volumes",
        "explain /data/file",
        "policy get /data/file",
        "policy find / --files"
      })
  void fitATerminal(String command) {
    CommandRun run = run(command.split(" "));
    assertThat(run.exitCode()).as(run.err()).isZero();
    EveryCommandTest.assertFits(command, run.out());
  }

  @Test
  void theDoctorsFindingsFitATerminalAndNameEachNodeInOneWay() throws IOException {
    DataNode silent = hdfs.cluster().getDataNodes().get(0);
    DatanodeDescriptor known =
        hdfs.cluster()
            .getNamesystem()
            .getBlockManager()
            .getDatanodeManager()
            .getDatanode(silent.getDatanodeId());
    known.setDecommissioned();
    try {
      CommandRun run = run("doctor", "-D", hdfs.webKey().replace("127.0.0.1", "localhost"));
      EveryCommandTest.assertFits("doctor", run.out());
      assertThat(run.out().lines().toList())
          .as("grades stand before the findings, which begin below each other")
          .anyMatch(line -> line.matches("ok {10}client: .*"))
          .anyMatch(line -> line.matches("warning {5}tiers: .*"));
      assertThat(run.out()).containsIgnoringWhitespaces("decommissioned: datanode-0001" + DOMAIN);
      assertThat(run.unfolded().split("(?= (ok|warning|FAILURE|not checked) )"))
          .as("a host by its name and its address")
          .noneMatch(line -> line.contains("127.0.0.1") && line.contains("localhost"));
    } finally {
      known.stopDecommission();
    }
  }
}
