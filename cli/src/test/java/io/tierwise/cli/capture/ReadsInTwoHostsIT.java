package io.tierwise.cli.capture;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.cli.capture.LiveHdfs.Write;
import io.tierwise.hadoop.hdfs.topology.RecordingTopology;
import io.tierwise.hadoop.hdfs.topology.TierwiseTopology;
import io.tierwise.policies.access.AccessSession;
import io.tierwise.policies.access.AccessStrategies;
import io.tierwise.policies.access.AccessStrategy;
import io.tierwise.policies.recorded.RecordedRead;
import io.tierwise.policies.recorded.RecordedReads;
import io.tierwise.policies.recorded.RecordedReplicas;
import io.tierwise.policies.recorded.RecordingAccess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Reads by {@code auto}, which the NameNode decides and counts: all that its strategy saw is
 * recorded, written as JSON, read back, and asked again; and the simulator, asked about the same
 * reads at the same moments, with what nodes had reported then, sees the same and gives the same
 * orders by its own counts.
 */
class ReadsInTwoHostsIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String STRATEGY = "auto";
  private static final String PLACEMENT = "hybrid";
  private static final long SEED = 7;
  private static final int ROUNDS = 3;
  private static final List<Integer> READERS = List.of(0, 4, 7);

  /** HDFS's default: it takes seconds to pass a device, so that an answer counts for later ones. */
  private static final long BLOCK_BYTES = 128 << 20;

  private static final List<Write> WRITES =
      List.of(
          new Write(1, 3, 0),
          new Write(2, 3, 4),
          new Write(1, 2, LiveHdfs.OUTSIDE),
          new Write(1, 3, 8));

  @TempDir private static Path folder;
  private static LiveHdfs hdfs;
  private static SimulatedHost simulated;
  private static RecordingAccess recording;

  /** A file of HDFS and its twin, whose replicas are on the same nodes. */
  private record Twins(String path, Write write, SimulatedHost.Placed placed) {
    @Override
    public String toString() {
      return path;
    }
  }

  /** A block that a reader asked for, and the nodes in the order that it was told. */
  private record Asked(Twins file, int index, int reader, List<Integer> nodes) {}

  @BeforeAll
  static void start() throws Exception {
    hdfs =
        LiveHdfs.start(
            folder.resolve("hdfs"),
            Map.of(
                "dfs.net.topology.impl",
                RecordingTopology.class.getName(),
                TierwiseTopology.STRATEGY,
                STRATEGY));
    // The NameNode tells distances without regions.
    simulated = hdfs.captured(false, BLOCK_BYTES);
    recording = RecordingTopology.of(hdfs.cluster().daemons().getNameNode());
  }

  @AfterAll
  static void stop() throws IOException {
    hdfs.close();
  }

  private static List<Twins> written() throws IOException {
    List<Twins> files = new ArrayList<>();
    for (Write write : WRITES) {
      String path = "/files/" + files.size();
      hdfs.decisions().begin(new SplittableRandom(SEED));
      long fileId = hdfs.write(path, PLACEMENT, write);
      SimulatedHost.Placed placed =
          simulated.place(
              PLACEMENT,
              fileId,
              write.blocks(),
              write.replication(),
              write.writerNode(),
              new SplittableRandom(SEED));
      files.add(new Twins(path, write, placed));
      List<LocatedBlock> blocks =
          hdfs.located(path, write.replication(), LiveHdfs.OUTSIDE).getLocatedBlocks();
      for (int index = 0; index < write.blocks(); index++) {
        assertThat(hdfs.numbers(blocks.get(index)))
            .containsExactlyInAnyOrderElementsOf(simulated.nodes(placed, index));
      }
    }
    return files;
  }

  /** As our client asks under this strategy: for each block when it comes to read it. */
  private static Asked ask(Twins file, int index, int reader) throws IOException {
    LocatedBlock block =
        hdfs.client(reader)
            .getClient()
            .getLocatedBlocks(file.path(), (long) index * LiveHdfs.BLOCK_BYTES, 1)
            .get(0);
    return new Asked(file, index, reader, hdfs.numbers(block));
  }

  private static List<Asked> askAll(List<Twins> files) throws IOException {
    List<Asked> all = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      for (Twins file : files) {
        for (int reader : READERS) {
          for (int index = 0; index < file.write().blocks(); index++) {
            all.add(ask(file, index, reader));
          }
        }
      }
    }
    return all;
  }

  @Test
  void nameNodeAndSimulatorOrderReplicasAlike() throws IOException {
    List<Twins> files = written();
    recording.begin();
    List<Asked> asked = askAll(files);
    RecordedReads live =
        JSON.readValue(JSON.writeValueAsString(recording.reads()), RecordedReads.class);

    assertThat(live.replay().stream().map(Arrays::toString))
        .as("the NameNode's own questions, asked again")
        .isEqualTo(live.reads().stream().map(read -> Arrays.toString(read.answer())).toList());
    assertThat(live.told()).as("a read is counted for each block").hasSameSizeAs(asked);
    AccessStrategy there =
        AccessSession.of(AccessStrategies.parse(live.strategy())).pick(0).strategy();
    for (int i = 0; i < asked.size(); i++) {
      compare(asked.get(i), live.told().get(i), there);
    }
    assertThat(answeredByMemory(live)).as("earlier answers count").isPositive();
  }

  private static void compare(Asked asked, RecordedRead live, AccessStrategy there) {
    Integer[] listed = new Integer[asked.nodes().size()];
    for (int place = 0; place < listed.length; place++) {
      listed[live.answer()[place]] = asked.nodes().get(place);
    }
    ListedAs strategy = new ListedAs(there, List.of(listed), live);
    simulated.readAt(
        live.replicas().nowMillis(),
        asked.file().placed(),
        asked.index(),
        asked.reader(),
        strategy);
    assertThat(facts(strategy.seen())).as("%s", asked).isEqualTo(facts(live.replicas()));
    assertThat(strategy.answer()).as("%s", asked).isEqualTo(live.answer());
  }

  /** All but keys, which are each host's own, and speeds of links, which a NameNode is not told. */
  private static List<String> facts(RecordedReplicas replicas) {
    return replicas.replicas().stream()
        .map(
            replica ->
                "tier "
                    + replicas.tiers().tier(replica.tier()).name()
                    + ", "
                    + replica.distance()
                    + " hops, "
                    + replica.path().size()
                    + " resources, device "
                    + replica.path().get(0).bytesPerSecond())
        .toList();
  }

  /** Questions that a strategy which remembers no answer would have answered otherwise. */
  private static long answeredByMemory(RecordedReads live) {
    AccessStrategy forgetful = AccessStrategies.parse(live.strategy());
    return live.told().stream()
        .filter(
            read -> {
              int[] order = new int[read.answer().length];
              forgetful.order(
                  read.request(), read.replicas(), new SplittableRandom(read.seed()), order);
              return !Arrays.equals(order, read.answer());
            })
        .count();
  }
}
