package io.tierwise.policies.placement;

import io.tierwise.core.view.ClusterView;
import java.util.Arrays;

/**
 * The replicas that a block has while a decision is being made: on which nodes, and how many in
 * which rack. Racks are kept sorted, so that the engine can leave them out of an id range.
 */
final class ReplicaSet {
  private int[] nodes;
  private int[] racksInOrder;
  private int count;
  private int unknownCount;

  private int[] racks;
  private int[] countsInRack;
  private int rackEntries;
  private int rackCount;

  /** Of the first {@code replicasInDomains} replicas; counted when a domain is asked for. */
  private int domainCount;

  private int replicasInDomains;

  private ReplicaSet(int capacity) {
    nodes = new int[capacity];
    racksInOrder = new int[capacity];
    racks = new int[Math.min(capacity, 4) + 1];
    countsInRack = new int[racks.length];
  }

  /** The replicas on the volumes, of which some may be {@link ClusterView#NONE}. */
  static ReplicaSet of(int[] volumes, int capacity, ClusterView view) {
    ReplicaSet replicas = new ReplicaSet(capacity);
    for (int volume : volumes) {
      if (volume == ClusterView.NONE) {
        replicas.addUnknown();
      } else {
        int node = view.nodeOfVolume(volume);
        replicas.add(node, view.rackOfNode(node));
      }
    }
    return replicas;
  }

  void add(int node, int rack) {
    if (count == nodes.length) {
      nodes = Arrays.copyOf(nodes, 2 * count + 1);
      racksInOrder = Arrays.copyOf(racksInOrder, 2 * count + 1);
    }
    nodes[count] = node;
    racksInOrder[count++] = rack;
    int entry = entryOf(rack);
    if (countsInRack[entry]++ == 0) {
      rackCount++;
    }
  }

  /** Counts a replica whose place is unknown. */
  private void addUnknown() {
    unknownCount++;
  }

  /** Gives {@code rack} an entry without a replica, so that a walk over the entries meets it. */
  void noteRack(int rack) {
    entryOf(rack);
  }

  private int entryOf(int rack) {
    int entry = 0;
    while (entry < rackEntries && racks[entry] < rack) {
      entry++;
    }
    if (entry < rackEntries && racks[entry] == rack) {
      return entry;
    }
    if (rackEntries == racks.length) {
      racks = Arrays.copyOf(racks, 2 * rackEntries);
      countsInRack = Arrays.copyOf(countsInRack, 2 * rackEntries);
    }
    System.arraycopy(racks, entry, racks, entry + 1, rackEntries - entry);
    System.arraycopy(countsInRack, entry, countsInRack, entry + 1, rackEntries - entry);
    racks[entry] = rack;
    countsInRack[entry] = 0;
    rackEntries++;
    return entry;
  }

  boolean holdsNode(int node) {
    for (int i = 0; i < count; i++) {
      if (nodes[i] == node) {
        return true;
      }
    }
    return false;
  }

  /** Whether a replica on {@code node} adds no failure domain although more are wanted. */
  boolean repeatsDomainOf(int node, ClusterView view) {
    if (domainCount(view) >= view.domainsMin()) {
      return false;
    }
    for (int i = 0; i < count; i++) {
      if (view.shareDomain(nodes[i], node)) {
        return true;
      }
    }
    return false;
  }

  /** Distinct failure domains, up to as many as are wanted; each replica is compared once. */
  private int domainCount(ClusterView view) {
    int wanted = view.domainsMin();
    while (domainCount < wanted && replicasInDomains < count) {
      domainCount += isFirstOfDomain(replicasInDomains++, view) ? 1 : 0;
    }
    return domainCount;
  }

  private boolean isFirstOfDomain(int replica, ClusterView view) {
    for (int i = 0; i < replica; i++) {
      if (view.shareDomain(nodes[i], nodes[replica])) {
        return false;
      }
    }
    return true;
  }

  int countInRack(int rack) {
    for (int i = 0; i < rackEntries; i++) {
      if (racks[i] == rack) {
        return countsInRack[i];
      }
    }
    return 0;
  }

  /** Replicas, those of unknown place included. */
  int count() {
    return count + unknownCount;
  }

  /** Replicas whose place is known. */
  int knownCount() {
    return count;
  }

  int unknownCount() {
    return unknownCount;
  }

  /** Distinct racks that hold a replica. */
  int rackCount() {
    return rackCount;
  }

  /** Rack of the {@code i}-th replica whose place is known, in the order of arrival. */
  int rackOfReplica(int i) {
    return i < count ? racksInOrder[i] : ClusterView.NONE;
  }

  /** Racks with an entry, in ascending order of their ids. */
  int rackEntries() {
    return rackEntries;
  }

  int rackOfEntry(int entry) {
    return racks[entry];
  }

  int countOfEntry(int entry) {
    return countsInRack[entry];
  }
}
