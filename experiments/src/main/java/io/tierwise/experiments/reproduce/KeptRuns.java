package io.tierwise.experiments.reproduce;

import io.tierwise.core.message.Csv;
import io.tierwise.core.message.OperatorException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * The figures of runs that an interrupted call had finished, in a file beside {@code ours.csv}, for
 * the next call to go on from. One line is one run with one seed; its stamp tells whether it would
 * come out the same today ({@link RunStamp}).
 */
final class KeptRuns {
  static final String HEADER = "run,seed,stamp,figures";
  private static final String NAME = ".kept-runs";
  private static final String ENDING = ".csv";

  /** Own: what a machine that loses its power has to compute again, at most. */
  private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final Path file;
  private final Map<Key, Map<String, Double>> figures = new LinkedHashMap<>();
  private final LongSupplier nanos;
  private long writtenNanos;

  /**
   * A run with one of its seeds.
   *
   * @param seed from 0
   */
  record Key(String run, int seed, String stamp) {
    boolean isSameRun(Key other) {
      return run.equals(other.run) && seed == other.seed;
    }
  }

  private KeptRuns(Path folder, List<String> settings, LongSupplier nanos) {
    String own = settings.isEmpty() ? "" : "-" + Integer.toHexString(settings.hashCode());
    this.file = folder.resolve(NAME + own + ENDING);
    this.nanos = nanos;
    writtenNanos = nanos.getAsLong();
  }

  /**
   * The runs that are kept in a reproduction's folder.
   *
   * @param settings laid over the runs: each list of them has a file of its own, so that a trial
   *     with other settings leaves alone what was kept without
   * @throws OperatorException when the file is damaged; one line
   */
  static KeptRuns in(Path folder, List<String> settings) {
    return in(folder, settings, System::nanoTime);
  }

  /** The same with a clock of its own. */
  static KeptRuns in(Path folder, List<String> settings, LongSupplier nanos) {
    KeptRuns kept = new KeptRuns(folder, settings, nanos);
    try {
      if (Files.exists(kept.file)) {
        for (List<String> cells : CsvRows.read(kept.file, HEADER)) {
          Key key = new Key(cells.get(0), Integer.parseInt(cells.get(1)), cells.get(2));
          kept.figures.put(key, parse(cells.get(3)));
        }
      }
    } catch (IOException | NumberFormatException e) {
      throw OperatorException.badInput(
          kept.file + " cannot be read, delete it to run all anew: " + e.getMessage());
    }
    return kept;
  }

  private static Map<String, Double> parse(String cell) {
    Map<String, Double> byName = new LinkedHashMap<>();
    for (String each : cell.split(";")) {
      int end = each.indexOf('=');
      if (end < 0) {
        throw new NumberFormatException("'" + each + "' is no figure");
      }
      byName.put(each.substring(0, end), Double.parseDouble(each.substring(end + 1)));
    }
    return byName;
  }

  /** The figures of a run by name, or null. */
  Map<String, Double> find(Key key) {
    return figures.get(key);
  }

  /** Adds a run, and forgets the figures of an earlier one of that name and seed. */
  void add(Key key, Map<String, Double> byName) {
    figures.keySet().removeIf(key::isSameRun);
    figures.put(key, byName);
  }

  Path file() {
    return file;
  }

  /** Writes all, unless it did half a minute ago. Where it cannot, {@link #write} will say so. */
  void writeNowAndThen() {
    if (nanos.getAsLong() - writtenNanos < REST_NANOS) {
      return;
    }
    writtenNanos = nanos.getAsLong();
    try {
      write();
    } catch (IOException e) {
      // The runs go on: their figures are in memory.
    }
  }

  /** Writes all; the file is whole at any time. */
  void write() throws IOException {
    StringBuilder text = new StringBuilder(HEADER).append('\n');
    figures.forEach(
        (key, byName) ->
            text.append(Csv.line(List.of(key.run(), key.seed(), key.stamp(), text(byName))))
                .append('\n'));
    Path part = file.resolveSibling(file.getFileName() + ".part");
    Files.writeString(part, text);
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Numbers as Java writes them, which read back as the same. */
  private static String text(Map<String, Double> byName) {
    return byName.entrySet().stream()
        .map(figure -> figure.getKey() + "=" + figure.getValue())
        .collect(Collectors.joining(";"));
  }

  /** Forgets runs: they are in the results. Without any left the file goes. */
  void forget(Collection<Key> runs) throws IOException {
    figures.keySet().removeIf(key -> runs.stream().anyMatch(key::isSameRun));
    if (!figures.isEmpty()) {
      write();
    } else {
      Files.deleteIfExists(file);
    }
  }
}
