package io.tierwise.hadoop.mover;

import io.tierwise.hadoop.mover.journal.JournalEntry.Moving;
import io.tierwise.hadoop.mover.journal.PastRun;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The moves of a run, file by file. Its journal has them in the order in which they began, those of
 * many files among each other. Memory holds the moves of files that were moved at the same time,
 * and a number for each file: some 80 bytes.
 */
final class MovesByFile {
  private final Map<Long, Integer> toCome = new HashMap<>();
  private final Map<Long, Map<Long, List<PastRun.Step>>> begun = new HashMap<>();

  private MovesByFile() {}

  /** Is told of each file once. */
  interface Files {
    /**
     * @param moves of it by block, in the order of the journal
     */
    void file(long fileId, Map<Long, List<PastRun.Step>> moves) throws IOException;
  }

  /** Tells of each file when the last of its moves was read. */
  static void read(PastRun run, Files files) throws IOException {
    MovesByFile moves = new MovesByFile();
    run.read(
        step -> {
          if (step.entry() instanceof Moving moving) {
            moves.toCome.merge(moving.fileId(), 1, Integer::sum);
          }
        });
    run.read(
        step -> {
          if (step.entry() instanceof Moving moving) {
            moves.take(step, moving, files);
          }
        });
  }

  private void take(PastRun.Step step, Moving moving, Files files) throws IOException {
    long file = moving.fileId();
    begun
        .computeIfAbsent(file, id -> new LinkedHashMap<>())
        .computeIfAbsent(moving.blockId(), id -> new ArrayList<>())
        .add(step);
    if (toCome.merge(file, -1, Integer::sum) == 0) {
      toCome.remove(file);
      files.file(file, begun.remove(file));
    }
  }
}
