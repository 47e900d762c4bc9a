package io.tierwise.hadoop.hdfs.namenode;

import io.tierwise.core.action.Place;
import io.tierwise.core.view.ClusterView;
import io.tierwise.hadoop.hdfs.ClassTimes;
import io.tierwise.policies.placement.PlacementRequest;
import io.tierwise.policies.placement.PlacementRequest.Avoid;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts that placement policies of one NameNode share: the view of its cluster, the policies of
 * its paths, counters.
 *
 * <p>The NameNode makes policy instances when and as often as it likes and hands them nothing of
 * ours. They find their host by the network topology, the one object that both know; several
 * NameNodes may live in one JVM.
 */
final class PlacementHost implements AutoCloseable {
  /** One line for each decision, at TRACE. */
  private static final Logger DECISIONS = LoggerFactory.getLogger("tierwise.decisions.placement");

  private static final Map<NetworkTopology, PlacementHost> HOSTS =
      Collections.synchronizedMap(new IdentityHashMap<>());

  private final NetworkTopology topology;
  private final ViewKeeper views;
  private final WriteAdmission admission;
  private final PathPolicies paths;
  private final PlacementCounters counters;
  private final DeletionContext deletions;
  private final boolean guardsTiersBlindly;
  private volatile Supplier<? extends RandomGenerator> randoms = ThreadLocalRandom::current;
  private volatile DecisionListener listener;
  private volatile LongConsumer filesElsewhere = fileId -> {};
  private volatile LongConsumer filesAsync = fileId -> {};
  private volatile boolean open;

  /**
   * @param deletions null when the NameNode cannot tell whose block is thinned out
   * @param guardsTiersBlindly whether then no tier loses its last replica while another has two
   */
  PlacementHost(
      NetworkTopology topology,
      ViewKeeper views,
      WriteAdmission admission,
      PathPolicies paths,
      PlacementCounters counters,
      DeletionContext deletions,
      boolean guardsTiersBlindly) {
    this.topology = topology;
    this.views = views;
    this.admission = admission;
    this.paths = paths;
    this.counters = counters;
    this.deletions = deletions;
    this.guardsTiersBlindly = guardsTiersBlindly;
  }

  /** The host of the NameNode with that topology, or null: no plug-in, or another process. */
  static PlacementHost of(NetworkTopology topology) {
    return HOSTS.get(topology);
  }

  /** From now on policy instances find this host. */
  void open() {
    open = true;
    HOSTS.put(topology, this);
    views.start();
  }

  @Override
  public void close() {
    open = false;
    HOSTS.remove(topology, this);
    views.close();
  }

  boolean isOpen() {
    return open;
  }

  ViewKeeper views() {
    return views;
  }

  WriteAdmission admission() {
    return admission;
  }

  PathPolicies paths() {
    return paths;
  }

  PlacementCounters counters() {
    return counters;
  }

  /** Null when the NameNode cannot tell whose block is thinned out. */
  DeletionContext deletions() {
    return deletions;
  }

  boolean guardsTiersBlindly() {
    return guardsTiersBlindly;
  }

  /** Replaces the source of randomness, so that a decision can be repeated. */
  void useRandom(Supplier<? extends RandomGenerator> source) {
    randoms = source;
  }

  /** Hears of every decision, on the deciding thread. */
  @FunctionalInterface
  interface DecisionListener {
    void decided(ManagedFile file, PlacementRequest request, ClusterView view, Place decision);

    /** Replicas are dropped: {@code chosen} are indexes into {@code volumes}. */
    default void thinnedOut(
        ManagedFile file, int[] volumes, int wanted, ClusterView view, int[] chosen) {}
  }

  /** Tells the ids of files of which a decision gave a tier or region up; must not wait. */
  void tellFilesElsewhere(LongConsumer told) {
    filesElsewhere = told;
  }

  /** Tells the ids of files of which a decision left replicas for later; must not wait. */
  void tellFilesAsync(LongConsumer told) {
    filesAsync = told;
  }

  void listen(DecisionListener newListener) {
    listener = newListener;
  }

  /** The policy's choice among replicas of a block that has too many. */
  int[] chooseExcess(ManagedFile file, int[] volumes, int wanted, ClusterView view) {
    int[] chosen = PolicyCalls.chooseExcess(file, volumes, wanted, view);
    DecisionListener told = listener;
    if (told != null) {
      told.thinnedOut(file, volumes, wanted, view, chosen);
    }
    return chosen;
  }

