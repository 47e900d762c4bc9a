package io.tierwise.simulator.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.tierwise.core.work.Nearness;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which nodes ask for a job's maps, and that a small job on a large cluster asks few of them. */
class AskingNodesTest {
  private static final int REPLICAS = 3;

  private final RandomGenerator random = new SplittableRandom(7);

  private static Slots oneSlotEach(int nodes) {
    int[] one = new int[nodes];
    Arrays.fill(one, 1);
    return new Slots(one, new int[nodes]);
  }

  /** Maps with replicas on drawn nodes; some have been taken. */
  private PendingMaps maps(int count, int nodes) {
    PendingMaps maps = new PendingMaps(count, REPLICAS, nodes);
    for (int map = 0; map < count; map++) {
      maps.add(map);
      for (int i = 0; i < REPLICAS; i++) {
        maps.addLocation(map, i, random.nextInt(nodes));
      }
    }
    for (int map = 0; map < count; map += 5) {
      maps.take(map);
    }
    return maps;
  }

  private static List<Integer> turns(AskingNodes asking, PendingMaps maps, int first) {
    List<Integer> turns = new ArrayList<>();
    asking.ask(maps, first, Nearness.ON_NODE);
    asking.takeTurns(node -> maps.isWaitingOn(node) && turns.add(node));
    return turns;
  }

  @ParameterizedTest
  @CsvSource({"1, 20", "2, 20", "2, 300", "20, 300", "70, 300", "2000, 300"})
  void theNodesWithDataAskInTheOrderOfTheRunFromTheFirstOn(int mapCount, int nodes) {
    Slots slots = oneSlotEach(nodes);
    AskingNodes asking = new AskingNodes(slots, nodes, random);
    for (int node = 0; node < nodes; node += 3) {
      slots.take(node);
    }
    for (int first = 0; first < nodes; first += 7) {
      PendingMaps maps = maps(mapCount, nodes);
      List<Integer> expected = new ArrayList<>();
      for (int i = 0; i < nodes; i++) {
        int node = asking.order()[(first + i) % nodes];
        if (slots.isFree(node) && maps.isWaitingOn(node)) {
          expected.add(node);
        }
      }
      assertThat(turns(asking, maps, first)).isEqualTo(expected);
    }
  }

  @Test
  void whoTookNothingDoesNotAskAgain() {
    AskingNodes asking = new AskingNodes(oneSlotEach(50), 50, random);
    PendingMaps maps = maps(4, 50);
    List<Integer> asked = turns(asking, maps, 0);
    List<Integer> again = new ArrayList<>();
    asking.takeTurns(node -> again.add(node) && node % 2 == 0);
    List<Integer> third = new ArrayList<>();
    asking.takeTurns(node -> !third.add(node));

    assertThat(again).isEqualTo(asked);
    assertThat(third).isEqualTo(asked.stream().filter(node -> node % 2 == 0).toList());
    assertThat(asking.isAnyLeft()).isFalse();
  }

  /** Before, each free node of the cluster had a turn for each job that came. */
  @ParameterizedTest
  @ValueSource(ints = {100, 10_000, 1_000_000})
  void aJobOfOneMapGivesTurnsToTheNodesOfItsReplicasHoweverManyThereAre(int nodes) {
    AskingNodes asking = new AskingNodes(oneSlotEach(nodes), nodes, random);
    int[] turns = {0};
    asking.ask(maps(1, nodes), random.nextInt(nodes), Nearness.ON_NODE);
    asking.takeTurns(node -> turns[0]++ < 0);

    assertThat(turns[0]).isBetween(1, REPLICAS);
  }

  @Test
  void aSmallJobTakesNoMoreMemoryOnALargeCluster() {
    allocatedBytes(100);
    assertThat(allocatedBytes(100_000)).isEqualTo(allocatedBytes(1_000)).isLessThan(1_000);
  }

  private static long allocatedBytes(int nodes) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    PendingMaps maps = new PendingMaps(2, REPLICAS, nodes);
    long bytes = threads.getCurrentThreadAllocatedBytes() - before;
    assertThat(maps.count()).isZero();
    return bytes;
  }
}
