package io.tierwise.cli.capture;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.random.RandomGenerator;

/**
 * Random numbers that first make the simulator put replicas at one distance into a given order, as
 * a NameNode did by chance, and then are those of another generator.
 */
final class TieOrder implements RandomGenerator {
  private final List<Integer> draws = new ArrayList<>();
  private final RandomGenerator rest;

  /**
   * @param slots nodes by replica slot
   * @param wanted the same nodes, nearest first
   */
  TieOrder(
      List<Integer> slots,
      List<Integer> wanted,
      IntUnaryOperator distanceTo,
      RandomGenerator rest) {
    this.rest = rest;
    List<Integer> current = new ArrayList<>(slots);
    current.sort((a, b) -> distanceTo.applyAsInt(a) - distanceTo.applyAsInt(b));
    for (int end = current.size() - 1; end > 0; end--) {
      int distance = distanceTo.applyAsInt(current.get(end));
      int start = end;
      while (start > 0 && distanceTo.applyAsInt(current.get(start - 1)) == distance) {
        start--;
      }
      if (start < end) {
        int at = current.indexOf(wanted.get(end));
        draws.add(at - start);
        Collections.swap(current, at, end);
      }
    }
  }

  @Override
  public int nextInt(int bound) {
    return draws.isEmpty() ? rest.nextInt(bound) : draws.remove(0);
  }

  @Override
  public double nextDouble() {
    return rest.nextDouble();
  }

  @Override
  public long nextLong() {
    return rest.nextLong();
  }
}
