package io.tierwise.hadoop.autotier;

import io.tierwise.policies.movement.StorageCounter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
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
 * <p>The journal says which files are there; the counter follows it. A file that is there and in no
 * input is an input of its own that no job needs: it came with a daemon before this one, by a
 * prefetch that was stopped, or it could not leave.
 */
final class TemporaryRegion {
  private final PlacedFiles files;
  private final LastChanges lastChanges;
  private final StorageCounter counter = new StorageCounter();

  /** Ids of files in the fast tier, or on their way, by the number of their input. */
  private final Map<Integer, Set<Long>> inputs = new TreeMap<>();

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

  /** Counts what is there by the journal, and is in no input. */
  void settle() {
    Set<Long> known = new HashSet<>();
    inputs.values().forEach(known::addAll);
    placed().forEach((file, last) -> found(known, file, last));
  }

  private void found(Set<Long> known, long file, LastChanges.Placed last) {
    if (!known.contains(file)) {
      int input = number();
      inputs.put(input, Set.of(file));
      counter.found(input, last.bytes());
    }
  }

  /** Asks the NameNode which files are still there, and under which path. */
  void look() throws IOException {
    files.there(placed(), lastChanges, (path, status) -> false);
    drop();
  }

  /** Files are popular, and others look after them from now on. */
  void handOver(Collection<Long> popular) {
    popular.forEach(lastChanges::popular);
    drop();
  }

  /** Inputs of which a file is not there any more. Those that jobs need are counted until then. */
  void drop() {
    Set<Long> there = placed().keySet();
    for (int input : List.copyOf(inputs.keySet())) {
      if (!counter.isNeeded(input) && !there.containsAll(inputs.get(input))) {
        forget(input);
      }
    }
    settle();
  }

  /** An input is brought now; the counter has it already. */
  void coming(int input, Set<Long> ids) {
    inputs.put(input, Set.copyOf(ids));
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
      Set<Long> all = inputs.get(input);
      if (!counter.isNeeded(input) && !ids.containsAll(all) && !Collections.disjoint(ids, all)) {
        forget(input);
      }
    }
    settle();
    List<Integer> found = new ArrayList<>();
    inputs.forEach(
        (input, all) -> {
          if (!Collections.disjoint(ids, all)) {
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
      for (long file : inputs.remove(input)) {
        LastChanges.Placed last = there.get(file);
        if (last != null && isNeeded.test(file)) {
          found(Set.of(), file, last);
        } else if (last != null) {
          out.put(file, last.path());
        }
      }
    }
    return out;
  }
}
