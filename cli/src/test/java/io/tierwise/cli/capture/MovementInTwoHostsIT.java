package io.tierwise.cli.capture;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.cli.CommandRun;
import io.tierwise.core.view.ArrayClusterView;
import io.tierwise.policies.movement.MovementLimits;
import io.tierwise.simulator.movement.MovementHost;
import io.tierwise.simulator.scenario.MovementSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The mover on a running HDFS, and the simulator on the scenario that was captured from it, with
 * replicas where HDFS has them: they make the same moves, block by block.
 *
 * <p>Devices are slow: the first move is over long after the last block was planned, so that no
 * decision depends on which move was over first.
 */
@Tag("long")
class MovementInTwoHostsIT {
  @TempDir private static Path folder;
  private static TwoHosts hosts;

  /** A move, told alike of both hosts; nodes by their number in the scenario. */
  private record Made(
      String file, int block, int fromNode, String fromTier, int source, int toNode, String toTier)
      implements Comparable<Made> {
    @Override
    public int compareTo(Made other) {
      return toString().compareTo(other.toString());
    }
  }

  @BeforeAll
  static void start() throws IOException {
    Configuration keys = new Configuration(false);
    keys.setInt(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_INTERVAL_SECONDS_KEY, 1);
    hosts = TwoHosts.start(folder, keys);
  }

  @AfterAll
  static void stop() throws IOException {
    hosts.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "layout:1 x pcie-ssd + 2 x disk",
        "layout:2 x sata-ssd + 1 x disk",
        "layout:1 x pcie-ssd + 1 x sata-ssd + 1 x disk on different racks",
        "tier-aware",
        "hybrid"
      })
  void bothMakeTheSameMovesBlockByBlock(String policy) throws Exception {
    String directory = "/" + Integer.toHexString(policy.hashCode());
    hosts.write(directory, TwoHosts.ON_DISKS);
    List<HdfsLocatedFileStatus> files = hosts.stored(directory);

    List<Made> simulated = simulated(directory, files, policy);
    List<Made> live = live(directory, policy);

    assertThat(live).isNotEmpty();
    assertThat(simulated).isEqualTo(live);
  }

  private static List<Made> live(String directory, String policy) throws IOException {
    String journal = "--journal=" + folder.resolve("journal");
    List<String> set = hosts.command("policy", "set", directory, "--placement", policy, "--apply");
    set.addAll(List.of("--bandwidth", "1000", "--bandwidth-total", "1000", "--keep-free", "0"));
    set.add(journal);
    TwoHosts.run(set);
    List<Made> moves = new ArrayList<>();
    CommandRun lines = CommandRun.of("journal", "last", "--json", journal);
    assertThat(lines.exitCode()).as(lines.err()).isZero();
    ObjectMapper mapper = new ObjectMapper();
    for (String line : lines.out().lines().toList()) {
      JsonNode step = mapper.readTree(line);
      if (step.path("kind").asText().equals("move")) {
        assertThat(step.path("result").asText()).as(line).isEqualTo("done");
        moves.add(
            new Made(
                step.path("path").asText(),
                step.path("block").asInt(),
                hosts.number(step.path("from").path("node").asText()),
                step.path("from").path("tier").asText(),
                hosts.number(step.path("source").asText()),
                hosts.number(step.path("to").path("node").asText()),
                step.path("to").path("tier").asText()));
      }
    }
    return moves.stream().sorted().toList();
  }

  private static List<Made> simulated(
      String directory, List<HdfsLocatedFileStatus> files, String policy) {
    TwoHosts.Virtual virtual = hosts.virtual();
    files.forEach(file -> hosts.store(virtual, directory, file));
    MovementLimits limits = new MovementLimits(1_000_000_000, 1_000_000_000, 4, 0);
    MovementHost host =
        virtual.host(
            hosts
                .scenario()
                .withMovements(List.of(new MovementSpec(0, directory, policy, limits))));
    ArrayClusterView view = virtual.view();
    List<Made> moves = new ArrayList<>();
    host.tell(
        (file, index, move) ->
            moves.add(
                new Made(
                    file.path(),
                    index,
                    view.nodeOfVolume(move.from()),
                    view.tiers().tier(view.tierOfVolume(move.from())).name(),
                    view.nodeOfVolume(move.source()),
                    view.nodeOfVolume(move.to()),
                    view.tiers().tier(view.tierOfVolume(move.to())).name())));
    host.start();
    while (!host.isDone()) {
      assertThat(virtual.engine().step()).as("something happens until all is moved").isTrue();
    }
    return moves.stream().sorted().toList();
  }
}
