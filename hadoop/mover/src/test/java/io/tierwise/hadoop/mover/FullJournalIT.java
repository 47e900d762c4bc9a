package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.message.Listener;
import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.mover.journal.JournalRun;
import io.tierwise.hadoop.mover.journal.PastRun;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A journal that the kernel lets grow no further in the middle of a line, as a full disk does. */
@ExtendWith(MixedCluster.class)
class FullJournalIT {
  private static final int BLOCKS = 12;
  private static final int REPLICAS = 3;
  private static final int KIBIBYTES_MAX = 8;

  @TempDir private Path folder;
  private final LiveCluster cluster;

  FullJournalIT(LiveCluster cluster) {
    this.cluster = cluster;
  }

  /** A mover in a process of its own, since the limit is a process's. */
  static final class Moving {
    public static void main(String[] words) throws IOException {
      Configuration conf = new Configuration(false);
      conf.addResource(Path.of(words[0]).toUri().toURL());
      try (DistributedFileSystem fs = new DistributedFileSystem()) {
        fs.initialize(FileSystem.getDefaultUri(conf), conf);
        MoverCluster cluster = MoverCluster.of(fs, conf);
        Journal journal = new Journal(Path.of(words[1]));
        try (JournalRun run = journal.begin("test", fs, List.of("/t"), "", null);
            Mover mover =
                Mover.open(cluster, LiveCluster.quick().withMovesPerNode(1)).writingTo(run)) {
          mover.run(MoveOrder.to(words[2], List.of("/t"), cluster.tiers()), Listener.Step.SILENT);
          System.out.println("done");
        } catch (OperatorException e) {
          System.out.println("refused: " + e.getMessage());
        }
      }
    }
  }

  private List<String> move(String layout) throws Exception {
    Path site = folder.resolve("site.xml");
    try (OutputStream out = Files.newOutputStream(site)) {
      cluster.clientConf().writeXml(out);
    }
    List<String> command =
        new ArrayList<>(
            List.of("bash", "-c", "ulimit -f " + KIBIBYTES_MAX + "; exec \"$@\"", "limited"));
    command.addAll(
        ChildJvm.of(Moving.class, "256m", site.toString(), journal().directory().toString(), layout)
            .command());
    // The JVM's own file of counters would be the first one without room.
    command.add(command.indexOf("-XX:+UseSerialGC"), "-XX:-UsePerfData");
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    List<String> lines = process.inputReader().lines().toList();
    assertThat(process.waitFor()).as("%s", lines).isZero();
    return lines;
  }

  private Journal journal() {
    return new Journal(folder.resolve("journal"));
  }

  private long onSsds(org.apache.hadoop.fs.Path file) throws IOException {
    return cluster.typesOf(file).stream()
        .flatMap(types -> List.of(types.split(" ")).stream())
        .filter("SSD"::equals)
        .count();
  }

  @Test
  @Timeout(300)
  void itEndsTheRunInOneLineAndKnowsAllThatMoved() throws Exception {
    org.apache.hadoop.fs.Path file = cluster.write("/t/file", BLOCKS, REPLICAS);

    assertThat(move("3 x ssd"))
        .singleElement()
        .asString()
        .startsWith("refused: ")
        .contains(journal().directory().toString(), "nothing is moved that it does not have");

    String id = journal().runs().get(0);
    Path text = journal().directory().resolve(id + ".jsonl");
    assertThat(Files.size(text)).as("it is as large as it may be").isEqualTo(KIBIBYTES_MAX << 10);
    LiveCluster.await(
        "no replica too many",
        () ->
            cluster.blocks(file).stream()
                .allMatch(block -> block.getLocations().length == REPLICAS));
    long moved = onSsds(file);
    assertThat(moved).isBetween(1L, (long) BLOCKS * REPLICAS - 1);
    PastRun past = PastRun.read(journal(), id);
    assertThat(past.moves()).as("each is in it").isGreaterThanOrEqualTo(moved);

    try (JournalRun run = journal().begin("test", cluster.fs(), List.of("/t"), "", id);
        Mover mover = Mover.open(cluster.cluster(), LiveCluster.quick()).writingTo(run)) {
      MoverReport undone = mover.undo(new Undo(cluster.cluster(), past), Listener.Step.SILENT);
      assertThat(undone.left()).isEmpty();
      assertThat(undone.moved().replicas()).isEqualTo(moved);
    }
    assertThat(onSsds(file)).as("all came back").isZero();
    cluster.assertWhole(file, BLOCKS);
  }
}
