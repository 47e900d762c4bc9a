package io.tierwise.cli.capture;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.cli.capture.LiveHdfs.Write;
import io.tierwise.core.view.Refusal;
import io.tierwise.policies.recorded.RecordedDeletion;
import io.tierwise.policies.recorded.RecordedPlacement;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManagerTestUtil;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Replicas that a running HDFS drops and copies, and the same questions to the simulator: each
 * decision is recorded as the NameNode's policy saw it, written as JSON, read back, and asked
 * again.
 */
class RepairInTwoHostsIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long SEED = 11;
  private static final long AWAITED_NANOS_MAX = 120_000_000_000L;
  private static final Write THREE_BLOCKS = new Write(3, 3, LiveHdfs.OUTSIDE);

  private static final List<String> POLICIES =
      List.of(
          "network-aware",
          "tier-aware",
          "hybrid",
          "zone-ratio:0.3",
          "region-aware",
          "random",
          "layout:1 x pcie-ssd + 2 x disk on different racks");

  @TempDir private Path folder;
  private LiveHdfs hdfs;
  private SimulatedHost simulated;
  private final List<String> paths = new ArrayList<>();

  @BeforeEach
  void start() throws Exception {
    hdfs = LiveHdfs.start(folder.resolve("hdfs"));
    simulated = hdfs.captured(true);
    hdfs.decisions().record(SEED);
    for (String policy : POLICIES) {
      String path = "/" + POLICIES.indexOf(policy) + "/file";
      hdfs.write(path, policy, THREE_BLOCKS);
      hdfs.located(path, 3, LiveHdfs.OUTSIDE);
      paths.add(path);
    }
    newBlocksAreRecordedAsTheyWereDecided();
  }

  private void newBlocksAreRecordedAsTheyWereDecided() throws IOException {
    List<RecordedPlacement> live = hdfs.decisions().placements();
    assertThat(live).hasSize(3 * POLICIES.size());
    for (RecordedPlacement recorded : live) {
      RecordedPlacement again = throughJson(recorded, RecordedPlacement.class);
      assertThat(again.isAnsweredBy(again.replay())).as(again.why()).isTrue();
    }
  }

  @AfterEach
  void stop() throws IOException {
    hdfs.close();
  }

  private static <T> T throughJson(T recorded, Class<T> type) throws IOException {
    return JSON.readValue(JSON.writeValueAsString(recorded), type);
  }

  @Test
  void bothHostsDropTheSameReplicas() throws IOException {
    for (String path : paths) {
      hdfs.client(LiveHdfs.OUTSIDE).setReplication(new org.apache.hadoop.fs.Path(path), (short) 2);
    }
    int blocks = 3 * POLICIES.size();
    await("a decision a block", () -> hdfs.decisions().deletions().size() >= blocks);

    List<RecordedDeletion> live = hdfs.decisions().deletions();
    assertThat(live).hasSize(blocks);
    for (RecordedDeletion recorded : live) {
      RecordedDeletion again = throughJson(recorded, RecordedDeletion.class);
      assertThat(again.replay()).as(again.policy()).isEqualTo(recorded.answer());
      assertThat(again.file().dataSetBlockIndex()).isZero();
      assertThat(simulated.chooseExcess(again))
          .as("%s of %s", again.policy(), Arrays.toString(again.volumes()))
          .isEqualTo(Replica.of(again.volumes()[again.answer()[0]], again.cluster()));
    }
  }

  @Test
  void bothHostsPutCopiesOnTheSameVolumes() throws IOException {
    int lost = nodeWithMostReplicas();
    int copies = replicasOn(lost);
    lose(hdfs.node(lost));
    await("copies of what was lost", () -> copies().size() >= copies);

    SimulatedHost after = hdfs.captured(true);
    simulated.cluster().view().refuseNode(lost, Refusal.DEAD);
    assertThat(copies()).extracting(RecordedPlacement::policy).contains("hybrid", "region-aware");
    for (RecordedPlacement recorded : copies()) {
      RecordedPlacement live = throughJson(recorded, RecordedPlacement.class);
      assertThat(live.isAnsweredBy(live.replay())).as(live.why()).isTrue();
      // Whether the NameNode's plug-in has looked again since the node is dead is a matter of time.
      boolean knowsIt = live.cluster().nodeCount() > after.cluster().nodeCount();
      SimulatedHost host = knowsIt ? simulated : after;
      SimulatedHost.Copied there = host.copy(live);
      assertThat(LiveHdfs.text(there.request(), host.cluster().view()))
          .as(live.why())
          .isEqualTo(LiveHdfs.text(live.request(), live.cluster()));
      assertThat(there.targets())
          .as(live.why())
          .isEqualTo(
              Arrays.stream(live.answer()).mapToObj(v -> Replica.of(v, live.cluster())).toList());
    }
  }

  private List<RecordedPlacement> copies() {
    return hdfs.decisions().placements().stream()
        .filter(placement -> placement.existingVolumes().length > 0)
        .toList();
  }

  private int nodeWithMostReplicas() throws IOException {
    int most = 0;
    for (int node = 1; node < 9; node++) {
      most = replicasOn(node) > replicasOn(most) ? node : most;
    }
    return most;
  }

  private int replicasOn(int node) throws IOException {
    int count = 0;
    for (String path : paths) {
      for (LocatedBlock block : hdfs.located(path, 3, LiveHdfs.OUTSIDE).getLocatedBlocks()) {
        count += hdfs.numbers(block).contains(node) ? 1 : 0;
      }
    }
    return count;
  }

  /**
   * Stops the node and has the NameNode give it up at once: again, where a heartbeat came that was
   * on its way.
   */
  private void lose(DatanodeInfo node) {
    assertThat(hdfs.cluster().daemons().stopDataNode(node.getXferAddr())).isNotNull();
    BlockManager blocks = hdfs.cluster().daemons().getNamesystem().getBlockManager();
    DatanodeDescriptor lost = blocks.getDatanodeManager().getDatanode(node.getDatanodeUuid());
    await(
        "a dead node",
        () -> {
          DFSTestUtil.setDatanodeDead(lost);
          BlockManagerTestUtil.checkHeartbeat(blocks);
          return !lost.isAlive();
        });
  }

  private static void await(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + AWAITED_NANOS_MAX;
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("%s in time", what).isLessThan(end);
      LockSupport.parkNanos(10_000_000L);
    }
  }
}
