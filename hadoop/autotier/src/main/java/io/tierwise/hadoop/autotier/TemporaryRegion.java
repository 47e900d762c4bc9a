package io.tierwise.hadoop.autotier;

import io.tierwise.policies.movement.StorageCounter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongPredicate;

/**
 * The files in the temporary region of the fast tier, by the inputs that the {@link StorageCounter}
 * knows. Not for many threads.
 *
 * <p>The journal says which files may be there, and the NameNode how much of each is; the counter
 * follows. What is there and in no input is an input of its own that no job needs: it came with a
 * daemon before this one, by a prefetch that was stopped, or it could not leave.
 */
final class TemporaryRegion {
  private final PlacedFiles files;
  private final LastChanges lastChanges;
  private final StorageCounter counter = new StorageCounter();

  /** Bytes of files in the fast tier, or on their way, by the number of their input and by id. */
  private final Map<Integer, Map<Long, Long>> inputs = new TreeMap<>();

  private int numbers;

  TemporaryRegion(PlacedFiles files, LastChanges lastChanges) {
    this.files = files;
    this.lastChanges = lastChanges;
    settle();
  }

  StorageCounter counter() {
    return counter;
  }

  /** A number that no job and no input has. */
  int number() {
    return numbers++;
  }

  private Map<Long, LastChanges.Placed> placed() {
    return lastChanges.prefetchedIn(files.tier());
  }

  /** Whether a copy that nobody waits for may still come. */
  boolean mayGrow() {
    return placed().values().stream().anyMatch(last -> last.bytes() == 0);
  }

  /** Bytes that are counted of each file. */
  private Map<Long, Long> counted() {
    Map<Long, Long> all = new HashMap<>();
    inputs
        .values()
        .forEach(input -> input.forEach((file, bytes) -> all.merge(file, bytes, Long::sum)));
    return all;
  }

  /** Counts what is there, as far as is known, and is in no input. */
  void settle() {
    Map<Long, Long> counted = counted();
    placed().forEach((file, last) -> found(file, last.bytes() - counted.getOrDefault(file, 0L)));
  }

  private void found(long file, long bytes) {
    if (bytes > 0) {
      int input = number();
      inputs.put(input, Map.of(file, bytes));
      counter.found(input, bytes);
    }
  }

  /** Asks the NameNode which files are still there, under which path, and how much of them. */
  void look(double nowSeconds) throws IOException {
    files.there(placed(), lastChanges, (path, status) -> false, nowSeconds);
    drop();
  }

  /**
   * The NameNode has just said how much of these files is there.
   *
   * @param bytes by file; of others than those in the region, too
   */
  void saw(Map<Long, Long> bytes) {
    placed()
        .forEach(
            (file, last) ->
                lastChanges.saw(
                    files.tier(), file, last.path(), bytes.getOrDefault(file, last.bytes())));
    drop();
  }

  /** Files are popular, and others look after them from now on. */
  void handOver(Collection<Long> popular) {
    popular.forEach(lastChanges::popular);
    drop();
  }

  /**
   * Counts inputs anew of which not all is there, or more than is counted, and such as share a
   * file. Those that jobs need are counted as they are until then.
   */
  void drop() {
    Map<Long, LastChanges.Placed> there = placed();
    Map<Long, Long> counted = counted();
    Map<Long, Boolean> shared = new HashMap<>();
    List<Integer> unneeded =
        inputs.keySet().stream().filter(input -> !counter.isNeeded(input)).toList();
    unneeded.forEach(
        input ->
            inputs.get(input).keySet().forEach(file -> shared.put(file, shared.containsKey(file))));
    for (int input : unneeded) {
      for (long file : inputs.get(input).keySet()) {
        long bytes = there.containsKey(file) ? there.get(file).bytes() : 0;
        if (counted.get(file) != bytes || shared.get(file)) {
          forget(input);
          break;
        }
      }
    }
    settle();
  }

  /**
   * An input is brought now; the counter has it already.
   *
   * @param bytes that come, by file
   */
  void coming(int input, Map<Long, Long> bytes) {
    inputs.put(input, Map.copyOf(bytes));
  }

  /** An input is counted no more. */
  void forget(int input) {
    counter.forget(input);
    inputs.remove(input);
  }

  /**
   * Inputs in the fast tier that have one of the files. One that no job needs is split before, so
   * that its other files may leave.
   */
  List<Integer> with(Set<Long> ids) {
    for (int input : List.copyOf(inputs.keySet())) {
      Set<Long> all = inputs.get(input).keySet();
      if (!counter.isNeeded(input) && !ids.containsAll(all) && !Collections.disjoint(ids, all)) {
        forget(input);
      }
    }
    settle();
    List<Integer> found = new ArrayList<>();
    inputs.forEach(
        (input, all) -> {
          if (!Collections.disjoint(ids, all.keySet())) {
            found.add(input);
          }
        });
    return found;
  }

  /** The paths of files that leave with their inputs; those that are needed are counted anew. */
  Map<Long, String> leaving(Collection<Integer> evicted, LongPredicate isNeeded) {
    Map<Long, LastChanges.Placed> there = placed();
    Map<Long, String> out = new LinkedHashMap<>();
    for (int input : evicted) {
      inputs
          .remove(input)
          .forEach(
              (file, bytes) -> {
                LastChanges.Placed last = there.get(file);
                if (last != null && isNeeded.test(file)) {
                  found(file, bytes);
                } else if (last != null) {
                  out.put(file, last.path());
                }
              });
    }
    return out;
  }
}
