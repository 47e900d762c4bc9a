package io.tierwise.simulator.movement;

import io.tierwise.simulator.storage.StoredFile;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A block that a mover is to look at. */
record NextBlock(StoredFile file, int index) {
  /** All blocks of some files, one file after the other; each is counted when its turn comes. */
  static Iterator<NextBlock> of(List<StoredFile> files, MovementTally tally) {
    return files.stream().flatMap(file -> of(file, tally)).iterator();
  }

  private static Stream<NextBlock> of(StoredFile file, MovementTally tally) {
    tally.file();
    return IntStream.range(0, file.blockCount()).mapToObj(index -> new NextBlock(file, index));
  }
}
