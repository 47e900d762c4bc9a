package io.tierwise.simulator.storage;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

/**
 * Replicas on nodes that were given up, which do not count until their node is back. Blocks are in
 * the order in which they were lost.
 */
final class ReplicasAway {
  private final Map<Integer, List<Integer>> volumesOfBlock = new LinkedHashMap<>();

  void add(int block, int volume) {
    volumesOfBlock.computeIfAbsent(block, unused -> new ArrayList<>()).add(volume);
  }

  List<Integer> volumesOf(int block) {
    return List.copyOf(volumesOfBlock.getOrDefault(block, List.of()));
  }

  /** Blocks with a replica on such a volume. */
  List<Integer> blocksOn(IntPredicate volume) {
    return volumesOfBlock.entrySet().stream()
        .filter(entry -> entry.getValue().stream().anyMatch(volume::test))
        .map(Map.Entry::getKey)
        .toList();
  }

  void forget(int block, int volume) {
    volumesOfBlock.computeIfPresent(
        block,
        (unused, volumes) -> {
          volumes.remove((Integer) volume);
          return volumes.isEmpty() ? null : volumes;
        });
  }

  void forgetVolume(int volume) {
    blocksOn(each -> each == volume).forEach(block -> forget(block, volume));
  }

  void forgetBlocks(int first, int count) {
    volumesOfBlock.keySet().removeIf(block -> block >= first && block < first + count);
  }
}
