package io.tierwise.lab.dfsio;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * Puts read tasks on nodes as a locality-driven scheduler does: most on a node that holds the first
 * block of their file, the others in a rack that holds it.
 *
 * <p>Own: the access-strategies paper counts 22 rack-local tasks of 64 (Cluster A); the rest was
 * data-local. TestDFSIO itself places its tasks by their tiny control files, that is at random.
 */
public final class ReadAssignment {
  /** Source: access strategies §IV.B, Cluster A, 8 nodes: 22 of 64 tasks were not data-local. */
  public static final double DATA_LOCAL_SHARE_DEFAULT = 42 / 64.0;

  private final List<BenchPlace> places;
  private final int slotsPerPlace;
  private final double dataLocalShare;
  private final Random random;
  private final Map<BenchPlace, Integer> taken = new HashMap<>();

  private ReadAssignment(
      List<BenchPlace> places, int slotsPerPlace, double dataLocalShare, Random random) {
    this.places = places;
    this.slotsPerPlace = slotsPerPlace;
    this.dataLocalShare = dataLocalShare;
    this.random = random;
  }

  /**
   * Assigns a place to each task.
   *
   * @param holders for each task the host names that hold its file's first block
   * @param dataLocalShare part of the tasks that should be data-local, 0 to 1
   */
  public static List<BenchPlace> assign(
      List<BenchPlace> places, List<Set<String>> holders, double dataLocalShare, long seed) {
    int slots = (holders.size() + places.size() - 1) / places.size();
    return new ReadAssignment(places, slots, dataLocalShare, new Random(seed)).assign(holders);
  }

  private List<BenchPlace> assign(List<Set<String>> holders) {
    List<Integer> order = new ArrayList<>();
    for (int task = 0; task < holders.size(); task++) {
      order.add(task);
    }
    Collections.shuffle(order, random);
    long localCount = Math.round(dataLocalShare * holders.size());
    BenchPlace[] assigned = new BenchPlace[holders.size()];
    for (int i = 0; i < order.size(); i++) {
      int task = order.get(i);
      assigned[task] = i < localCount ? onHolder(holders.get(task)) : beside(holders.get(task));
    }
    return List.of(assigned);
  }

  private BenchPlace onHolder(Set<String> holders) {
    List<BenchPlace> candidates =
        places.stream().filter(place -> holders.contains(place.hostName())).toList();
    BenchPlace place = leastTaken(candidates);
    return place == null ? beside(holders) : take(place);
  }

  private BenchPlace beside(Set<String> holders) {
    Set<String> racks = new HashSet<>();
    places.stream()
        .filter(place -> holders.contains(place.hostName()))
        .forEach(place -> racks.add(place.rack()));
    List<BenchPlace> others =
        places.stream().filter(place -> !holders.contains(place.hostName())).toList();
    BenchPlace place =
        leastTaken(others.stream().filter(other -> racks.contains(other.rack())).toList());
    if (place == null) {
      place = leastTaken(others);
    }
    return take(place == null ? leastTaken(places) : place);
  }

  private BenchPlace leastTaken(List<BenchPlace> candidates) {
    List<BenchPlace> shuffled = new ArrayList<>(candidates);
    Collections.shuffle(shuffled, random);
    return shuffled.stream()
        .filter(place -> taken.getOrDefault(place, 0) < slotsPerPlace)
        .min((a, b) -> Integer.compare(taken.getOrDefault(a, 0), taken.getOrDefault(b, 0)))
        .orElse(null);
  }

  private BenchPlace take(BenchPlace place) {
    taken.merge(place, 1, Integer::sum);
    return place;
  }
}
