package io.tierwise.benchmarks.simulator;

import io.tierwise.core.view.ClusterView;
import io.tierwise.policies.access.AccessPick;
import io.tierwise.policies.access.AccessSession;
import io.tierwise.policies.access.AccessStrategies;
import io.tierwise.policies.placement.PlacementPolicies;
import io.tierwise.simulator.cluster.PathBuffer;
import io.tierwise.simulator.cluster.Paths;
import io.tierwise.simulator.cluster.Transfers;
import io.tierwise.simulator.cluster.VirtualCluster;
import io.tierwise.simulator.engine.Engine;
import io.tierwise.simulator.engine.RandomStreams;
import io.tierwise.simulator.engine.Ticks;
import io.tierwise.simulator.scenario.Scenario;
import io.tierwise.simulator.scenario.ScenarioTiers;
import io.tierwise.simulator.storage.BlockPlacer;
import io.tierwise.simulator.storage.Namespace;
import io.tierwise.simulator.storage.ReaderMemory;
import io.tierwise.simulator.storage.ReplicaReads;
import io.tierwise.simulator.storage.StoredFile;
import java.lang.management.ManagementFactory;
import java.util.random.RandomGenerator;

/**
 * A cluster whose clients write blocks, or read them, and do nothing else: an event begins a
 * transfer, another one ends it. The volumes of each transfer are decided when it begins, or were
 * decided in a run before: the difference is what deciding costs.
 */
final class DecisionRun {
  /** The work of the clients. */
  enum Kind {
    WRITE,
    READ
  }

  static final int BLOCKS = 40_000;

  private static final int REPLICAS = 3;
  private static final long BLOCK_BYTES = 256L << 20;
  private static final double TRANSFERS_PER_SECOND = 400;

  private final Kind kind;
  private final boolean decides;

  /** By block: the volumes of its write, or the one of its read. */
  private final int[] decided;

  private final int[] clients = new int[BLOCKS];
  private final Engine engine = new Engine();
  private final Transfers transfers = new Transfers(engine);
  private final VirtualCluster cluster;
  private final Paths paths;
  private final PathBuffer path = new PathBuffer();
  private final Namespace namespace = new Namespace(REPLICAS, BLOCK_BYTES);
  private final BlockPlacer placer;
  private final ReplicaReads reads;
  private final AccessSession session;
  private final StoredFile file;

  /** The processes that read now, one a block. */
  private final ReaderMemory[] readers = new ReaderMemory[BLOCKS];

  private final int owner;
  private final int begins;

  /**
   * A run of a cluster with its policies.
   *
   * @param decided filled by a run that decides, used by one that does not
   */
  DecisionRun(Scenario scenario, Kind kind, boolean decides, int[] decided) {
    this.kind = kind;
    this.decides = decides;
    this.decided = decided;
    RandomStreams streams = new RandomStreams(scenario.seed());
    cluster =
        new VirtualCluster(scenario.cluster(), ScenarioTiers.table(scenario), transfers.network());
    paths = new Paths(cluster);
    placer =
        new BlockPlacer(
            cluster,
            namespace,
            PlacementPolicies.parse(scenario.policies().placement(), cluster.view().tiers()),
            streams.stream("placement", 0),
            false);
    reads = new ReplicaReads(cluster, namespace, streams.stream("access", 0));
    session = AccessSession.of(AccessStrategies.parse(scenario.policies().access()));
    file = namespace.create("", 1, BLOCKS * BLOCK_BYTES);
    owner = transfers.addOwner((flow, block) -> ended((int) block));
    begins = engine.register(block -> begin((int) block));
    drawClients(streams.stream("clients", 0));
  }

  private void drawClients(RandomGenerator random) {
    for (int block = 0; block < BLOCKS; block++) {
      clients[block] = random.nextInt(cluster.nodeCount());
      if (kind == Kind.READ) {
        placer.place(file, block, random.nextInt(cluster.nodeCount()));
      }
    }
  }

  /** Processor seconds from the first transfer to the end of the last one. */
  double run() {
    engine.at(0, begins, 0);
    long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    engine.runUntil(Ticks.NEVER);
    long nanos = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before;
    if (transfers.network().finishedFlows() != BLOCKS) {
      throw new IllegalStateException("not all transfers ended");
    }
    return nanos / 1e9;
  }

  long eventCount() {
    return engine.eventCount();
  }

  private void begin(int block) {
    if (block + 1 < BLOCKS) {
      engine.at(Ticks.ofSeconds((block + 1) / TRANSFERS_PER_SECOND), begins, block + 1);
    }
    path.clear();
    if (kind == Kind.WRITE) {
      write(block);
    } else {
      read(block);
    }
    transfers.start(owner, path, BLOCK_BYTES, Double.POSITIVE_INFINITY, block);
  }

  private void write(int block) {
    if (decides) {
      placer.place(file, block, clients[block]);
      for (int i = 0; i < REPLICAS; i++) {
        decided[block * REPLICAS + i] = namespace.replica(block, i);
      }
    }
    int from = clients[block];
    for (int i = 0; i < REPLICAS; i++) {
      int volume = decided[block * REPLICAS + i];
      if (volume != ClusterView.NONE) {
        int to = cluster.volume(volume).node();
        paths.connect(path, from, to, 1);
        paths.memory(path, to, 1);
        from = to;
      }
    }
  }

  private void read(int block) {
    ReaderMemory memory = new ReaderMemory(session.strategy());
    readers[block] = memory;
    if (decides) {
      AccessPick pick = session.pick(file.fileIdOf(block));
      decided[block] = reads.choose(file, block, clients[block], block, pick, memory);
    }
    int volume = decided[block];
    reads.began(volume, memory);
    paths.readDevice(path, volume, BLOCK_BYTES, 1);
    paths.connect(path, cluster.volume(volume).node(), clients[block], 1);
  }

  private void ended(int block) {
    if (kind == Kind.READ) {
      reads.ended(decided[block], readers[block]);
      reads.gone(readers[block]);
      readers[block] = null;
    }
  }
}
