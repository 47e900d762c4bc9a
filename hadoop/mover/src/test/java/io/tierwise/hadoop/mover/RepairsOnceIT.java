package io.tierwise.hadoop.mover;

import static io.tierwise.hadoop.mover.SeenMonitor.shown;
import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.hdfs.namenode.RepairCalls;
import io.tierwise.hadoop.hdfs.namenode.RepairCalls.Moved;
import io.tierwise.hadoop.hdfs.namenode.RepairCalls.Question;
import io.tierwise.hadoop.hdfs.namenode.RepairCalls.Result;
import io.tierwise.hadoop.hdfs.namenode.RepairCalls.State;
import io.tierwise.hadoop.hdfs.namenode.RepairCalls.Work;
import io.tierwise.hadoop.inspect.cluster.NameNodePlugin;
import io.tierwise.hadoop.mover.Repairs.Round;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.policies.movement.RepairBacklog.Outcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Repairs of all that waits, as {@code monitor run --once} makes them. */
@ExtendWith(MixedCluster.class)
class RepairsOnceIT {
  private static final int BLOCKS = 13;

  @TempDir private java.nio.file.Path folder;
  private final LiveCluster cluster;
  private final SeenMonitor monitor;
  private Journal journal;
  private Path file;

  RepairsOnceIT(LiveCluster cluster) {
    this.cluster = cluster;
    this.monitor = new SeenMonitor(cluster);
  }

  @BeforeEach
  void misplace() throws IOException {
    journal = new Journal(folder);
    file = cluster.write("/t/file", BLOCKS, 3);
    cluster.setPolicy("/t", "layout:3 x ssd");
    monitor.walk();
    assertThat(shown("BacklogBlocks", "missing_copy")).isEqualTo(BLOCKS);
  }

  /** More blocks than five nodes move in a second at that rate. */
  @Test
  void allThatWaitsIsRepairedThoughTheLockIsGivenBackMeanwhile() throws IOException {
    MoverSettings slow = LiveCluster.quick().atRates(LiveCluster.BLOCK_BYTES, 1L << 40);
    Repairs repairs = monitor.repairs(journal, slow, 1).lockingFor(1);
    assertThat(repairs.round().blocks()).as("a round").isLessThan(BLOCKS);

    List<String> between = new ArrayList<>();
    RepairsOnce all = new RepairsOnce(repairs, between::add);
    assertThat(all.run(1)).as("blocks that wait").isZero();

    assertThat(between).isNotEmpty().allMatch(line -> line.startsWith("so far: "));
    assertThat(cluster.typesOf(file)).containsOnly("SSD SSD SSD");
    assertThat(all.done().done()).isEqualTo(all.done().blocks()).isLessThan(BLOCKS);
    assertThat(journal.runs()).hasSizeGreaterThan(2);
  }

  /** It rests, and is given to nobody. */
  @Test
  void aBlockThatFailedAMomentAgoIsSaidToWait() throws IOException {
    NameNodePlugin plugin = new NameNodePlugin(cluster.fs(), cluster.clientConf());
    Question question = new Question(BLOCKS, 60, State.MOVING, 1, 1, 0);
    List<Work> given = RepairCalls.parse(plugin.answer(plugin.ofActive(), question.format()));
    assertThat(given).hasSize(BLOCKS);
    for (Work work : given) {
      Result failed =
          new Result(
              work.blockId(), work.wanted(), Outcome.FAILED, Moved.NONE, Moved.NONE, "failed");
      plugin.answer(plugin.ofActive(), RepairCalls.TELL, failed.format());
    }

    RepairsOnce all = new RepairsOnce(monitor.repairs(), line -> {});
    assertThat(all.run(1)).isEqualTo(BLOCKS);
    assertThat(all.done()).isEqualTo(new Round(0, 0, 0, 0));
  }
}
