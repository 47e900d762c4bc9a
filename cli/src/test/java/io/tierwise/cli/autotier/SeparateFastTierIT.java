package io.tierwise.cli.autotier;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.cli.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The fast tier of a stock HDFS that has its SSDs and its disks on different nodes. Long:
 * FastTierIT and RulesIT have promotions to the fast tier in make test.
 */
@Tag("long")
class SeparateFastTierIT {
  private static final StorageType[] DISK = {StorageType.DISK};
  private static final StorageType[] SSD = {StorageType.SSD};

  @TempDir private Path folder;

  private static JsonNode json(CommandRun run) throws IOException {
    assertThat(run.exitCode()).as(run.err()).isZero();
    return new ObjectMapper().readTree(run.out());
  }

  private List<String> words(String command, String below) throws IOException {
    Path tiers = Files.writeString(folder.resolve("tiers.yaml"), AuditedHdfs.MEASURED_TIERS);
    return new ArrayList<>(
        List.of(
            command,
            "--below",
            below,
            "--fast-tier",
            "ssd",
            "--on-average",
            "--hold",
            "1",
            "-D",
            "tierwise.tiers.file=" + tiers));
  }

  private static int onSsd(AuditedHdfs hdfs, String path) throws IOException {
    for (JsonNode tier : json(hdfs.run("file", "where", path, "--json")).path("tiers")) {
      if (tier.path("tier").asText().equals("ssd")) {
        return tier.path("replicas").asInt();
      }
    }
    return 0;
  }

  /** A file that is read more than another one. */
  private static void writePopular(AuditedHdfs hdfs, String directory) throws Exception {
    hdfs.write(directory + "/hot", 3);
    hdfs.read(directory + "/hot", 3);
    hdfs.write(directory + "/once", 3);
    hdfs.read(directory + "/once", 1);
  }

  @Test
  void aPopularFilesReplicaStaysInTheFastTierUntilAnUndo() throws Exception {
    try (AuditedHdfs hdfs =
        new AuditedHdfs(folder, new HdfsConfiguration(), DISK, DISK, DISK, DISK, SSD)) {
      writePopular(hdfs, "/popular");
      List<String> run = words("run", "/popular");
      run.addAll(List.of("--rounds", "1", "--json"));
      assertThat(hdfs.autotier(words("plan", "/popular").toArray(String[]::new)).unfolded())
          .contains("1 file to ssd: would move 1 replica")
          .contains("storage policy ONE_SSD for 1 file");

      JsonNode round = json(hdfs.autotier(run.toArray(String[]::new)));

      assertThat(round.path("moved_replicas").asInt()).as("%s", round).isOne();
      assertThat(onSsd(hdfs, "/popular/hot")).isOne();
      hdfs.setReplicas("/popular/hot", 4);
      hdfs.setReplicas("/popular/hot", 3);
      assertThat(onSsd(hdfs, "/popular/hot")).isOne();
      assertThat(json(hdfs.autotier(run.toArray(String[]::new))).path("ids")).isEmpty();

      String id = round.path("ids").get(0).asText();
      assertThat(hdfs.run("journal", id).unfolded())
          .contains("/popular/hot: storage policy HOT -> ONE_SSD: done");
      assertThat(hdfs.run("undo", id).exitCode()).isZero();
      assertThat(onSsd(hdfs, "/popular/hot")).isZero();
      assertThat(hdfs.fs().getStoragePolicy(AuditedHdfs.hadoop("/popular/hot")).getName())
          .isEqualTo("HOT");
    }
  }
}
