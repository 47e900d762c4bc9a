package io.tierwise.simulator.storage;

import io.tierwise.core.view.ClusterView;
import io.tierwise.simulator.cluster.Paths;
import io.tierwise.simulator.cluster.Transfers;
import io.tierwise.simulator.cluster.VirtualCluster;
import io.tierwise.simulator.cluster.WriteBuffers;
import io.tierwise.simulator.measure.Meters;
import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.storage.ReplicaCopies.Copy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * Brings lost replicas back, a few at a time, to where the placement policy wants them.
 *
 * <p>As in HDFS: only whole replicas are copied; a copy whose source or target fails is begun anew;
 * a block that is being written is left to its writer until it is done; a node that comes back
 * after it was given up brings its replicas, and where a block then has one too many the placement
 * policy chooses the one that goes. Own: at most two copies a node run at a time in the cluster as
 * a whole (HDFS limits each source to two); a block that cannot be copied, because all nodes that
 * have it are down or no node can take it, waits until a node or a device is back.
 */
public final class Repair {
  private static final int COPIES_PER_NODE = 2;
  private static final int NONE = ClusterView.NONE;

  private final VirtualCluster cluster;
  private final WriteBuffers buffers;
  private final Namespace namespace;
  private final BlockPlacer placer;
  private final RandomGenerator random;
  private final Deque<Integer> waiting = new ArrayDeque<>();

  /** Blocks that no node that is up has, or that no other volume can take. */
  private final Set<Integer> stranded = new LinkedHashSet<>();

  private final boolean[] down;
  private final ReplicasAway away = new ReplicasAway();
  private final ReplicaCopies<Slot> copies;
  private IntConsumer listener = block -> {};
  private long failures;
  private long lostBlocks;
  private long repairedBytes;

