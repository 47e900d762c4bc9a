package io.tierwise.simulator.storage;

import io.tierwise.core.action.Action;
import io.tierwise.core.action.Copy;
import io.tierwise.core.action.Cost;
import io.tierwise.core.action.Drop;
import io.tierwise.core.action.Place;
import io.tierwise.core.action.Place.Choice;
import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.ArrayClusterView;
import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.FileView;
import io.tierwise.policies.placement.PlacementPolicy;
import io.tierwise.policies.placement.PlacementPromises;
import io.tierwise.policies.placement.PlacementRequest;
import io.tierwise.policies.placement.PlacementRequest.Avoid;
import io.tierwise.policies.placement.PlacementRequest.NodeSet;
import io.tierwise.policies.placement.PlacementRequest.Pledge;
import io.tierwise.simulator.cluster.VirtualCluster;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * Asks the placement policy where replicas go and which of too many goes, and keeps the books on
 * the room that they take.
 *
 * <p>The policy is told what a NameNode would tell it: the index of a new block in its file, and
 * not that of a block which is copied or has too many replicas.
 */
public final class BlockPlacer {
  private static final int NONE = ClusterView.NONE;

  private final VirtualCluster cluster;
  private final ArrayClusterView view;
  private final Namespace namespace;
  private final FilePolicies policies;
  private final RandomGenerator random;
  private final Eviction eviction;
  private final long[] reservedBytes;
  private long placedBytes;
  private long droppedBytes;
  private Consumer<Action> listener;

  public BlockPlacer(
      VirtualCluster cluster,
      Namespace namespace,
      PlacementPolicy usual,
      RandomGenerator random,
      boolean evictWhenFull) {
    this.cluster = cluster;
    this.view = cluster.view();
    this.namespace = namespace;
    this.policies = new FilePolicies(usual);
    this.random = random;
    this.eviction = new Eviction(cluster, namespace, evictWhenFull);
    this.reservedBytes = new long[cluster.volumeCount()];
  }

  /** Tells somebody of every decision. */
  public void tell(Consumer<Action> hearing) {
    listener = hearing;
  }

  private void tell(Action made) {
    if (listener != null) {
      listener.accept(made);
    }
  }

  /**
   * Places the replicas that a block lacks.
   *
   * @param index of the block in the file
   * @param writerNode or {@link ClusterView#NONE}
   * @return how many were placed; their volumes are in the namespace. 0: the cluster has no room
   */
  public int place(StoredFile file, int index, int writerNode) {
    return store(file, index, decide(file, index, writerNode, Integer.MAX_VALUE));
  }

  /**
   * Places those replicas of a new block that its write waits for, by its policy.
   *
   * @return whether others are to be copied after the write
   */
  public boolean placeAtOnce(StoredFile file, int index, int writerNode) {
    Place decision = decide(file, index, writerNode, 1);
    store(file, index, decision);
    return decision.async() > 0;
  }

  private Place decide(StoredFile file, int index, int writerNode, int atOnceMin) {
    int block = file.block(index);
    int[] existing = viewVolumes(namespace.replicas(block));
    int wanted = file.replication() - existing.length;
    PlacementRequest request =
        new PlacementRequest(
            policies.view(file, index, existing.length),
            file.blockBytes(index),
            wanted,
            writerNode,
            writerNode == NONE ? NONE : cluster.rackOf(writerNode),
            existing,
            NodeSet.EMPTY,
            Avoid.NOTHING,
            writerNode,
            new int[0],
            List.of(),
            PlacementRequest.Allowance.UNLIMITED,
            atOnceMin);
    Place decision = ask(file, request);
    while (decision.choices().size() + decision.async() < wanted && makeRoom(request, decision)) {
      decision = ask(file, request);
    }
    tell(decision);
    return decision;
  }

  /** A policy that breaks a promise ends the run: no cluster would do what it says. */
  private Place ask(StoredFile file, PlacementRequest request) {
    PlacementPolicy decides = policies.of(file);
    Place decision = decides.place(request, view, random);
    PlacementPromises.require(decides, decision, request, view);
    boolean fits = true;
    for (Choice choice : decision.choices()) {
      fits &= view.freeBytes(choice.volume()) >= request.blockBytes();
    }
    PlacementPromises.require(fits, decision.policy(), "chose a volume without room for the block");
    return decision;
  }

