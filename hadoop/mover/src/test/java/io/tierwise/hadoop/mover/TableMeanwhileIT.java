package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.policies.movement.Watermarks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The tier table changes under a daemon that repairs and flushes. */
class TableMeanwhileIT {
  @TempDir private Path folder;

  private static Path table(LiveCluster cluster) throws IOException {
    return Path.of(cluster.clientConf().get("tierwise.tiers.file"));
  }

  /** An editor leaves half of it for a moment. */
  @Test
  @Timeout(180)
  void aTableThatIsBrokenForAWhileEndsNoRepairs() throws Exception {
    try (LiveCluster cluster = LiveCluster.ofMixedNodes(LiveCluster.withPlugin(), "/a")) {
      org.apache.hadoop.fs.Path file = cluster.write("/t/file", 1, 1);
      Path table = table(cluster);
      String whole = Files.readString(table);
      Files.writeString(table, "tiers:\n  - {name: ssd, match");
      SeenMonitor monitor = new SeenMonitor(cluster);
      Repairs repairs = monitor.repairs(new Journal(folder));
      Thread daemon = new Thread(() -> repairs.run(100, round -> {}), "repairs");
      daemon.start();
      try {
        LiveCluster.await("a line", () -> !monitor.said().isEmpty() || !daemon.isAlive());
        assertThat(monitor.said()).singleElement().asString().startsWith(table.toString());
        assertThat(daemon.isAlive()).as("it waits for another table").isTrue();

        Files.writeString(table, whole);
        cluster.setPolicy("/t", "layout:1 x ssd");
        monitor.walk();
        LiveCluster.await("a repair", () -> cluster.typesOf(file).equals(List.of("SSD")));
      } finally {
        repairs.stop();
        daemon.join(TimeUnit.MINUTES.toMillis(1));
      }
      assertThat(daemon.isAlive()).isFalse();
      assertThat(monitor.said()).hasSize(1);
    }
  }

  /** Where the plug-in does not run, the table of the daemon counts. */
  @Test
  @Timeout(180)
  void aTierThatTheTableHasNoMoreIsSaidAndComesBack() throws IOException {
    try (LiveCluster cluster = LiveCluster.ofMixedNodes(LiveCluster.plain(), "/a")) {
      AtomicLong nanos = new AtomicLong();
      FullTiers tiers =
          FullTiers.of(
                  cluster.fs(),
                  cluster.clientConf(),
                  LiveCluster.quick(),
                  Map.of("ssd", new Watermarks(1, 1)),
                  asked -> () -> new Journal(folder).begin("", "me", "here", List.of(), "", null),
                  flushed -> {})
              .by(nanos::get);
      Path table = table(cluster);
      String whole = Files.readString(table);
      Files.writeString(table, whole.replace("name: ssd", "name: flash"));

      assertThatThrownBy(tiers::look)
          .isInstanceOf(OperatorException.class)
          .hasMessage("--flush ssd is done no more: the tier table has only flash, disk by now");

      Files.writeString(table, whole);
      nanos.addAndGet(FullTiers.REST_NANOS * FullTiers.RESTS_MAX);
      tiers.look();
      assertThat(tiers.isDue()).as("it was looked at").isFalse();
    }
  }
}