  /** The replica of a block that a copy becomes. */
  private record Slot(int block, int number) {}

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
    this.buffers = buffers;
    this.namespace = namespace;
    this.placer = placer;
    this.random = random;
    this.copies = new ReplicaCopies<>(cluster, transfers, paths, buffers, meters, this::copied);
    this.down = new boolean[cluster.nodeCount()];
  }

  /** Tells somebody of each block of which a copy is whole. */
  public void tellCopied(IntConsumer hearing) {
    listener = hearing;
  }

  /** Something broke. */
  public void failed() {
    failures++;
  }

  /** The node serves no copies any more; its replicas still count. */
  public void nodeDown(int node) {
    down[node] = true;
    abandon(copy -> nodeOf(copy.source()) == node || nodeOf(copy.target()) == node);
    copySome();
  }

  /** The node was down for so long that its replicas do not count any more. */
  public void nodeDead(int node) {
    for (int v = cluster.firstVolume(node); v < cluster.firstVolume(node + 1); v++) {
      forget(v, true);
    }
    copySome();
  }

  /** The node is back, with the replicas that it had. */
  public void nodeUp(int node) {
    down[node] = false;
    away.blocksOn(volume -> nodeOf(volume) == node).forEach(this::takeBack);
    roomMayBe();
  }

  /**
   * Lets replicas of the block count again whose node is back. Deviation: while a copy of the block
   * is on its way such a replica serves no read, which in HDFS it does.
   */
  private void takeBack(int block) {
    StoredFile file = namespace.fileOf(block);
    for (int volume : file == null ? List.<Integer>of() : away.volumesOf(block)) {
      boolean missing = file.replication() > namespace.replicaCount(block);
      if (!down[nodeOf(volume)] && (missing || !isBeingCopied(block))) {
        away.forget(block, volume);
        long bytes = file.blockBytes(file.indexOf(block));
        // Its room may have been taken while it waited for the end of a copy.
        if (placer.fits(volume, bytes)) {
          lostBlocks -= namespace.hasWholeReplica(block) ? 0 : 1;
          if (missing || dropExcess(file, block, volume)) {
            placer.put(block, volume, bytes);
          }
        }
      }
    }
  }

  /** Drops a replica of the block for one that is back; false when that one has to go. */
  private boolean dropExcess(StoredFile file, int block, int back) {
    List<Integer> volumes = new ArrayList<>();
    int silent = NONE;
    for (int i = 0; i < namespace.slotCount(); i++) {
      int volume = namespace.replica(block, i);
      if (volume != NONE) {
        volumes.add(volume);
        silent = down[nodeOf(volume)] ? volume : silent;
      }
    }
    volumes.add(back);
    int index = file.indexOf(block);
    // As in HDFS, a node that does not answer loses its replica first, whatever the policy.
    int goes = silent != NONE ? silent : placer.chooseExcess(file, index, volumes);
    for (int i = 0; i < namespace.slotCount(); i++) {
      if (namespace.replica(block, i) == goes) {
        placer.drop(block, i, file.blockBytes(index));
      }
    }
    return goes != back;
  }

  private boolean isBeingCopied(int block) {
    return IntStream.range(0, namespace.slotCount()).anyMatch(i -> namespace.isCopying(block, i));
  }

  /** There may be room now for what waits for it: as when a volume is back, empty. */
  public void roomMayBe() {
    waiting.addAll(stranded);
    stranded.clear();
    copySome();
  }

  /** Some blocks were written with fewer replicas than their file should have. */
  public void writtenShort(StoredFile file, int firstIndex, int count) {
    for (int index = firstIndex; index < firstIndex + count; index++) {
      if (namespace.replicaCount(file.block(index)) < file.replication()) {
        waiting.add(file.block(index));
      }
    }
    copySome();
  }

  /** Blocks will be written anew: drops all that there is of them. */
  public void discard(StoredFile file, int firstIndex, int count) {
    int first = file.block(firstIndex);
    abandon(copy -> copy.what().block() >= first && copy.what().block() < first + count);
    waiting.removeIf(block -> block >= first && block < first + count);
    stranded.removeIf(block -> block >= first && block < first + count);
    away.forgetBlocks(first, count);
    for (int index = firstIndex; index < firstIndex + count; index++) {
      for (int i = 0; i < namespace.slotCount(); i++) {
        placer.drop(file.block(index), i, file.blockBytes(index));
      }
    }
  }

  /** Names the volumes that copies read from and write to. */
  public void forEachVolumeInUse(IntConsumer volume) {
    copies.forEachVolumeInUse(volume);
  }

  private int nodeOf(int volume) {
    return cluster.nodeOfVolume(volume);
  }

  /** Ends copies; their blocks wait for others. */
  private void abandon(Predicate<Copy<Slot>> which) {
    copies.abandon(which, this::ended);
  }

  private void ended(Copy<Slot> copy) {
    int block = copy.what().block();
    int number = copy.what().number();
    if (namespace.fileOf(block) != null && namespace.replica(block, number) == copy.target()) {
      placer.drop(block, number, copy.bytes());
      noteLoss(block);
    }
  }

  /** The volume is empty for good. */
  public void volumeLost(int volume) {
    away.forgetVolume(volume);
    forget(volume, false);
    copySome();
  }

  private void forget(int volume, boolean mayComeBack) {
    abandon(copy -> copy.source() == volume || copy.target() == volume);
    buffers.fail(volume);
    for (int block = 0; block < namespace.blockCount(); block++) {
      StoredFile file = namespace.fileOf(block);
      if (file == null) {
        continue;
      }
      for (int i = 0; i < namespace.slotCount(); i++) {
        if (namespace.replica(block, i) == volume) {
          if (mayComeBack) {
            away.add(block, volume);
          }
          placer.drop(block, i, file.blockBytes(file.indexOf(block)));
          noteLoss(block);
        }
      }
    }
  }

  private void noteLoss(int block) {
    if (!namespace.hasWholeReplica(block)) {
      lostBlocks++;
    } else {
      waiting.add(block);
    }
  }

  private void copySome() {
    while (!waiting.isEmpty() && copies.count() < COPIES_PER_NODE * cluster.nodeCount()) {
      copy(waiting.remove());
    }
  }

  private void copy(int block) {
    takeBack(block);
    StoredFile file = namespace.fileOf(block);
    int missing = file == null ? 0 : file.replication() - namespace.replicaCount(block);
    if (missing <= 0 || !namespace.hasWholeReplica(block)) {
      return;
    }
    int source = sourceOf(block);
    if (source == NONE) {
      stranded.add(block);
      return;
    }
    boolean[] had = new boolean[namespace.slotCount()];
    for (int i = 0; i < had.length; i++) {
      had[i] = namespace.replica(block, i) != NONE;
    }
    int index = file.indexOf(block);
    if (placer.placeCopies(file, index, source) < missing) {
      stranded.add(block);
    }
    for (int i = 0; i < had.length; i++) {
      int target = namespace.replica(block, i);
      if (!had[i] && target != NONE) {
        namespace.beginCopy(block, i);
        copies.start(
            new Copy<>(
                new Slot(block, i),
                source,
                target,
                file.blockBytes(index),
                Double.POSITIVE_INFINITY));
      }
    }
  }

  /** One of the whole replicas on nodes that are up, or none. */
  private int sourceOf(int block) {
    int[] sources = new int[namespace.slotCount()];
    int count = 0;
    for (int i = 0; i < sources.length; i++) {
      int volume = namespace.wholeReplica(block, i);
      if (volume != NONE && !down[nodeOf(volume)]) {
        sources[count++] = volume;
      }
    }
    return count == 0 ? NONE : sources[random.nextInt(count)];
  }

  private void copied(Copy<Slot> copy) {
    namespace.endCopy(copy.what().block(), copy.what().number());
    repairedBytes += copy.bytes();
    takeBack(copy.what().block());
    listener.accept(copy.what().block());
    copySome();
  }

  public RunResult.Faults faults() {
    return new RunResult.Faults(failures, lostBlocks, repairedBytes);
  }
}
