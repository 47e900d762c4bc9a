package io.tierwise.cli.process;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSClient;

/** Asks a NameNode for a file's blocks as fast as it answers, as streams do that are opened. */
public final class OpenLoad {
  private OpenLoad() {}

  /**
   * Prints the number of calls that were answered.
   *
   * @param arguments the NameNode, the path, threads, seconds
   */
  public static void main(String[] arguments) throws Exception {
    URI nameNode = URI.create(arguments[0]);
    String path = arguments[1];
    int threads = Integer.parseInt(arguments[2]);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.parseLong(arguments[3]));
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    List<Future<Long>> running = new ArrayList<>();
    for (int thread = 0; thread < threads; thread++) {
      running.add(pool.submit(() -> calls(nameNode, path, end)));
    }
    long calls = 0;
    for (Future<Long> each : running) {
      calls += each.get();
    }
    pool.shutdown();
    System.out.println(calls);
  }

  private static long calls(URI nameNode, String path, long end) throws Exception {
    long calls = 0;
    try (DFSClient client = new DFSClient(nameNode, new Configuration())) {
      while (System.nanoTime() < end) {
        client.getLocatedBlocks(path, 0);
        calls++;
      }
    }
    return calls;
  }
}
