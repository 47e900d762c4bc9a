package io.tierwise.lab.testbed.bench;

import io.tierwise.lab.testbed.Testbed;
import io.tierwise.lab.testbed.host.NodeProcesses;
import io.tierwise.lab.testbed.plan.NodePlan;
import io.tierwise.lab.testbed.plan.VolumePlan;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Writers at work on one device, each in two halves, because the kernel limits a device's reads and
 * writes apart, so that writes would take nothing from readers. One half is a write through HDFS,
 * which the DataNode reports: a block that stays open and grows slowly. The other takes the
 * writer's part of the device: direct reads of two megabytes, one after the other.
 */
final class BackgroundWriters implements AutoCloseable {
  private static final Path FOLDER = new Path("/bench/background");
  private static final int BUFFER_BYTES = 64 << 10;
  private static final long PAUSE_MILLIS = 500;
  private static final long BLOCK_BYTES = 64 << 20;
  private static final int DATA_NODE_PORT = 9866;
  private static final long END_SECONDS_MAX = 30;

  private final DistributedFileSystem admin;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<FSDataOutputStream> streams = new ArrayList<>();
  private final List<Future<Void>> growing = new ArrayList<>();
  private final List<Process> loads = new ArrayList<>();

  private BackgroundWriters(DistributedFileSystem admin) {
    this.admin = admin;
  }

  static BackgroundWriters start(
      Testbed testbed, DistributedFileSystem admin, NodePlan node, VolumePlan device)
      throws IOException {
    BackgroundWriters writers = new BackgroundWriters(admin);
    try {
      admin.mkdirs(FOLDER);
      String path = testbed.host().volumes().mounted().get(device.name()).device();
      NodeProcesses processes = new NodeProcesses(testbed.plan(), testbed.host().limits());
      for (int writer = 0; writer < BenchFault.WRITERS; writer++) {
        writers.write(node, device, new Path(FOLDER, "writer-" + writer));
        writers.load(processes, node, path);
      }
      return writers;
    } catch (IOException | RuntimeException e) {
      writers.close();
      throw e;
    }
  }

  private void write(NodePlan node, VolumePlan device, Path file) throws IOException {
    InetSocketAddress[] there = {new InetSocketAddress(node.name(), DATA_NODE_PORT)};
    FSDataOutputStream out =
        admin
            .createFile(file)
            .overwrite(true)
            .storagePolicyName("ALL_SSD")
            .replication((short) 1)
            .blockSize(BLOCK_BYTES)
            .favoredNodes(there)
            .build();
    streams.add(out);
    byte[] buffer = new byte[BUFFER_BYTES];
    out.write(buffer);
    out.hflush();
    requireThere(node, device, file);
    growing.add(threads.submit(() -> grow(out, buffer)));
  }

  private void requireThere(NodePlan node, VolumePlan device, Path file) throws IOException {
    for (BlockLocation block : admin.getFileBlockLocations(file, 0, BLOCK_BYTES)) {
      String type = block.getStorageTypes()[0].name();
      if (!block.getHosts()[0].equals(node.name()) || !type.equals(device.kind().storageType())) {
        throw new IOException(file + " is written to " + block + ", not to " + device.name());
      }
    }
  }

  /** Ends when it is interrupted, or with the block, long after the slowest read. */
  private static Void grow(FSDataOutputStream out, byte[] buffer) throws Exception {
    for (long bytes = buffer.length; bytes < BLOCK_BYTES - BUFFER_BYTES; bytes += buffer.length) {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      out.write(buffer);
    }
    return null;
  }

  private void load(NodeProcesses processes, NodePlan node, String device) throws IOException {
    List<String> read = List.of("dd", "if=" + device, "of=/dev/null", "bs=2M", "iflag=direct");
    loads.add(
        new ProcessBuilder(processes.inside(node.name(), read))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start());
  }

  /**
   * @throws IOException also when one had ended before: what was read meanwhile does not count
   */
  @Override
  public void close() throws IOException {
    boolean allAlive =
        loads.stream().allMatch(Process::isAlive) && growing.stream().noneMatch(Future::isDone);
    loads.forEach(Process::destroyForcibly);
    threads.shutdownNow();
    try {
      threads.awaitTermination(END_SECONDS_MAX, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    for (FSDataOutputStream stream : streams) {
      stream.close();
    }
    admin.delete(FOLDER, true);
    if (!allAlive) {
      throw new IOException("a writer beside the readers ended too early");
    }
  }
}
