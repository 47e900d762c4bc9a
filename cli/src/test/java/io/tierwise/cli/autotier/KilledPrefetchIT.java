package io.tierwise.cli.autotier;

import static io.tierwise.cli.autotier.DaemonThread.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.cli.JournaledMoves;
import io.tierwise.cli.TierwiseJvm;
import io.tierwise.hadoop.mover.MoverSettings;
import io.tierwise.policies.movement.AdaptivePlacement;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The daemon's process is killed ({@code SIGKILL}) in the middle of a prefetch for a real job that
 * waits on a real YARN.
 */
@Tag("long")
class KilledPrefetchIT {
  /** For one job, and not for a file more. */
  private static final long REGION_BYTES = 8_100_000;

  @TempDir private Path folder;

  private Path journal() {
    return folder.resolve("journal");
  }

  /** At a megabyte a second, so that it takes seconds. */
  private Process process(WaitingYarn yarn) throws IOException {
    // Held as long as by the next one, so that both take the same files for popular.
    List<String> words =
        yarn.deciding(
            "run", "/data", REGION_BYTES, journal(), "--bandwidth-total", "1", "--hold", "1");
    return new ProcessBuilder(TierwiseJvm.line(words.toArray(String[]::new)))
        .redirectOutput(folder.resolve("stdout").toFile())
        .redirectError(folder.resolve("stderr").toFile())
        .start();
  }

  private void killInTheMiddle(WaitingYarn yarn, JobInput input) throws Exception {
    Process killed = process(yarn);
    try {
      await("some of it came", () -> !input.onSsd().isEmpty() || !killed.isAlive());
    } finally {
      killed.destroyForcibly().waitFor();
    }
    assertThat(input.onSsd().size()).isBetween(1, JobInput.FILES / 2);
  }

  @Test
  void theNextDaemonGoesOnCountsAllOnceAndTakesBackWhatTheKilledOneMoved() throws Exception {
    try (WaitingYarn yarn = new WaitingYarn(folder, 1, new Configuration())) {
      JobInput input = new JobInput(yarn, "/data/first");
      JobInput next = new JobInput(yarn, "/data/second");
      Job job = yarn.submit("count", input.paths());
      killInTheMiddle(yarn, input);
      Set<String> moved = input.onSsd();
      assertThat(JournaledMoves.of(journal(), "ssd")).containsAll(moved);
      assertThat(yarn.tier(job)).isEqualTo("ssd");

      yarn.hdfs().endLeasesAtOnce(true);
      try (DaemonThread daemon =
          yarn.daemon("/data", REGION_BYTES, MoverSettings.DEFAULT, journal())) {
        await("the others come", () -> input.onSsd().size() == JobInput.FILES);
        yarn.hdfs().endLeasesAtOnce(false);
        daemon.awaitCounted(yarn, JobInput.BYTES + JobInput.INTERMEDIATE_BYTES);

        yarn.kill(job);
        daemon.awaitCounted(yarn, JobInput.BYTES);
        await("NodeManagers are told nothing of it", () -> !yarn.isTold(job));
        yarn.submit("count", next.paths());
        await("the next job's input comes", () -> next.onSsd().size() == JobInput.FILES);
        assertThat(input.onSsd()).as("it makes room").isEmpty();
        daemon.awaitCounted(yarn, JobInput.BYTES + JobInput.INTERMEDIATE_BYTES);
      }
      for (String path : input.paths()) {
        assertThat(yarn.hdfs().fs().getStoragePolicy(AuditedHdfs.hadoop(path)).getName())
            .isEqualTo("HOT");
      }
      input.assertWhole();
      next.assertWhole();
      assertThat(JobInput.reasons(journal())).containsExactly(AdaptivePlacement.NAME);
    }
  }
}
