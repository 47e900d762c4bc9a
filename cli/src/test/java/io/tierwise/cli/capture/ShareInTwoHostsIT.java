package io.tierwise.cli.capture;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.data.Ratio;
import io.tierwise.hadoop.autotier.Autotier;
import io.tierwise.hadoop.autotier.AutotierSettings;
import io.tierwise.hadoop.autotier.RoundPlan;
import io.tierwise.hadoop.hdfs.namenode.TierwiseNameNodePlugin;
import io.tierwise.hadoop.hdfs.namenode.TierwisePlacementPolicy;
import io.tierwise.hadoop.inspect.audit.NameNodeLogs;
import io.tierwise.hadoop.inspect.policy.PathPolicy;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.simulator.Progress;
import io.tierwise.simulator.Simulation;
import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * One trace of an hour: as the audit log of a real HDFS it is read by the daemon, as jobs it is run
 * by the simulator. Both choose the same share, by the same class.
 *
 * <p>Two nodes with an SSD and a disk each, as slow as bytes are few.
 */
class ShareInTwoHostsIT {
  private static final String DATA = "/data";
  private static final String START = "zone-ratio:ssd=0.5,disk=0.5,scope=directory";
  private static final int FILES = 12;
  private static final int BYTES = 100_000;
  private static final int HOUR_SECONDS = 3_600;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss,SSS").withZone(ZoneOffset.UTC);

  private final Instant hour =
      Instant.now().truncatedTo(ChronoUnit.HOURS).minus(Duration.ofHours(24));

  @TempDir private Path folder;

  private static int second(int read, int reads) {
    return (int) ((long) read * (HOUR_SECONDS - 1) / reads);
  }

  private static String path(int read) {
    return DATA + "/" + read % FILES;
  }

  /** Each read by another person, as by another job. */
  private Path log(int reads) throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int read = 0; read < reads; read++) {
      lines.append(
          String.format(
              "%s INFO FSNamesystem.audit: allowed=true\tugi=reader%d (auth:SIMPLE)"
                  + "\tip=/10.0.0.7\tcmd=open\tsrc=%s\tdst=null\tperm=null\tproto=rpc%n",
              TIME.format(hour.plusSeconds(second(read, reads))), read, path(read)));
    }
    return Files.writeString(folder.resolve("audit.log"), lines);
  }

  private Path trace(int reads) throws IOException {
    StringBuilder rows = new StringBuilder();
    for (int read = 0; read < reads; read++) {
      rows.append(
          String.format(
              "job%d\t%d\t1\t%d\t0\t0\t%s%n", read, second(read, reads), BYTES, path(read)));
    }
    return Files.writeString(folder.resolve("trace.tsv"), rows);
  }

  private RoundPlan live(int reads) throws IOException {
    Configuration conf = new HdfsConfiguration();
    Path tiers =
        Files.writeString(
            folder.resolve("tiers.yaml"),
            """
            tiers:
              - name: ssd
                match: {storage-type: SSD}
                class: {name: s, read-megabytes-per-second: 0.02, write-megabytes-per-second: 0.02}
              - name: disk
                match: {storage-type: DISK}
                class: {name: d, read-megabytes-per-second: 0.005, write-megabytes-per-second: 0.005}
            """);
    conf.set("tierwise.tiers.file", tiers.toString());
    conf.set(
        DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY, TierwisePlacementPolicy.class.getName());
    conf.set(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY, TierwiseNameNodePlugin.class.getName());
    try (MiniDFSCluster hdfs =
        new MiniDFSCluster.Builder(conf, folder.resolve("hdfs").toFile())
            .numDataNodes(2)
            .storageTypes(new StorageType[] {StorageType.SSD, StorageType.DISK})
            .build()) {
      hdfs.waitActive();
      DistributedFileSystem fs = hdfs.getFileSystem();
      org.apache.hadoop.fs.Path data = new org.apache.hadoop.fs.Path(DATA);
      fs.mkdirs(data);
      fs.setXAttr(data, PathPolicy.PLACEMENT_ATTRIBUTE, START.getBytes(StandardCharsets.UTF_8));
      for (int file = 0; file < FILES; file++) {
        org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(path(file));
        DFSTestUtil.createFile(fs, path, BYTES, (short) 1, 1);
        // As old as in the trace, where a file comes to be with its first job.
        fs.setTimes(path, hour.plusSeconds(second(file, reads)).toEpochMilli(), -1);
      }
      return new Autotier(
              MoverCluster.of(fs, conf),
              settings(),
              new Autotier.Logs(
                  NameNodeLogs.Source.of(List.of(log(reads)), List.of()), ZoneOffset.UTC),
              new Journal(folder.resolve("journal")),
              line -> {})
          .plan();
    }
  }

  private static AutotierSettings settings() {
    return new AutotierSettings("ppa", 1_000L * HOUR_SECONDS, 20, 3, 0, List.of(DATA), 1_000)
        .toBuilder().callsMax(1_000).shares(DATA).build();
  }

  private RunResult simulated(int reads) throws IOException {
    String yaml =
        """
        devices:
          s: {based-on: hdd, read: 20 kB/s, write: 20 kB/s, seek: 0 s}
          d: {based-on: hdd, read: 5 kB/s, write: 5 kB/s, seek: 0 s}
        nodes:
          worker:
            page-cache: 0 B
            volumes:
              - {device: d, capacity: 500 GB}
              - {device: s, capacity: 500 GB, temporary: false}
        cluster: {racks: [{nodes: [{kind: worker, count: 2}]}]}
        tiers: [{name: ssd, device: s}, {name: disk, device: d}]
        policies: {placement: "%s", replication: 1}
        workload: {trace: {format: swim, file: %s}}
        share: {window: 1 h}
        """
            .formatted(START, trace(reads));
    return Simulation.of(ScenarioFiles.parse(yaml, "hour").scenario()).run(Progress.NONE);
  }

  /** 1,200 reads are 33 kB/s; SSDs read 40 kB/s, disks 10. */
  @Test
  void theDaemonAndTheSimulatorChooseTheSameShare() throws IOException {
    assertBothChoose(1_200, "0.86");
  }

  /** Long: make test has a use between them. */
  @Tag("long")
  @ParameterizedTest
  @CsvSource({"480, 1", "2400, 0.8"})
  void soTheyDoForLittleAndForMuchUse(int reads, String expected) throws IOException {
    assertBothChoose(reads, expected);
  }

  private void assertBothChoose(int reads, String expected) throws IOException {
    RoundPlan plan = live(reads);
    RunResult run = simulated(reads);

    assertThat(plan.shares()).hasSize(1);
    assertThat(plan.shares().get(0).readBytes()).isEqualTo((long) reads * BYTES);
    assertThat(plan.shares().get(0).writtenBytes()).isEqualTo((long) FILES * BYTES);
    Ratio chosen = run.share().orElseThrow().last();
    assertThat(chosen).isEqualTo(Ratio.parse(expected));
    assertThat(plan.shares().get(0).after()).startsWith("zone-ratio:ssd=" + chosen + ",disk=");
  }
}
