package io.tierwise.lab.demo;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * The reads of the popularity demo. In each phase every reader reads all hot files, several times,
 * and some others that nobody else reads in that phase. From phase to phase some files leave the
 * hot set and as many come.
 *
 * @param files numbered from 0
 * @param readers at one time
 * @param hotFiles of a phase
 * @param shift hot files that leave after a phase
 * @param hotReads of a hot file by a reader in a phase
 * @param coldReads of a reader in a phase
 * @param seed of the order of reads, and of the other files
 */
record HotSet(
    int files,
    int phases,
    int readers,
    int hotFiles,
    int shift,
    int hotReads,
    int coldReads,
    long seed) {
  HotSet {
    if (files < hotFiles + readers * coldReads) {
      throw new IllegalArgumentException(
          files + " files are too few for " + hotFiles + " hot ones and " + readers + " readers");
    }
  }

  /** The hot files of a phase. */
  List<Integer> hot(int phase) {
    List<Integer> hot = new ArrayList<>();
    for (int i = 0; i < hotFiles; i++) {
      hot.add((phase * shift + i) % files);
    }
    return hot;
  }

  /** The reads of a phase: for each reader the files that it reads one after the other. */
  List<List<Integer>> reads(int phase) {
    Random random = new Random(seed * 31 + phase);
    List<Integer> hot = hot(phase);
    List<Integer> cold = new ArrayList<>();
    for (int file = 0; file < files; file++) {
      if (!hot.contains(file)) {
        cold.add(file);
      }
    }
    Collections.shuffle(cold, random);
    List<List<Integer>> ofReaders = new ArrayList<>();
    for (int reader = 0; reader < readers; reader++) {
      List<Integer> own = new ArrayList<>();
      for (int time = 0; time < hotReads; time++) {
        own.addAll(hot);
      }
      own.addAll(cold.subList(reader * coldReads, (reader + 1) * coldReads));
      Collections.shuffle(own, random);
      ofReaders.add(own);
    }
    return ofReaders;
  }

  /** How many reads a phase has. */
  int readsOfPhase() {
    return readers * (hotFiles * hotReads + coldReads);
  }
}
