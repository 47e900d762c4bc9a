package io.tierwise.cli.capture;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.cli.capture.LiveHdfs.Write;
import io.tierwise.hadoop.hdfs.topology.ReadReportText;
import io.tierwise.hadoop.hdfs.topology.RecordingTopology;
import io.tierwise.hadoop.hdfs.topology.ReplicaTiers;
import io.tierwise.hadoop.hdfs.topology.TierwiseTopology;
import io.tierwise.policies.access.AccessSession;
import io.tierwise.policies.access.AccessStrategies;
import io.tierwise.policies.access.AccessStrategy;
import io.tierwise.policies.access.AutoAccess;
import io.tierwise.policies.access.ReadReport;
import io.tierwise.policies.access.ReadSpeeds;
import io.tierwise.policies.access.SlowReads;
import io.tierwise.policies.recorded.RecordedRead;
import io.tierwise.policies.recorded.RecordedReads;
import io.tierwise.policies.recorded.RecordedReplicas;
import io.tierwise.policies.recorded.RecordingAccess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.ipc.CallerContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Reads by {@code auto}, which the NameNode decides and counts: all that its strategy saw and heard
 * is recorded, written as JSON, read back, and asked again; and the simulator, asked about the same
 * reads at the same moments, with what nodes had reported then and readers told, sees and hears the
 * same, and gives the same orders by its own counts.
 */
class ReadsInTwoHostsIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String WITH_REPORTS = "auto";
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

  /** Since the told read ended, when the call is made. */
  private static final long AGO_MILLIS = 3;

  @TempDir private static Path folder;
  private static LiveHdfs hdfs;
  private static SimulatedHost simulated;
  private static RecordingAccess recording;
  private static List<Twins> files;

  /** A file of HDFS and its twin, whose replicas are on the same nodes. */
  private record Twins(String path, Write write, SimulatedHost.Placed placed) {
    @Override
    public String toString() {
      return path;
    }
  }

  /**
   * A block that a reader asked for, and the nodes in the order that it was told.
   *
   * @param device a number of the first one's, the same in every process
   * @param told what the reader got from the block that it asked for before; null when it tells
   *     nothing
   */
  private record Asked(
      Twins file, int index, int reader, List<Integer> nodes, long device, Got told) {
    int first() {
      return nodes.get(0);
    }

    @Override
    public String toString() {
      return "block " + index + " of " + file + ", read on node " + reader;
    }
  }

  /** What a reader got from the first replica that it was told. */
  private record Got(Asked from, long bytes, long millis) {
    boolean remote() {
      return from.first() != from.reader();
    }

    ReadReport report() {
      return new ReadReport(from.device(), remote(), bytes, millis, AGO_MILLIS);
    }
  }

  @BeforeAll
  static void start() throws Exception {
    hdfs =
        LiveHdfs.start(
            folder.resolve("hdfs"),
            Map.of(
                "dfs.net.topology.impl",
                RecordingTopology.class.getName(),
                TierwiseTopology.STRATEGY,
                WITH_REPORTS));
    // The NameNode tells distances without regions.
    simulated = hdfs.captured(false, BLOCK_BYTES);
    recording = RecordingTopology.of(hdfs.cluster().daemons().getNameNode());
    files = written();
  }

  @AfterAll
  static void stop() throws IOException {
    hdfs.close();
  }

  @AfterEach
  void tellNothing() {
    CallerContext.setCurrent(null);
  }

  private static List<Twins> written() throws IOException {
    List<Twins> all = new ArrayList<>();
    for (Write write : WRITES) {
      String path = "/files/" + all.size();
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
      all.add(new Twins(path, write, placed));
      List<LocatedBlock> blocks =
          hdfs.located(path, write.replication(), LiveHdfs.OUTSIDE).getLocatedBlocks();
      for (int index = 0; index < write.blocks(); index++) {
        assertThat(hdfs.numbers(blocks.get(index)))
            .containsExactlyInAnyOrderElementsOf(simulated.nodes(placed, index));
      }
    }
    return all;
  }

  /**
   * As our client asks under this strategy: for each block when it comes to read it. It tells with
   * the question what it got.
   */
  private static Asked ask(Twins file, int index, int reader, Got told) throws IOException {
    CallerContext.setCurrent(
        told == null
            ? null
            : new CallerContext.Builder(
                    ReadReportText.KEY + ":" + ReadReportText.of(List.of(told.report())))
                .build());
    LocatedBlock block =
        hdfs.client(reader)
            .getClient()
            .getLocatedBlocks(file.path(), (long) index * LiveHdfs.BLOCK_BYTES, 1)
            .get(0);
    long device = new ReplicaTiers(hdfs.tiers()).of(block.getLocations()[0]).number();
    return new Asked(file, index, reader, hdfs.numbers(block), device, told);
  }

  private interface Reading {
    /** What the reader tells of the block that it asked for; null for nothing. */
    Got got(Asked from);
  }

  private static List<Asked> askAll(Reading reading) throws IOException {
    List<Asked> all = new ArrayList<>();
    Map<Integer, Asked> before = new HashMap<>();
    for (int round = 0; round < ROUNDS; round++) {
      for (Twins file : files) {
        for (int reader : READERS) {
          for (int index = 0; index < file.write().blocks(); index++) {
            Asked last = before.get(reader);
            Asked next = ask(file, index, reader, last == null ? null : reading.got(last));
            before.put(reader, next);
            all.add(next);
          }
        }
      }
    }
    return all;
  }

  private static RecordedReads recorded() throws IOException {
    return JSON.readValue(JSON.writeValueAsString(recording.reads()), RecordedReads.class);
  }

  private static List<String> answers(RecordedReads live) {
    return live.reads().stream().map(read -> Arrays.toString(read.answer())).toList();
  }

  private static List<String> replayed(RecordedReads live) {
    return live.replay().stream().map(Arrays::toString).toList();
  }

  @Test
  void nameNodeAndSimulatorOrderReplicasAlike() throws IOException {
    recording.begin("auto:reports=false");
    List<Asked> asked = askAll(from -> null);
    RecordedReads live = recorded();

    compare(asked, live);
    assertThat(answeredByMemory(live)).as("earlier answers count").isPositive();
  }

  /** All who read from one node got next to nothing for seconds. */
  @Test
  void nameNodeAndSimulatorOrderReplicasAlikeByWhatReadersTold() throws IOException {
    recording.begin(WITH_REPORTS);
    int slow = ask(files.get(0), 0, READERS.get(0), null).first();
    recording.begin(WITH_REPORTS);
    List<Asked> asked =
        askAll(
            from ->
                from.first() == slow
                    ? new Got(from, 8 << 20, 10_000)
                    : new Got(from, BLOCK_BYTES, 1_000));
    RecordedReads live = recorded();

    compare(asked, live);
    assertThat(live.told().stream().filter(read -> !read.heard().isEmpty()))
        .as("questions that tell of the block before")
        .hasSize(asked.size() - READERS.size());
    assertThat(replayed(live.unheard())).as("what readers told counts").isNotEqualTo(answers(live));
  }

  private static void compare(List<Asked> asked, RecordedReads live) {
    assertThat(replayed(live))
        .as("the NameNode's own questions, asked again")
        .isEqualTo(answers(live));
    assertThat(live.told()).as("a read is counted for each block").hasSameSizeAs(asked);
    AccessStrategy there =
        AccessSession.of(AccessStrategies.parse(live.strategy())).pick(0).strategy();
    for (int i = 0; i < asked.size(); i++) {
      compare(asked.get(i), live.told().get(i), there, reader(asked.get(i), live, i));
    }
  }

  /** The simulator's reader of that block, which tells with its question what the live one told. */
  private static SlowReads reader(Asked asked, RecordedReads live, int question) {
    Got told = asked.told();
    if (told == null) {
      return null;
    }
    SlowReads reader =
        new SlowReads((AutoAccess) AccessStrategies.parse(live.strategy()), new ReadSpeeds());
    Asked from = told.from();
    int volume = simulated.volumeOn(from.first(), from.file().placed(), from.index());
    SlowReads.Progress read =
        new SlowReads.Progress(
            new SlowReads.Source(volume, from.first(), told.remote(), 1),
            told.bytes(),
            told.millis() / 1e3);
    RecordedRead asking = live.told().get(question);
    // The call was under way as well, and waited for its handler.
    long agoMillis = asking.heard().get(0).read().agoMillis();
    assertThat(agoMillis).isGreaterThanOrEqualTo(AGO_MILLIS);
    reader.tell(volume, read, asking.replicas().nowMillis() - agoMillis);
    return reader;
  }

  private static void compare(
      Asked asked, RecordedRead live, AccessStrategy there, SlowReads reader) {
    Integer[] listed = new Integer[asked.nodes().size()];
    for (int place = 0; place < listed.length; place++) {
      listed[live.answer()[place]] = asked.nodes().get(place);
    }
    HeardStrategy answering = new HeardStrategy(there);
    ListedAs strategy = new ListedAs(answering, reader, List.of(listed), live);
    simulated.readAt(
        live.replicas().nowMillis(),
        asked.file().placed(),
        asked.index(),
        asked.reader(),
        strategy);
    assertThat(facts(strategy.heard())).as("%s", asked).isEqualTo(facts(live.heard()));
    assertThat(facts(answering.seen())).as("%s", asked).isEqualTo(facts(live.replicas()));
    assertThat(answering.order()).as("%s", asked).isEqualTo(live.answer());
  }

  /** All but each host's own numbers of devices, and distances, which say nothing of a report. */
  private static List<String> facts(List<RecordedRead.Heard> heard) {
    return heard.stream()
        .map(
            told ->
                resources(told.replicas()).toList()
                    + (told.read().remote() ? ", over links " : ", near ")
                    + told.read().bytes()
                    + " bytes in "
                    + told.read().millis()
                    + " ms, "
                    + told.read().agoMillis()
                    + " ms ago, by "
                    + told.host())
        .toList();
  }

  /** All but keys, which are each host's own, and speeds of links, which a NameNode is not told. */
  private static List<String> facts(RecordedReplicas replicas) {
    List<String> facts = new ArrayList<>();
    resources(replicas)
        .forEach(each -> facts.add(replicas.distance(facts.size()) + " hops, " + each));
    return facts;
  }

  private static Stream<String> resources(RecordedReplicas replicas) {
    return replicas.replicas().stream()
        .map(
            replica ->
                "tier "
                    + replicas.tiers().tier(replica.tier()).name()
                    + ", "
                    + replica.path().size()
                    + " resources, device "
                    + replica.path().get(0).bytesPerSecond());
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
