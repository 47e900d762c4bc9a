package io.tierwise.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A NameNode with {@code auto} that orders as many blocks as clients of other processes can ask it
 * for: what it remembers is bounded, and no handler waits for a lock of ours.
 */
@Tag("long")
class ManyOpensOnProcessesIT {
  private static final org.apache.hadoop.fs.Path FILE = new org.apache.hadoop.fs.Path("/file");
  private static final int BLOCKS = 10;
  private static final int BLOCK_BYTES = 1 << 20;
  private static final int NODES = 3;
  private static final int LOADERS = 2;
  private static final int THREADS = 8;
  private static final int SECONDS = 20;
  private static final long GROWTH_BYTES_MAX = 1 << 20;

  private static final String TIERS =
      """
      tiers:
        - {name: fast, match: {storage-type: SSD}, class: {name: s, read-megabytes-per-second: 500}}
        - {name: slow, match: {storage-type: DISK}, class: {name: d, read-megabytes-per-second: 99}}
      """;

  /** A line of a class histogram: number, instances, bytes, class. */
  private static final Pattern HELD =
      Pattern.compile("^\\s*\\d+:\\s+\\d+\\s+(\\d+)\\s+(\\S+)", Pattern.MULTILINE);

  @TempDir private Path folder;

  @Test
  void memoryIsBoundedAndNobodyWaitsForUs() throws Exception {
    try (HdfsProcesses hdfs = new HdfsProcesses(folder)) {
      hdfs.startNameNode(AutoProcesses.KEYS, TIERS);
      for (int node = 0; node < NODES; node++) {
        hdfs.startDataNode("datanode" + node, Map.of(), TIERS);
      }
      byte[] data;
      try (FileSystem fs = AutoProcesses.stock(hdfs)) {
        data = AutoProcesses.write(fs, FILE, BLOCKS * BLOCK_BYTES, NODES, BLOCK_BYTES);
      }
      load(hdfs, 5);
      long heldBefore = held(hdfs);
      long before = ordered(hdfs);
      long start = System.nanoTime();
      List<String> waiting = load(hdfs, SECONDS);
      double seconds = (System.nanoTime() - start) / 1e9;
      long blocks = ordered(hdfs) - before;
      System.out.printf(
          "%d blocks ordered in %.1f s, %.0f a second; held before %d, after %d bytes%n",
          blocks, seconds, blocks / seconds, heldBefore, held(hdfs));
      assertThat(blocks).isPositive();
      assertThat(waiting).isEmpty();
      assertThat(held(hdfs) - heldBefore).isLessThan(GROWTH_BYTES_MAX);
      AutoProcesses.assertNothingFailed(hdfs);
      try (FileSystem fs = AutoProcesses.stock(hdfs);
          FSDataInputStream in = fs.open(FILE)) {
        assertThat(in.readAllBytes()).isEqualTo(data);
      }
    }
  }

  /** From several processes; says which of the NameNode's threads waited for a lock of ours. */
  private static List<String> load(HdfsProcesses hdfs, int seconds) throws Exception {
    ExecutorService loaders = Executors.newFixedThreadPool(LOADERS);
    List<String> waiting = new ArrayList<>();
    try {
      List<Future<String>> running = new ArrayList<>();
      for (int loader = 0; loader < LOADERS; loader++) {
        String name = "loader" + loader;
        Callable<String> run =
            () ->
                hdfs.client(
                    name,
                    Map.of(),
                    hdfs.classPath(),
                    OpenLoad.class.getName(),
                    hdfs.uri().toString(),
                    FILE.toString(),
                    String.valueOf(THREADS),
                    String.valueOf(seconds));
        running.add(loaders.submit(run));
      }
      while (running.stream().anyMatch(loader -> !loader.isDone())) {
        waiting.addAll(waitingForOurs(jcmd(hdfs, "Thread.print")));
        Thread.sleep(200);
      }
      for (Future<String> loader : running) {
        assertThat(loader.get().strip()).as("calls").matches("(?s).*\\d+");
      }
    } finally {
      loaders.shutdownNow();
    }
    return waiting;
  }

  /** Threads that are blocked in code of ours, or at a lock that is an object of ours. */
  static List<String> waitingForOurs(String threads) {
    List<String> waiting = new ArrayList<>();
    for (String thread : threads.split("\n\n")) {
      String[] lines = thread.split("\n");
      boolean blocked = lines.length > 2 && lines[1].contains("State: BLOCKED");
      if (blocked
          && (lines[2].contains("at io.tierwise.")
              || thread.matches("(?s).*waiting to lock <\\w+> \\(a io\\.tierwise\\..*"))) {
        waiting.add(thread);
      }
    }
    return waiting;
  }

  /** The NameNode's bytes of our classes and of the array of counts; garbage is not in it. */
  private static long held(HdfsProcesses hdfs) throws Exception {
    Matcher line = HELD.matcher(jcmd(hdfs, "GC.class_histogram"));
    long bytes = 0;
    while (line.find()) {
      if (line.group(2).startsWith("io.tierwise.")) {
        bytes += Long.parseLong(line.group(1));
      }
    }
    assertThat(bytes).as("the histogram has classes of ours").isPositive();
    return bytes;
  }

  private static String jcmd(HdfsProcesses hdfs, String command) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                String.valueOf(hdfs.processes().pid(HdfsProcesses.NAME_NODE)),
                command)
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }

  private static long ordered(HdfsProcesses hdfs) throws IOException {
    return AutoProcesses.topology(hdfs).path("OrderedBlocks").asLong(-1);
  }
}
