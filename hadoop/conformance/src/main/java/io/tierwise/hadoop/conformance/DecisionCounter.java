package io.tierwise.hadoop.conformance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.spi.LoggingEvent;

/**
 * Counts what the plug-ins decide, by the lines that they log at TRACE under {@value #PREFIX}.
 * Named in the log4j.properties of the configuration "deciding"; lives in the forked JVM only.
 */
public final class DecisionCounter extends AppenderSkeleton {

  /** The file that the counts go to, a line for each kind. */
  static final String FILE_PROPERTY = "tierwise.conformance.decisions";

  private static final String PREFIX = "tierwise.decisions.";
  private static final Map<String, LongAdder> COUNTS = new ConcurrentHashMap<>();

  /** Called by log4j. */
  public DecisionCounter() {}

  @Override
  protected void append(LoggingEvent event) {
    String logger = event.getLoggerName();
    if (logger.startsWith(PREFIX)) {
      COUNTS
          .computeIfAbsent(logger.substring(PREFIX.length()), kind -> new LongAdder())
          .increment();
    }
  }

  @Override
  public void close() {}

  @Override
  public boolean requiresLayout() {
    return false;
  }

  /** Writes the counts so far; nothing where no file is named. */
  static void write() throws IOException {
    String file = System.getProperty(FILE_PROPERTY);
    if (file != null) {
      StringBuilder lines = new StringBuilder();
      new TreeMap<>(COUNTS)
          .forEach((kind, count) -> lines.append(kind).append('\t').append(count).append('\n'));
      Files.writeString(Path.of(file), lines);
    }
  }

  /** Reads what {@link #write} wrote; empty where there is no such file. */
  static SortedMap<String, Long> read(Path file) throws IOException {
    SortedMap<String, Long> counts = new TreeMap<>();
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file)) {
        String[] fields = line.split("\t");
        counts.put(fields[0], Long.valueOf(fields[1]));
      }
    }
    return counts;
  }
}
