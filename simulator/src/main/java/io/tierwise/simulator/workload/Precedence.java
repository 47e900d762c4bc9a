package io.tierwise.simulator.workload;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An order of things of which some come after others.
 *
 * @param order each behind those that it comes after; those that come after none first; without
 *     those that wait for themselves
 * @param cycle of things that wait for themselves each before the one that it comes after, the
 *     first again at the end; empty when there is none
 */
public record Precedence(List<Integer> order, List<Integer> cycle) {
  public Precedence {
    order = List.copyOf(order);
    cycle = List.copyOf(cycle);
  }

  /**
   * The order of things that are numbered from 0.
   *
   * @param before of each thing those that it comes after, each once
   */
  public static Precedence of(List<? extends Collection<Integer>> before) {
    int[] waitsFor = before.stream().mapToInt(Collection::size).toArray();
    List<List<Integer>> behind = new ArrayList<>();
    before.forEach(none -> behind.add(new ArrayList<>()));
    for (int thing = 0; thing < waitsFor.length; thing++) {
      for (int first : before.get(thing)) {
        behind.get(first).add(thing);
      }
    }
    ArrayDeque<Integer> free = new ArrayDeque<>();
    for (int thing = 0; thing < waitsFor.length; thing++) {
      if (waitsFor[thing] == 0) {
        free.add(thing);
      }
    }
    List<Integer> order = new ArrayList<>();
    while (!free.isEmpty()) {
      int taken = free.remove();
      order.add(taken);
      for (int other : behind.get(taken)) {
        if (--waitsFor[other] == 0) {
          free.add(other);
        }
      }
    }
    boolean isWhole = order.size() == waitsFor.length;
    return new Precedence(order, isWhole ? List.of() : cycle(before, waitsFor));
  }

  /** Goes from who is left to whom it waits for, until it has been there before. */
  private static List<Integer> cycle(List<? extends Collection<Integer>> before, int[] waitsFor) {
    int at = 0;
    while (waitsFor[at] == 0) {
      at++;
    }
    Map<Integer, Integer> seen = new LinkedHashMap<>();
    List<Integer> path = new ArrayList<>();
    while (seen.putIfAbsent(at, path.size()) == null) {
      path.add(at);
      at = before.get(at).stream().filter(other -> waitsFor[other] > 0).findFirst().orElseThrow();
    }
    path.add(at);
    return path.subList(seen.get(at), path.size());
  }
}
