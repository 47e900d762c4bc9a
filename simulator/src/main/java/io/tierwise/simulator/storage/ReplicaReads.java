package io.tierwise.simulator.storage;

import io.tierwise.core.action.Action;
import io.tierwise.core.action.Order;
import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.LoadView;
import io.tierwise.core.view.ReadView;
import io.tierwise.policies.access.AccessPick;
import io.tierwise.policies.access.AccessReason;
import io.tierwise.policies.access.AccessRequest;
import io.tierwise.policies.access.Admission;
import io.tierwise.policies.access.AnswerCounts;
import io.tierwise.policies.access.ReadReport;
import io.tierwise.simulator.cluster.VirtualCluster;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * Asks the access strategy which replica serves a read, and is the serving node that refuses it.
 *
 * <p>As in HDFS, the replicas come nearest first, those at one distance in random order; a refused
 * reader asks the next one; the last replica never refuses.
 */
public final class ReplicaReads {
  private static final int NONE = ClusterView.NONE;

  private final VirtualCluster cluster;
  private final Namespace namespace;
  private final RandomGenerator random;
  private final Replicas view;
  private final int[] order;
  private final LongSupplier nowMillis;
  private final int[] readsOfNode;
  private final Heartbeats heartbeats;
  private final int[] readersOfVolume;
  private final boolean[] down;
  private int refusals;
  private Consumer<Action> listener;

  /** Reads in a cluster in which no time passes. */
  public ReplicaReads(VirtualCluster cluster, Namespace namespace, RandomGenerator random) {
    this(cluster, namespace, random, () -> 0);
  }

  /**
   * Reads in a cluster.
   *
   * @param nowMillis the time, which strategies that remember go by
   */
  public ReplicaReads(
      VirtualCluster cluster, Namespace namespace, RandomGenerator random, LongSupplier nowMillis) {
    this.cluster = cluster;
    this.namespace = namespace;
    this.random = random;
    this.nowMillis = nowMillis;
    this.view = new Replicas(namespace.slotCount());
    this.order = new int[namespace.slotCount()];
    this.readsOfNode = new int[cluster.nodeCount()];
    this.heartbeats = new Heartbeats(readsOfNode);
    this.readersOfVolume = new int[cluster.volumeCount()];
    this.down = new boolean[cluster.nodeCount()];
  }

  /**
   * Chooses the volume to read a block from.
   *
   * @param memory what this reader knows: nodes that refused it are asked last
   * @return the volume, or {@link ClusterView#NONE} when no replica is left
   */
  public int choose(
      StoredFile file,
      int index,
      int readerNode,
      long taskIndex,
      AccessPick pick,
      ReaderMemory memory) {
    refusals = 0;
    int block = file.block(index);
    hear(readerNode, pick, memory);
    view.fill(block, readerNode);
    if (view.count == 0) {
      return NONE;
    }
    AccessRequest request =
        new AccessRequest(
            file.fileIdOf(index), file.indexInPart(index), file.blockBytes(index), taskIndex);
    AccessReason reason = pick.order(request, view, random, order);
    if (listener != null) {
      listener.accept(new Order(pick.strategy().name(), reason.text(), view.names(order)));
    }
    pick.strategy().answered(request, view, order[0], 1, new AnswerCounts());
    memory.avoid(view, order);
    AvoidedNodes refusing = memory.refusing();
    moveBack(refusing);
    Admission admission = pick.strategy().admission();
    int last = view.count - 1;
    for (int i = 0; i < last; i++) {
      int volume = view.volumes[order[i]];
      if (admits(admission, volume)) {
        memory.chose(view, order[i], volume);
        return volume;
      }
      refusals++;
      refusing.refused(cluster.nodeOfVolume(volume), pick.strategy().afterRefusal());
    }
    int volume = view.volumes[order[last]];
    memory.chose(view, order[last], volume);
    return volume;
  }

  /** The question tells what the reader got since the one before. */
  private void hear(int readerNode, AccessPick pick, ReaderMemory memory) {
    for (ReadReport read : memory.takeReports(nowMillis.getAsLong())) {
      view.show((int) read.device(), readerNode);
      pick.strategy().reported(view, 0, read, readerNode);
    }
  }

  /**
   * Whether a reader should leave the replica it reads a block from, by what has come of it.
   *
   * @param seconds since the replica was chosen
   * @param bytesLeft of what it reads of the block
   */
  public boolean leaves(
      StoredFile file,
      int index,
      int readerNode,
      ReaderMemory memory,
      double bytes,
      double seconds,
      double bytesLeft) {
    view.fill(file.block(index), readerNode);
    return memory.leaves(view, bytes, seconds, bytesLeft);
  }

  /** Puts the replicas on avoided nodes last, in their order. */
  private void moveBack(AvoidedNodes avoided) {
    if (avoided.isEmpty()) {
      return;
    }
    int kept = 0;
    int[] late = new int[view.count];
    int lateCount = 0;
    for (int i = 0; i < view.count; i++) {
      if (avoided.contains(cluster.nodeOfVolume(view.volumes[order[i]]))) {
        late[lateCount++] = order[i];
      } else {
        order[kept++] = order[i];
      }
    }
    System.arraycopy(late, 0, order, kept, lateCount);
  }

  private boolean admits(Admission admission, int volume) {
    int tier = tierOf(volume);
    TierTable tiers = cluster.view().tiers();
    switch (admission.limit()) {
      case NODE_CONNECTIONS:
        return readsOfNode[cluster.nodeOfVolume(volume)] < threshold(admission, tiers, tier);
      case STORAGE_READERS:
        boolean fallbackOfAll = tiers.count() > 1 && tier == tiers.count() - 1;
        return (admission.threshold() == Admission.MEASURED && fallbackOfAll)
            || readersOfVolume[volume] < threshold(admission, tiers, tier);
      case NONE:
      default:
        return true;
    }
  }