  /**
   * The NameNode's question.
   *
   * @param writer the writing client's node: a DataNode, a mere place in the tree, or null
   * @param preferLocal whether the first replica goes to the writer's own node
   * @param atOnceMin replicas that a policy may not leave for later
   */
  record Question(
      DecisionKind kind,
      int replicaCount,
      Node writer,
      boolean preferLocal,
      List<DatanodeStorageInfo> existing,
      Set<Node> excluded,
      long blockBytes,
      BlockStoragePolicy storagePolicy,
      Avoid avoid,
      int atOnceMin) {}

  /**
   * Asks the file's policy. Where the storages found are too few, or not in the tiers and regions
   * that were wanted, and the index is old, it is asked again with a new one, and only the second
   * answer counts.
   *
   * @return null while policies of that class are too slow to be asked
   */
  Answer decide(ManagedFile file, ClusterIndex current, Question question) {
    List<DatanodeStorageInfo> holders = holders(file, question);
    ClusterIndex index = knowsAll(current, holders) ? current : views.lookNow();
    Answer answer = ask(file, index, question, holders);
    if (answer == null) {
      return null;
    }
    ClusterIndex fresh = index;
    if (answer.storages().length + answer.decision().async() < question.replicaCount()) {
      fresh = views.lookNow();
    } else if (givesUpAWish(answer.decision())) {
      fresh = views.lookAfterFallback();
    }
    answer = fresh == index ? answer : ask(file, fresh, question, holders);
    if (answer != null) {
      note(file, answer);
    }
    return answer;
  }

  /** Storages that hold the block, or may hold it: live replicas, sources and pledges. */
  private static List<DatanodeStorageInfo> holders(ManagedFile file, Question question) {
    if (question.kind() != DecisionKind.RECONSTRUCTION) {
      return question.existing();
    }
    List<DatanodeStorageInfo> pledged = Pledges.storages(question);
    if (pledged.isEmpty() && file.sources().isEmpty()) {
      return question.existing();
    }
    List<DatanodeStorageInfo> all = new ArrayList<>(question.existing());
    all.addAll(file.sources());
    all.addAll(pledged);
    return all;
  }

  private static boolean knowsAll(ClusterIndex index, List<DatanodeStorageInfo> holders) {
    for (DatanodeStorageInfo holder : holders) {
      if (index.idOf(holder) == ClusterView.NONE) {
        return false;
      }
    }
    return true;
  }

  /** Whether a replica is in another tier or region than was wanted, or one rack has too many. */
  private static boolean givesUpAWish(Place decision) {
    for (Place.Choice choice : decision.choices()) {
      if (choice.given() != Place.GivenUp.NOTHING && choice.given() != Place.GivenUp.SPREAD) {
        return true;
      }
    }
    return false;
  }

  /** A policy's answer, and the storages of its choices that are still there, in their order. */
  record Answer(
      PlacementRequest request,
      NameNodeView view,
      ClusterIndex index,
      Place decision,
      DatanodeStorageInfo[] storages) {}

  /** Null while the policy's class is set aside. */
  private Answer ask(
      ManagedFile file, ClusterIndex index, Question question, List<DatanodeStorageInfo> holders) {
    NameNodeView view = view(index, question, holders);
    PlacementRequest request = request(file, index, view, question);
    ClassTimes times = counters.placing().of(file.policy().getClass());
    Place decision =
        PolicyCalls.place(file.policy(), times, request, view, randoms, index.volumes.length);
    if (decision == null) {
      return null;
    }
    DatanodeStorageInfo[] storages = storages(decision, index);
    PolicyPromises.check(decision, storages, question);
    return new Answer(request, view, index, decision, storages);
  }

  /** Storages that were reported after the index was made count where they are. */
  private NameNodeView view(
      ClusterIndex index, Question question, List<DatanodeStorageInfo> holders) {
    // Stock HDFS takes the writer's node however busy it is for the first replica alone.
    int acceptedBusy =
        question.existing().isEmpty() ? preferredNode(index, question) : ClusterView.NONE;
    return knowsAll(index, holders)
        ? new NameNodeView(index, admission, acceptedBusy)
        : views.replicas(index, acceptedBusy, holders);
  }

