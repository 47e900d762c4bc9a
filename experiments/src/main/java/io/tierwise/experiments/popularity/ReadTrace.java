package io.tierwise.experiments.popularity;

import io.tierwise.core.message.OperatorException;
import io.tierwise.core.use.ReadHistory;
import io.tierwise.simulator.scenario.WorkloadSpec;
import io.tierwise.simulator.workload.JobSource;
import io.tierwise.simulator.workload.JobSpec;
import io.tierwise.simulator.workload.trace.TraceJobs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The reads of a trace in order of time: one for each job that names an input. Files are numbered
 * in the order of their first reads, so that those that were read until some moment are the first
 * ones.
 */
public final class ReadTrace {
  /** A read counts as under way for that long: a trace does not say how long its jobs read. */
  static final double READ_SECONDS = 60;

  private double[] seconds = new double[1024];
  private int[] files = new int[1024];
  private long[] bytes = new long[1024];
  private int[] readers = new int[1024];
  private long[] sizes = new long[1024];
  private int readCount;
  private int fileCount;
  private int repeatedCount;

  private ReadTrace() {}

  /**
   * Reads a trace whole.
   *
   * @throws OperatorException one line that names file, line and value
   */
  public static ReadTrace read(Path file) {
    ReadTrace trace = new ReadTrace();
    Map<String, Integer> numbers = new LinkedHashMap<>();
    Chains chains = new Chains();
    try (JobSource jobs = TraceJobs.open(new WorkloadSpec.Trace("swim", file, 0, 1, 1, false))) {
      for (JobSpec job = jobs.next(); job != null; job = jobs.next()) {
        if (job.inputBytes() == 0) {
          continue;
        }
        int number = numbers.computeIfAbsent(job.inputPath(), path -> numbers.size());
        trace.add(job.submitSeconds(), job.inputBytes(), job.inputFileBytes(), number, chains);
      }
    } catch (IOException e) {
      throw OperatorException.badInput(e.getMessage());
    }
    if (trace.repeatedCount == 0) {
      throw OperatorException.badInput(
          file
              + ": no path is read twice: popularity needs a trace that names inputs, as SWIM's"
              + " FB-2010 with input paths does");
    }
    return trace;
  }

  /** The reads of a log, each of a whole file. */
  public static ReadTrace of(ReadHistory history) {
    ReadTrace trace = new ReadTrace();
    Map<Integer, Integer> numbers = new LinkedHashMap<>();
    Chains chains = new Chains();
    for (int read = 0; read < history.readCount(); read++) {
      int file = history.readFiles()[read];
      long size = history.files().get(file).bytes();
      if (size > 0) {
        int number = numbers.computeIfAbsent(file, each -> numbers.size());
        trace.add(history.readSeconds()[read], size, size, number, chains);
      }
    }
    return trace;
  }

  /** The read of the same file before each read, while a trace is read. */
  private static final class Chains {
    private int[] previous = new int[1024];
    private int[] last = new int[1024];

    void add(int read, int file, boolean isFirst) {
      if (read == previous.length) {
        previous = Arrays.copyOf(previous, 2 * read);
        last = Arrays.copyOf(last, 2 * read);
      }
      previous[read] = isFirst ? -1 : last[file];
      last[file] = read;
    }
  }

  private void add(double now, long readBytes, long size, int file, Chains chains) {
    chains.add(readCount, file, file == fileCount);
    if (readCount == seconds.length) {
      int length = 2 * readCount;
      seconds = Arrays.copyOf(seconds, length);
      files = Arrays.copyOf(files, length);
      bytes = Arrays.copyOf(bytes, length);
      readers = Arrays.copyOf(readers, length);
      sizes = Arrays.copyOf(sizes, length);
    }
    seconds[readCount] = now;
    files[readCount] = file;
    bytes[readCount] = readBytes;
    int together = 1;
    int before = chains.previous[readCount];
    while (before >= 0 && now - seconds[before] < READ_SECONDS) {
      together++;
      before = chains.previous[before];
    }
    readers[readCount] = together;
    sizes[file] = size;
    if (file == fileCount) {
      fileCount++;
    } else {
      repeatedCount++;
    }
    readCount++;
  }

  int readCount() {
    return readCount;
  }

  int fileCount() {
    return fileCount;
  }

  /** Reads of files that were read before. */
  int repeatedCount() {
    return repeatedCount;
  }

  double seconds(int read) {
    return seconds[read];
  }

  int file(int read) {
    return files[read];
  }

  long bytes(int read) {
    return bytes[read];
  }

  /** The number of readers of that file at that moment, this one included. */
  int readers(int read) {
    return readers[read];
  }

  /** Size of a file in bytes. */
  long size(int file) {
    return sizes[file];
  }

  long sizeOfAll() {
    return Arrays.stream(sizes, 0, fileCount).sum();
  }

  /** Whether anything is read twice: else there is nothing to predict. */
  public boolean repeats() {
    return repeatedCount > 0;
  }

  /** Whether two windows of that length fit: one to learn from, one to predict. */
  public boolean holdsTwo(double windowSeconds) {
    return windowCount(windowSeconds) >= 2;
  }

  /**
   * The number of windows that fit. The last second belongs to the trace: a day's trace has a whole
   * day.
   */
  int windowCount(double windowSeconds) {
    return (int) Math.floor((lastSeconds() + 1) / windowSeconds);
  }

  double lastSeconds() {
    return readCount == 0 ? 0 : seconds[readCount - 1];
  }
}