  /**
   * Places the copies that a block lacks. As on a NameNode, the policy sees only whole replicas,
   * copies that are on their way are pledges, and the node of the source stands where a writer
   * would. Stored files never make room for copies.
   *
   * @param source the volume that is copied from
   * @return how many were placed
   */
  public int placeCopies(StoredFile file, int index, int source) {
    int block = file.block(index);
    long bytes = file.blockBytes(index);
    int node = cluster.nodeOfVolume(source);
    BitSet coming = new BitSet();
    for (int i = 0; i < namespace.slotCount(); i++) {
      if (namespace.isCopying(block, i)) {
        coming.set(cluster.nodeOfVolume(namespace.replica(block, i)));
      }
    }
    PlacementRequest request =
        new PlacementRequest(
            FileView.ofCopy(file.fileIdOf(index), file.replication(), "", bytes),
            bytes,
            file.replication() - namespace.replicaCount(block),
            node,
            cluster.rackOf(node),
            viewVolumes(namespace.wholeReplicas(block)),
            coming::get,
            Avoid.NOTHING,
            node,
            new int[0],
            pledges(coming),
            PlacementRequest.Allowance.UNLIMITED);
    Place decision = ask(file, request);
    if (listener != null) {
      int from = cluster.volume(source).viewVolume();
      decision.choices().forEach(choice -> tell(copy(decision.policy(), from, choice, bytes)));
    }
    return store(file, index, decision);
  }

  private Copy copy(String decider, int from, Choice choice, long bytes) {
    boolean inside = view.nodeOfVolume(from) == view.nodeOfVolume(choice.volume());
    Cost cost = Cost.ofBytes(bytes, inside ? 0 : bytes, bytes);
    return new Copy(decider, choice.given().text(), from, choice.volume(), cost);
  }

  /** A NameNode tells the node of a copy that is on its way, not the volume. */
  private List<Pledge> pledges(BitSet nodes) {
    List<Pledge> pledges = new ArrayList<>();
    nodes.stream()
        .mapToObj(
            node ->
                IntStream.range(cluster.firstVolume(node), cluster.firstVolume(node + 1))
                    .map(volume -> cluster.volume(volume).viewVolume())
                    .filter(volume -> volume != NONE)
                    .toArray())
        .forEach(volumes -> pledges.add(new Pledge(volumes, true)));
    pledges.sort(Comparator.comparingInt(pledge -> pledge.volumes()[0]));
    return pledges;
  }

  /** In the view, the volumes of a block's replicas. */
  private int[] viewVolumes(int[] volumes) {
    int[] inView = new int[volumes.length];
    for (int i = 0; i < volumes.length; i++) {
      inView[i] = cluster.volume(volumes[i]).viewVolume();
    }
    return inView;
  }

  private int store(StoredFile file, int index, Place decision) {
    for (Choice choice : decision.choices()) {
      put(file.block(index), cluster.volumeOfView(choice.volume()), file.blockBytes(index));
    }
    return decision.choices().size();
  }

  /** Whether the volume has room for so much. */
  boolean fits(int volume, long bytes) {
    return view.freeBytes(cluster.volume(volume).viewVolume()) >= bytes;
  }

  /** Notes a replica and takes its room. */
  void put(int block, int volume, long bytes) {
    int slot = 0;
    while (namespace.replica(block, slot) != NONE) {
      slot++;
    }
    int viewVolume = cluster.volume(volume).viewVolume();
    view.setFreeBytes(viewVolume, view.freeBytes(viewVolume) - bytes);
    namespace.setReplica(block, slot, volume);
    placedBytes += bytes;
  }

  /**
   * The replica that goes when a block has one too many, by the policy's choice. As on a NameNode,
   * the replica on the fullest volume comes last, since of equals the last one goes.
   *
   * @param volumes those of all its replicas, of which none is being copied
   * @return one of them
   */
  public int chooseExcess(StoredFile file, int index, List<Integer> volumes) {
    List<Integer> sorted = new ArrayList<>(volumes);
    sorted.sort(fullestLast());
    int[] inView = sorted.stream().mapToInt(v -> cluster.volume(v).viewVolume()).toArray();
    FileView fileView = new FileView(file.fileIdOf(index), 0);
    int goes = chooseExcess(policies.of(file), inView, fileView, inView.length - 1)[0];
    if (listener != null) {
      long bytes = file.blockBytes(index);
      tell(Drop.of(policies.of(file).name(), PlacementPolicy.DROP_RULE, inView[goes], bytes));
    }
    return sorted.get(goes);
  }

  private int[] chooseExcess(PlacementPolicy decides, int[] volumes, FileView file, int wanted) {
    int[] chosen = decides.chooseExcess(volumes, file, wanted, view);
    PlacementPromises.requireExcess(decides, chosen, volumes.length, wanted);
    return chosen;
  }

