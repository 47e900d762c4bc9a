package io.tierwise.simulator.storage;

import io.tierwise.core.view.ClusterView;
import io.tierwise.simulator.cluster.PathBuffer;
import io.tierwise.simulator.cluster.Paths;
import io.tierwise.simulator.cluster.Transfers;
import io.tierwise.simulator.cluster.VirtualCluster;
import io.tierwise.simulator.cluster.WriteBuffers;
import io.tierwise.simulator.measure.Meters;
import io.tierwise.simulator.report.RunResult;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Brings lost replicas back, a few at a time, to where the placement policy wants them.
 *
 * <p>Own: at most two copies a node run at a time in the cluster as a whole (HDFS limits each
 * source to two); a replica counts as there when its copy begins.
 */
public final class Repair {
  private static final int COPIES_PER_NODE = 2;
  private static final int NONE = ClusterView.NONE;

  private final VirtualCluster cluster;
  private final Transfers transfers;
  private final Paths paths;
  private final WriteBuffers buffers;
  private final Namespace namespace;
  private final BlockPlacer placer;
  private final Meters meters;
  private final RandomGenerator random;
  private final PathBuffer path = new PathBuffer();
  private final int owner;
  private final Deque<Integer> waiting = new ArrayDeque<>();
  private final Map<Long, Copy> running = new LinkedHashMap<>();
  private long nextTicket;
  private int copies;
  private long failures;
  private long lostBlocks;
  private long repairedBytes;

  private record Copy(int source, int target, long bytes) {}

  /** Nothing is lost yet. */
  public Repair(
      VirtualCluster cluster,
      Transfers transfers,
      Paths paths,
      WriteBuffers buffers,
      Namespace namespace,
      BlockPlacer placer,
      Meters meters,
      RandomGenerator random) {
    this.cluster = cluster;
    this.transfers = transfers;
    this.paths = paths;
    this.buffers = buffers;
    this.namespace = namespace;
    this.placer = placer;
    this.meters = meters;
    this.random = random;
    this.owner = transfers.addOwner(this::copied);
  }

  /** Something broke. */
  public void failed() {
    failures++;
  }

  /** What the volume held is gone for good. */
  public void volumeLost(int volume) {
    buffers.fail(volume);
    for (int block = 0; block < namespace.blockCount(); block++) {
      StoredFile file = namespace.fileOf(block);
      if (file == null) {
        continue;
      }
      for (int i = 0; i < namespace.replication(); i++) {
        if (namespace.replica(block, i) == volume) {
          placer.drop(block, i, file.blockBytes(file.indexOf(block)));
          noteLoss(block);
        }
      }
    }
    copySome();
  }

  private void noteLoss(int block) {
    if (namespace.replicaCount(block) == 0) {
      lostBlocks++;
    } else {
      waiting.add(block);
    }
  }

  private void copySome() {
    while (!waiting.isEmpty() && copies < COPIES_PER_NODE * cluster.nodeCount()) {
      copy(waiting.remove());
    }
  }

  private void copy(int block) {
    StoredFile file = namespace.fileOf(block);
    if (file == null || namespace.replicaCount(block) == 0) {
      return;
    }
    int source = sourceOf(block);
    boolean[] had = new boolean[namespace.replication()];
    for (int i = 0; i < had.length; i++) {
      had[i] = namespace.replica(block, i) != NONE;
    }
    int index = file.indexOf(block);
    placer.place(file, index, NONE);
    for (int i = 0; i < had.length; i++) {
      int target = namespace.replica(block, i);
      if (!had[i] && target != NONE) {
        start(source, target, file.blockBytes(index));
      }
    }
  }

  private int sourceOf(int block) {
    int count = namespace.replicaCount(block);
    int wanted = random.nextInt(count);
    for (int i = 0; ; i++) {
      if (namespace.replica(block, i) != NONE && wanted-- == 0) {
        return namespace.replica(block, i);
      }
    }
  }

  private void start(int source, int target, long bytes) {
    Copy copy = new Copy(source, target, bytes);
    copies++;
    running.put(nextTicket, copy);
    roomMayBe(nextTicket++);
  }

  private void roomMayBe(long ticket) {
    Copy copy = running.get(ticket);
    int[] targets = {copy.target()};
    if (!buffers.reserve(
        targets, copy.bytes(), Double.POSITIVE_INFINITY, this::roomMayBe, ticket)) {
      return;
    }
    double bytes = (double) copy.bytes();
    int from = cluster.volume(copy.source()).node();
    int to = cluster.volume(copy.target()).node();
    path.clear();
    paths.readDevice(path, copy.source(), bytes, 1);
    paths.connect(path, from, to, 1);
    buffers.addWrite(path, copy.target(), copy.bytes());
    meters.sent(from, to, copy.bytes());
    transfers.start(owner, path, bytes, Double.POSITIVE_INFINITY, ticket);
  }

  private void copied(int flow, long ticket) {
    Copy copy = running.remove(ticket);
    copies--;
    repairedBytes += copy.bytes();
    buffers.written(copy.target(), copy.bytes());
    copySome();
  }

  public RunResult.Faults faults() {
    return new RunResult.Faults(failures, lostBlocks, repairedBytes);
  }
}
