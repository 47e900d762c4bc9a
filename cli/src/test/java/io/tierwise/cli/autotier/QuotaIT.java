package io.tierwise.cli.autotier;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.cli.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What popular files would need, and a quota has no room for; and a journal that has none. */
class QuotaIT {
  private static final int COLD = 8;

  @TempDir private static Path folder;
  private static AuditedHdfs hdfs;

  @BeforeAll
  static void start() throws Exception {
    hdfs = new AuditedHdfs(folder);
    for (String directory : new String[] {"/space", "/journal"}) {
      hdfs.write(directory + "/hot", 3);
      for (int i = 0; i < COLD; i++) {
        hdfs.write(directory + "/cold-" + i, 3);
        hdfs.read(directory + "/cold-" + i, 1);
      }
      hdfs.read(directory + "/hot", 9);
    }
  }

  @AfterAll
  static void stop() {
    if (hdfs != null) {
      hdfs.close();
    }
  }

  private static List<String> words(String command, String below, String... more)
      throws IOException {
    Path tiers = Files.writeString(folder.resolve("tiers.yaml"), WaitingYarn.TIERS);
    List<String> all =
        new ArrayList<>(
            List.of(
                command, "--below", below, "--hold", "1", "-D", "tierwise.tiers.file=" + tiers));
    all.addAll(List.of(more));
    return all;
  }

  private static CommandRun autotier(String command, String below, String... more)
      throws IOException {
    return hdfs.autotier(words(command, below, more).toArray(String[]::new));
  }

  @Test
  void aQuotaWithoutRoomIsTold() throws IOException {
    hdfs.fs()
        .setQuota(
            AuditedHdfs.hadoop("/space"),
            HdfsConstants.QUOTA_DONT_SET,
            3L * (COLD + 1) * AuditedHdfs.BYTES + 1);

    CommandRun run = autotier("run", "/space", "--rounds", "1");

    assertThat(run.exitCode()).isOne();
    assertThat(run.unfolded())
        .contains("left: 1 file", "quota of /space is exceeded", "/space/hot");
    assertThat(hdfs.replicas("/space/hot")).isEqualTo(3);
    CommandRun journal = hdfs.run("journal", "last");
    assertThat(journal.unfolded())
        .contains("/space/hot: replicas 3 -> 5", "failed", "quota of /space is exceeded")
        .doesNotContain("org.apache.hadoop");
    CommandRun plan = autotier("plan", "/space", "--explain");
    assertThat(plan.unfolded()).contains("could not be, less than 1 window ago", "/space/hot");
  }

  /** A daemon tries again what fails in a round, and this never becomes better by itself. */
  @Test
  @Timeout(120)
  void aJournalThatCannotBeWrittenIsRefusedAtOnce() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "");

    for (String journal : new String[] {file.toString(), file + "/journal", "/proc/journal"}) {
      CommandRun run = autotier("run", "/journal", "--rounds", "1", "--journal", journal);

      assertThat(run.exitCode()).as(run.out()).isEqualTo(3);
      assertThat(run.err()).hasLineCount(1).contains("journal " + journal, "give --journal DIR");
    }
    assertThat(hdfs.replicas("/journal/hot")).isEqualTo(3);
  }
}