  /** The writer's own node; none where HDFS prefers no local node. */
  private static int preferredNode(ClusterIndex index, Question question) {
    return question.preferLocal() ? index.idOf(question.writer()) : ClusterView.NONE;
  }

  /** Counts and tells a decision that holds, and charges the volumes that it names. */
  @SuppressWarnings("ReferenceEquality") // An equal storage of a re-registered node is another one.
  private void note(ManagedFile file, Answer answer) {
    ClusterIndex index = answer.index();
    Place decision = answer.decision();
    counters.decided(decision, index.tiers);
    if (givesUpAWish(decision)) {
      filesElsewhere.accept(file.file().fileId());
    }
    if (decision.async() > 0) {
      filesAsync.accept(file.file().fileId());
    }
    if (DECISIONS.isTraceEnabled()) {
      DECISIONS.trace(
          "{} replicas of {}: {}",
          answer.request().replicaCount(),
          file.path(),
          decision.describe(answer.view()));
    }
    DecisionListener told = listener;
    if (told != null) {
      told.decided(file, answer.request(), answer.view(), decision);
    }
    long blockBytes = answer.request().blockBytes();
    List<TierBytes.Use> byteLimits = file.byteLimits();
    int charged = 0;
    for (int i = 0; charged < answer.storages().length; i++) {
      int volume = decision.choices().get(i).volume();
      DatanodeStorageInfo storage = answer.storages()[charged];
      if (index.volumes[volume] == storage) {
        charged++;
        index.placed.add(volume, storage, blockBytes);
        for (int limit = 0; limit < byteLimits.size(); limit++) {
          byteLimits.get(limit).placed(index.volumeTiers[volume], blockBytes);
        }
      }
    }
  }

  private PlacementRequest request(
      ManagedFile file, ClusterIndex index, NameNodeView view, Question question) {
    int node = index.idOf(question.writer());
    int rack = node != ClusterView.NONE ? index.nodeRacks[node] : rackOf(question.writer(), index);
    Set<Node> excluded = question.excluded();
    return new PlacementRequest(
        file.file(),
        question.blockBytes(),
        question.replicaCount(),
        startNode(index, question, node, rack),
        rack,
        idsOf(question.existing(), view),
        excluded == null || excluded.isEmpty()
            ? PlacementRequest.NodeSet.EMPTY
            : candidate -> excluded.contains(index.nodes[candidate]),
        question.avoid(),
        node,
        idsOf(file.sources(), view),
        Pledges.of(question, file.waiting(), view),
        TierBytes.allowance(
            TypeQuotas.allowance(file, question, index), file.byteLimits(), question.kind(), index),
        question.atOnceMin());
  }

  /**
   * By a loop: a stream would make a sixth of what a new block allocates, and a new block has no
   * sources.
   */
  private static int[] idsOf(List<DatanodeStorageInfo> storages, NameNodeView view) {
    int[] ids = new int[storages.size()];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = view.idOf(storages.get(i));
    }
    return ids;
  }

  /**
   * Where a block begins: on the writer's own node, else on one of its node group, as HDFS's class
   * for node groups has it.
   */
  private int startNode(ClusterIndex index, Question question, int node, int rack) {
    boolean isBeside = node == ClusterView.NONE && rack != ClusterView.NONE;
    return isBeside && question.preferLocal() && views.hasNodeGroups()
        ? NodeGroups.draw(index, rack, question.writer().getNetworkLocation(), randoms.get())
        : preferredNode(index, question);
  }

  private int rackOf(Node writer, ClusterIndex index) {
    return writer == null ? ClusterView.NONE : views.rackOf(writer.getNetworkLocation(), index);
  }

  /** Leaves out a storage that its node has dropped since the index was made. */
  @SuppressWarnings("ReferenceEquality") // An equal storage of a re-registered node is another one.
  private static DatanodeStorageInfo[] storages(Place decision, ClusterIndex index) {
    int count = decision.choices().size();
    DatanodeStorageInfo[] storages = new DatanodeStorageInfo[count];
    int kept = 0;
    for (int i = 0; i < count; i++) {
      DatanodeStorageInfo storage = index.volumes[decision.choices().get(i).volume()];
      DatanodeDescriptor node = storage.getDatanodeDescriptor();
      if (node.getStorageInfo(storage.getStorageID()) == storage) {
        storages[kept++] = storage;
      }
    }
    return kept == count ? storages : Arrays.copyOf(storages, kept);
  }
}