  private static int threshold(Admission admission, TierTable tiers, int tier) {
    return tier == TierTable.NONE ? Integer.MAX_VALUE : admission.thresholdOf(tiers.tier(tier));
  }

  private int tierOf(int volume) {
    return cluster.view().tierOfVolume(cluster.volume(volume).viewVolume());
  }

  /** Those that read from the volume now. */
  public int readers(int volume) {
    return readersOfVolume[volume];
  }

  /** The readers that nodes told of in their last heartbeats. */
  public LoadView load() {
    return new LoadView() {
      @Override
      public int transfers(int node) {
        return heartbeats.reported(node, nowMillis.getAsLong());
      }

      /** Less than the time between two heartbeats. */
      @Override
      public long ageMillis(int node) {
        return 0;
      }
    };
  }

  /** Tells somebody of every order. */
  public void tell(Consumer<Action> hearing) {
    listener = hearing;
  }

  /** The number of nodes that refused in the last {@link #choose}. */
  public int refusals() {
    return refusals;
  }

  /** A read from a volume begins. */
  public void began(int volume, ReaderMemory memory) {
    readersOfVolume[volume]++;
    int node = cluster.nodeOfVolume(volume);
    memory.reuses(node, heartbeats, nowMillis.getAsLong());
    change(node, 1);
  }

  /** A reader has all that it wanted from a volume, and keeps the connection. */
  public void ended(int volume, ReaderMemory memory) {
    broken(volume);
    memory.keeps(cluster.nodeOfVolume(volume), heartbeats, nowMillis.getAsLong());
  }

  /** A read from a volume ends in the middle. */
  public void broken(int volume) {
    readersOfVolume[volume]--;
    change(cluster.nodeOfVolume(volume), -1);
  }

  /** A reader's process ends. */
  public void gone(ReaderMemory memory) {
    memory.closes(heartbeats, nowMillis.getAsLong());
  }

  private void change(int node, int reads) {
    heartbeats.catchUp(node, nowMillis.getAsLong());
    readsOfNode[node] += reads;
  }

  /** The node serves no reads until it is up again. */
  public void setDown(int node, boolean isDown) {
    down[node] = isDown;
  }

  /** The replicas of one block, nearest first. */
  private final class Replicas implements ReadView {
    private final int[] volumes;
    private final int[] distances;
    private final ReadPaths paths;
    private int reader;
    private int count;

    Replicas(int replication) {
      volumes = new int[replication];
      distances = new int[replication];
      paths = new ReadPaths(cluster, replication);
    }

    void fill(int block, int readerNode) {
      count = 0;
      reader = readerNode;
      paths.clear();
      for (int i = 0; i < namespace.slotCount(); i++) {
        int volume = namespace.wholeReplica(block, i);
        if (volume != NONE && !down[cluster.nodeOfVolume(volume)]) {
          insert(volume, cluster.distance(readerNode, cluster.nodeOfVolume(volume)));
        }
      }
      shuffleTies();
    }

    /** A volume alone, whatever it stores. */
    void show(int volume, int readerNode) {
      reader = readerNode;
      paths.clear();
      count = 0;
      insert(volume, cluster.distance(readerNode, cluster.nodeOfVolume(volume)));
    }

    List<String> names(int[] order) {
      return Arrays.stream(order, 0, count)
          .map(replica -> cluster.volume(volumes[replica]).viewVolume())
          .mapToObj(cluster.view()::volumeText)
          .toList();
    }

    private void insert(int volume, int distance) {
      int at = count++;
      while (at > 0 && distances[at - 1] > distance) {
        volumes[at] = volumes[at - 1];
        distances[at] = distances[at - 1];
        at--;
      }
      volumes[at] = volume;
      distances[at] = distance;
    }

    private void shuffleTies() {
      for (int end = count - 1; end > 0; end--) {
        int start = end;
        while (start > 0 && distances[start - 1] == distances[end]) {
          start--;
        }
        if (start < end) {
          int other = start + random.nextInt(end - start + 1);
          int swapped = volumes[other];
          volumes[other] = volumes[end];
          volumes[end] = swapped;
        }
      }
    }

    @Override
    public TierTable tiers() {
      return cluster.view().tiers();
    }

    @Override
    public int replicaCount() {
      return count;
    }

    @Override
    public int tier(int replica) {
      return tierOf(volumes[replica]);
    }

    @Override
    public int distance(int replica) {
      return distances[replica];
    }

    @Override
    public int activeTransfers(int replica) {
      return readsOfNode[nodeKey(replica)];
    }

    @Override
    public int nodeKey(int replica) {
      return cluster.nodeOfVolume(volumes[replica]);
    }

    @Override
    public long capacityBytes(int replica) {
      return cluster.volume(volumes[replica]).capacityBytes();
    }

    @Override
    public int reportedTransfers(int replica) {
      return heartbeats.reported(nodeKey(replica), nowMillis());
    }

    @Override
    public int pathLength(int replica) {
      return paths.of(replica, volumes[replica], reader).length();
    }

    @Override
    public long pathKey(int replica, int step) {
      return paths.of(replica, volumes[replica], reader).resource(step);
    }

    @Override
    public double pathBytesPerSecond(int replica, int step) {
      return step == 0
          ? cluster.volume(volumes[replica]).device().readBytesPerSecond()
          : cluster.linkBytesPerSecond((int) pathKey(replica, step));
    }

    @Override
    public long nowMillis() {
      return nowMillis.getAsLong();
    }
  }
}
