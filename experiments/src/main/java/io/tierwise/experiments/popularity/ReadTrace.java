package io.tierwise.experiments.popularity;

import io.tierwise.core.message.OperatorException;
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
    int[] previous = new int[0];
    int[] last = new int[0];
    try (JobSource jobs = TraceJobs.open(new WorkloadSpec.Trace("swim", file, 0, 1, 1, false))) {
      for (JobSpec job = jobs.next(); job != null; job = jobs.next()) {
        if (job.inputBytes() == 0) {
          continue;
        }
        int number = numbers.computeIfAbsent(job.inputPath(), path -> numbers.size());
        if (trace.readCount == previous.length) {
          previous = Arrays.copyOf(previous, Math.max(1024, 2 * trace.readCount));
          last = Arrays.copyOf(last, previous.length);
        }
        boolean isFirst = number == trace.fileCount;
        previous[trace.readCount] = isFirst ? -1 : last[number];
        last[number] = trace.readCount;
        trace.add(job, number, previous);
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

  private void add(JobSpec job, int file, int[] previous) {
    if (readCount == seconds.length) {
      int length = 2 * readCount;
      seconds = Arrays.copyOf(seconds, length);
      files = Arrays.copyOf(files, length);
      bytes = Arrays.copyOf(bytes, length);
      readers = Arrays.copyOf(readers, length);
      sizes = Arrays.copyOf(sizes, length);
    }
    double now = job.submitSeconds();
    seconds[readCount] = now;
    files[readCount] = file;
    bytes[readCount] = job.inputBytes();
    int together = 1;
    int before = previous[readCount];
    while (before >= 0 && now - seconds[before] < READ_SECONDS) {
      together++;
      before = previous[before];
    }
    readers[readCount] = together;
    sizes[file] = job.inputFileBytes();
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

  /** How many read that file then, this read included. */
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

  /** Whether two windows of that length fit: one to learn from, one to predict. */
  boolean holdsTwo(double windowSeconds) {
    return windowCount(windowSeconds) >= 2;
  }

  /** How many windows fit. The last second belongs to the trace: a day's trace has a whole day. */
  int windowCount(double windowSeconds) {
    return (int) Math.floor((lastSeconds() + 1) / windowSeconds);
  }

  double lastSeconds() {
    return readCount == 0 ? 0 : seconds[readCount - 1];
  }
}