  /**
   * A file keeps so few replicas: the others of each block go at this moment, by the policy's
   * choice. One that is being copied stays, as HDFS first waits for it.
   *
   * @return bytes that became free on volumes of each tier
   */
  public long[] keepReplicas(StoredFile file, int replicas) {
    file.keep(replicas);
    long[] freed = new long[view.tiers().count()];
    for (int index = 0; index < file.blockCount(); index++) {
      int block = file.block(index);
      for (int volume : excess(file, index, replicas)) {
        long bytes = file.blockBytes(index);
        int viewVolume = cluster.volume(volume).viewVolume();
        tell(Drop.of(policies.of(file).name(), PlacementPolicy.DROP_RULE, viewVolume, bytes));
        int tier = view.tierOfVolume(viewVolume);
        if (tier != TierTable.NONE) {
          freed[tier] += bytes;
        }
        drop(block, replicaOn(block, volume), bytes);
      }
    }
    return freed;
  }

  private int replicaOn(int block, int volume) {
    int i = 0;
    while (namespace.replica(block, i) != volume) {
      i++;
    }
    return i;
  }

  /** The volumes of a block's whole replicas that would go if its file kept so many. */
  public int[] excess(StoredFile file, int index, int replicas) {
    int[] volumes =
        Arrays.stream(namespace.wholeReplicas(file.block(index)))
            .boxed()
            .sorted(fullestLast())
            .mapToInt(volume -> volume)
            .toArray();
    int[] inView = viewVolumes(volumes);
    FileView asked = new FileView(file.fileIdOf(index), 0);
    int kept = Math.min(replicas, inView.length);
    return Arrays.stream(chooseExcess(policies.of(file), inView, asked, kept))
        .map(goes -> volumes[goes])
        .toArray();
  }

  private Comparator<Integer> fullestLast() {
    return Comparator.comparingLong(volume -> -view.freeBytes(cluster.volume(volume).viewVolume()));
  }

  /** The policies that files are under. */
  public FilePolicies policies() {
    return policies;
  }

  /** Takes room for a copy that will stand for another replica; false when there is none. */
  public boolean reserve(int volume, long bytes) {
    int viewVolume = cluster.volume(volume).viewVolume();
    if (!view.takes(viewVolume, bytes)) {
      return false;
    }
    view.setFreeBytes(viewVolume, view.freeBytes(viewVolume) - bytes);
    reservedBytes[volume] += bytes;
    return true;
  }

  /** Gives back room that was reserved. */
  public void unreserve(int volume, long bytes) {
    int viewVolume = cluster.volume(volume).viewVolume();
    view.setFreeBytes(viewVolume, view.freeBytes(viewVolume) + bytes);
    reservedBytes[volume] -= bytes;
  }

  /** Bytes of a volume that are reserved. */
  public long reservedBytes(int volume) {
    return reservedBytes[volume];
  }

  /**
   * A copy stands for the replica on {@code from} from now on, which goes at this moment; its room
   * was reserved.
   */
  public void replace(int block, int from, int to, long bytes) {
    unreserve(to, bytes);
    for (int i = 0; i < namespace.slotCount(); i++) {
      if (namespace.replica(block, i) == from) {
        drop(block, i, bytes);
        put(block, to, bytes);
        return;
      }
    }
  }

  private boolean makeRoom(PlacementRequest request, Place decision) {
    StoredFile file = eviction.choose(request, decision);
    if (file == null) {
      return false;
    }
    delete(file);
    return true;
  }

  /** Deletes a file: its room is free at once. */
  public void delete(StoredFile file) {
    for (int index = 0; index < file.blockCount(); index++) {
      int block = file.block(index);
      for (int i = 0; i < namespace.slotCount(); i++) {
        drop(block, i, file.blockBytes(index));
      }
    }
    namespace.remove(file);
  }

  /** Drops one replica and gives back its room; does nothing when there is none. */
  public void drop(int block, int i, long bytes) {
    int volume = namespace.replica(block, i);
    if (volume == NONE) {
      return;
    }
    int viewVolume = cluster.volume(volume).viewVolume();
    view.setFreeBytes(viewVolume, view.freeBytes(viewVolume) + bytes);
    namespace.setReplica(block, i, NONE);
    droppedBytes += bytes;
  }

  /** Bytes of all replicas that were ever placed, those of copies included. */
  public long placedBytes() {
    return placedBytes;
  }

  /** Bytes of all replicas that were deleted, lost or given up. */
  public long droppedBytes() {
    return droppedBytes;
  }

  public long evictedBytes() {
    return eviction.evictedBytes();
  }
}
