package io.tierwise.lab.demo;

import io.tierwise.core.message.Listener;
import io.tierwise.core.message.Words;
import io.tierwise.lab.embedded.EmbeddedPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.apache.hadoop.fs.FileUtil;

/**
 * Files become hot and cold while many read them, and a fast tier that has room for some of them is
 * managed in several ways: from the settings to the results.
 *
 * @param directory where results go, and the cluster's files while it runs
 * @param seed of contents and reads
 * @param quick little data and few phases
 */
public record PopularityDemo(Path directory, long seed, boolean quick) {
  static final double SPEED_FACTOR = 0.1;
  private static final long FILE_BYTES = 2 << 20;
  private static final long QUICK_FILE_BYTES = 1 << 20;

  /** Own: two more than the hot set, so that what has just cooled need not leave at once. */
  private static final int ROOM_BEYOND_HOT = 2;

  EmbeddedPlan cluster() {
    return EmbeddedPlan.SMALL.withSpeedFactor(SPEED_FACTOR);
  }

  HotSet hotSet() {
    // As many readers as there are nodes without the fastest device.
    EmbeddedPlan plan = cluster();
    int readers = plan.rackCount() * (plan.nodesPerRack() - 1);
    return quick
        ? new HotSet(10, 3, readers, 3, 1, 1, 1, seed)
        : new HotSet(24, 7, readers, 6, 2, 2, 3, seed);
  }

  long fileBytes() {
    return quick ? QUICK_FILE_BYTES : FILE_BYTES;
  }

  int roomFiles() {
    return hotSet().hotFiles() + ROOM_BEYOND_HOT;
  }

  /** The plan of the demo, in a sentence or two. */
  public String introduction() {
    HotSet reads = hotSet();
    return String.format(
        Locale.ROOT,
        "Embedded HDFS: %d DataNodes in %d racks; %d files of %s with 3 replicas on disks. In each"
            + " of %d phases %d readers read %d hot files (each reader each file %s), and each of"
            + " them %s; from phase to phase %d of the hot files are replaced. The fastest"
            + " tier may hold %d files; replicas move while readers read on."
            + " Devices and links are EMULATED (hatS Table 4.2 and 10 Gbps, times %s): the data"
            + " is real, the time that a device would take is slept.",
        cluster().nodes().size(),
        cluster().rackCount(),
        reads.files(),
        Words.bytes(fileBytes()),
        reads.phases(),
        reads.readers(),
        reads.hotFiles(),
        reads.hotReads() == 1 ? "once" : reads.hotReads() + " times",
        Words.count(reads.coldReads(), "other file"),
        reads.shift(),
        roomFiles(),
        SPEED_FACTOR);
  }

  /** Runs all, and writes {@code popularity.svg}. */
  public PopularityResult run(Listener listener) throws IOException {
    Files.createDirectories(directory);
    PopularityResult result;
    try {
      try (PopularityDemoRun run = new PopularityDemoRun(this, listener)) {
        result = run.all();
      }
      result = result.with(waitingJob(listener));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    Files.writeString(directory.resolve("popularity.svg"), result.chart());
    return result;
  }

  private WaitingJobResult waitingJob(Listener listener) throws IOException, InterruptedException {
    listener.say("And a job on YARN: it is profiled, waits, and finds its input prefetched.");
    Path files = directory.resolve("jobs-" + ProcessHandle.current().pid());
    try {
      return new WaitingJobRun(files).all();
    } finally {
      FileUtil.fullyDelete(files.toFile());
    }
  }
}
