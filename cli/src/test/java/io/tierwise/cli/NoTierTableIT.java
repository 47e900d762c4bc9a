package io.tierwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.simulator.scenario.TierSpec;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.StorageType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands agree with the NameNode about policies that name no tier where no table is written. */
class NoTierTableIT {
  private static final int FILES = 9;

  @TempDir private static Path folder;
  private static ManagedHdfs hdfs;

  @BeforeAll
  static void start() throws IOException {
    hdfs =
        ManagedHdfs.start(
            folder,
            null,
            ManagedHdfs.configuration(),
            nodes ->
                nodes
                    .numDataNodes(4)
                    .racks(new String[] {"/r1", "/r1", "/r2", "/r2"})
                    .storageTypes(new StorageType[] {StorageType.SSD, StorageType.DISK}));
    hdfs.fs().mkdirs(new org.apache.hadoop.fs.Path("/warehouse"));
    CommandRun set = hdfs.run("policy", "set", "/warehouse", "--placement", "hybrid");
    assertThat(set.exitCode()).as(set.err()).isZero();
    for (int i = 0; i < FILES; i++) {
      org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/warehouse/part-" + i);
      try (FSDataOutputStream out = hdfs.fs().create(file, (short) 3)) {
        out.write(new byte[1000]);
      }
      hdfs.awaitReplicas(file.toString(), 3);
    }
  }

  @AfterAll
  static void stop() {
    hdfs.cluster().shutdown(true);
  }

  private static JsonNode json(CommandRun run) throws IOException {
    assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
    return new ObjectMapper().readTree(run.out());
  }

  @Test
  void everyReplicaIsWhereExplainAndComplianceWantIt() throws IOException {
    CommandRun explained = hdfs.run("explain", "/warehouse/part-0");
    assertThat(explained.exitCode()).as(explained.err()).isZero();
    assertThat(explained.out()).contains("ssd", "disk").doesNotContain("ram", "archive", "nvdimm");
    CommandRun found = hdfs.run("policy", "find", "/", "--check", "100");
    assertThat(found.exitCode()).as(found.out() + found.err()).isZero();
  }

  @Test
  void nothingIsToBeMoved() throws IOException {
    JsonNode plan =
        json(hdfs.run("file", "move", "/warehouse", "--to", "policy", "--dry-run", "--json"));
    assertThat(plan.get("blocks").asLong()).isEqualTo(FILES);
    assertThat(plan.get("blocks_as_wanted").asLong()).as(plan.toString()).isEqualTo(FILES);
  }

  @Test
  void doctorSaysWhichTiersCountAndTheShareNeedsTheseAlone() {
    CommandRun doctor = hdfs.run("doctor", "-D", hdfs.webKey());
    assertThat(doctor.unfolded())
        .contains(
            "policies that name no tier count ssd, disk, the storage types that have a volume");
    CommandRun set =
        hdfs.run("policy", "set", "/warehouse", "--placement", "zone-ratio:0.3", "--dry-run");
    assertThat(set.unfolded() + set.err()).contains("ssd=0.3,disk=0.7");
  }

  @Test
  void theCapturedClusterHasTheSameTiers() throws IOException {
    CommandRun ran = hdfs.run("capture");
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    assertThat(ScenarioFiles.parse(ran.out(), "captured.yaml").scenario().tiers())
        .extracting(TierSpec::name)
        .isEqualTo(List.of("ssd", "disk"));
  }
}
