package io.tierwise.experiments.advise;

import io.tierwise.core.use.JobReads;
import io.tierwise.core.use.JobReads.ReadingJob;
import io.tierwise.core.use.ReadHistory;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The reads of a replay as a trace of jobs, one a read.
 *
 * <p>A read of no job that is known is of the whole file, or of as much as DataNodes sent of it for
 * each read, by a map for each block, without computing: a log says no more. Of a job that is known
 * its history bounds it:
 *
 * <ul>
 *   <li>all its reads together are of the bytes that its counters have, each in proportion to its
 *       file's size and none of more;
 *   <li>all its reads together have as many maps as read at the same time, one a read at least;
 *   <li>they compute as long as its tasks did, in proportion to their bytes.
 * </ul>
 */
final class ReplayTrace {
  private final ReadHistory history;
  private final JobReads jobs;
  private final double[] bytesOfJob;
  private final int[] readsOfJob;

  ReplayTrace(ReadHistory history, JobReads jobs) {
    this.history = history;
    this.jobs = jobs;
    bytesOfJob = new double[jobs.jobs().size()];
    readsOfJob = new int[jobs.jobs().size()];
    for (int read = 0; read < history.readCount(); read++) {
      int job = job(read);
      if (job != JobReads.NONE) {
        bytesOfJob[job] += (double) fileBytes(read);
        readsOfJob[job]++;
      }
    }
  }

  private int job(int read) {
    return jobs.jobOfRead()[read];
  }

  private long fileBytes(int read) {
    return history.files().get(history.readFiles()[read]).bytes();
  }

  /** Bytes that a read is of. */
  long bytes(int read) {
    int job = job(read);
    long whole = fileBytes(read);
    if (job == JobReads.NONE || jobs.jobs().get(job).readBytes() == 0) {
      return history.files().get(history.readFiles()[read]).readBytes();
    }
    double share = jobs.jobs().get(job).readBytes() / Math.max(1, bytesOfJob[job]);
    return (long) Math.ceil(Math.min(1, share) * whole);
  }

  /** Maps that a read has; 0 for one a block. */
  int maps(int read) {
    int job = job(read);
    return job == JobReads.NONE
        ? 0
        : 1 + (jobs.jobs().get(job).readersMax() - 1) / Math.max(1, readsOfJob[job]);
  }

  private long cpuMillis(int read) {
    int job = job(read);
    if (job == JobReads.NONE || bytesOfJob[job] == 0) {
      return 0;
    }
    ReadingJob of = jobs.jobs().get(job);
    return Math.round(1e3 * of.cpuSeconds() * fileBytes(read) / bytesOfJob[job]);
  }

  /** Writes the reads from one on, the first of them at 0. */
  void write(int firstRead, Path file) throws IOException {
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      double start = history.readSeconds()[firstRead];
      for (int read = firstRead; read < history.readCount(); read++) {
        String submitted = "{\"id\":\"r" + read + "\",\"submit_millis\":" + millis(read, start);
        out.write(submitted + (fileBytes(read) > 0 ? input(read) : "") + "}\n");
      }
    }
  }

  private long millis(int read, double start) {
    return 1_000 * Math.round(history.readSeconds()[read] - start);
  }

  /** Names are our own, and hold nothing that JSON escapes. */
  private String input(int read) {
    return String.format(
        Locale.ROOT,
        ",\"path\":\"%s\",\"input_bytes\":%d,\"file_bytes\":%d,\"maps\":%d,\"map_cpu_millis\":%d",
        ReplayCluster.path(history.readFiles()[read]),
        bytes(read),
        fileBytes(read),
        maps(read),
        cpuMillis(read));
  }
}
