package io.tierwise.cli.autotier;

import static io.tierwise.cli.autotier.DaemonThread.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.cli.CommandRun;
import io.tierwise.hadoop.autotier.Prefetching;
import io.tierwise.hadoop.mover.MoverSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job of a queue that runs nothing: its ResourceManager has no node. */
@Tag("long")
class OverdueJobIT {
  /** For the input and the intermediate data of one job. */
  private static final long REGION_BYTES = 250_000;

  private static final String LINE = "it has waited for longer than --prefetch-wait";

  @TempDir private Path folder;

  private Path journal() {
    return folder.resolve("journal");
  }

  @Test
  void itGivesUpItsRoomItsPromiseAndWhatNodeManagersWereToldToTheNextJob() throws Exception {
    Prefetching bounds =
        new Prefetching(
            folder.resolve("runs.db").toString(), REGION_BYTES, 0, TimeUnit.SECONDS.toMillis(30));
    try (WaitingYarn yarn = new WaitingYarn(folder, 1, new Configuration())) {
      yarn.hdfs().write("/data/one", 1);
      yarn.hdfs().write("/data/two", 1);
      yarn.hdfs().read("/data/one", 1);
      Job first = yarn.submit("count", "/data/one");
      try (DaemonThread daemon = yarn.daemon("/data", bounds, MoverSettings.DEFAULT, journal())) {
        await("its input comes", () -> yarn.isOnSsd("/data/one") && yarn.isTold(first));
        daemon.awaitCounted(yarn, AuditedHdfs.BYTES + WaitingYarn.INTERMEDIATE_BYTES);

        daemon.awaitSaid(LINE);
        await("NodeManagers are told nothing of it", () -> !yarn.isTold(first));
        daemon.awaitCounted(yarn, AuditedHdfs.BYTES);
        assertThat(yarn.isOnSsd("/data/one")).as("until its room is needed").isTrue();
        assertThat(yarn.told().path("withdrawn").asInt()).isOne();
        Path metrics = folder.resolve("metrics.prom");
        assertThat(yarn.command("status", "--textfile", metrics.toString()).unfolded())
            .contains("1 job waited too long to hold room");
        assertThat(Files.readString(metrics))
            .contains("tierwise_autotier_prefetch_withdrawn_jobs_total 1\n");

        yarn.submit("count", "/data/two");
        await("the next job's input comes", () -> yarn.isOnSsd("/data/two"));
        assertThat(yarn.isOnSsd("/data/one")).isFalse();
        assertThat(daemon.said()).as("once").filteredOn(line -> line.contains(LINE)).hasSize(1);
      }
      CommandRun plan =
          CommandRun.of(
              yarn.deciding("plan", "/data", REGION_BYTES, journal(), "--prefetch-wait", "1 s")
                  .toArray(String[]::new));
      assertThat(plan.exitCode()).as(plan.err()).isZero();
      assertThat(plan.unfolded())
          .contains("job count (" + WaitingYarn.application(first))
          .contains("stays as it is: " + LINE);
    }
  }
}
