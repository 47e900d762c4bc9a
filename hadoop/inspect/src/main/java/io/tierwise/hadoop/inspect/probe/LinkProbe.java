package io.tierwise.hadoop.inspect.probe;

import io.tierwise.core.message.OperatorException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;

/**
 * Measures how fast this machine reads from DataNodes what lies in their memory: the slower of two
 * links, and of what the network between them leaves. Nothing of ours runs on the other side: a
 * small file is written to the node, so that its page cache holds it, and read again.
 *
 * <p>A figure is no more than this machine's own link, so the machine should have a fast one.
 */
public final class LinkProbe {
  private static final long BLOCK_MULTIPLE_BYTES = 1 << 20;
  private static final int BUFFER_BYTES = 256 << 10;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final int SECONDS_MAX = 3_600;

  /** Begins the name of the folder that the files are in. */
  public static final String FOLDER = "/tmp/tierwise-links-";

  private final DistributedFileSystem fs;
  private final Settings settings;
  private final Consumer<String> progress;
  private final BooleanSupplier stop;

  /**
   * How to measure.
   *
   * @param fileBytes that are written to each node; a multiple of 1 MiB
   * @param secondsEach of reading, at least one whole read
   */
  public record Settings(long fileBytes, double secondsEach) {
    /**
     * Settings as a user gives them.
     *
     * @throws OperatorException when they are out of range
     */
    public static Settings of(int fileMebibytes, double seconds) {
      if (fileMebibytes < 1 || !(seconds > 0 && seconds <= SECONDS_MAX)) {
        throw OperatorException.badInput(
            "--file-mebibytes "
                + fileMebibytes
                + " and --seconds "
                + seconds
                + " must be above 0, the latter at most "
                + SECONDS_MAX);
      }
      return new Settings(fileMebibytes * BLOCK_MULTIPLE_BYTES, seconds);
    }
  }

  /**
   * The measurements by host name, in the order in which they were made.
   *
   * @param bytesPerSecond at which a node was read
   * @param failures why others could not be measured, a line each
   */
  public record Result(Map<String, Double> bytesPerSecond, Map<String, String> failures) {}

  /**
   * @param stop asked between pieces of a file: the user wants the probe to end
   */
  public LinkProbe(
      DistributedFileSystem fs,
      Settings settings,
      Consumer<String> progress,
      BooleanSupplier stop) {
    this.fs = fs;
    this.settings = settings;
    this.progress = progress;
    this.stop = stop;
  }

  /**
   * Measures one node after the other; the files are removed at the end, also after an error.
   *
   * @return what was measured until then, when it is to stop
   */
  public Result measure(List<DatanodeInfo> nodes) throws IOException {
    Map<String, Double> speeds = new LinkedHashMap<>();
    Map<String, String> failures = new LinkedHashMap<>();
    Path folder = new Path(FOLDER + UUID.randomUUID());
    try {
      for (DatanodeInfo node : nodes) {
        if (stop.getAsBoolean()) {
          break;
        }
        progress.accept("measuring the link to " + node.getHostName());
        try {
          speeds.put(node.getHostName(), measure(node, folder));
        } catch (IOException e) {
          failures.put(node.getHostName(), firstLine(e));
        }
      }
    } finally {
      fs.delete(folder, true);
    }
    return new Result(speeds, failures);
  }

  private static String firstLine(IOException e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("no reason given");
  }

  private double measure(DatanodeInfo node, Path folder) throws IOException {
    Path file = new Path(folder, node.getDatanodeUuid());
    write(node, file);
    BlockLocation[] blocks = fs.getFileBlockLocations(file, 0, settings.fileBytes());
    for (BlockLocation block : blocks) {
      if (!List.of(block.getNames()).contains(node.getXferAddr())) {
        throw new IOException("the NameNode put the file elsewhere; a full or busy node?");
      }
    }
    double best = 0;
    double seconds = 0;
    while (seconds < settings.secondsEach() && !stop.getAsBoolean()) {
      double took = read(file);
      best = Math.max(best, settings.fileBytes() / took);
      seconds += took;
    }
    return best;
  }

  private void write(DatanodeInfo node, Path file) throws IOException {
    InetSocketAddress[] favored = {new InetSocketAddress(node.getIpAddr(), node.getXferPort())};
    try (OutputStream out =
        fs.create(
            file,
            FsPermission.getFileDefault(),
            true,
            BUFFER_BYTES,
            (short) 1,
            settings.fileBytes(),
            null,
            favored)) {
      byte[] buffer = new byte[BUFFER_BYTES];
      for (long left = settings.fileBytes();
          left > 0 && !stop.getAsBoolean();
          left -= buffer.length) {
        out.write(buffer, 0, (int) Math.min(left, buffer.length));
      }
    }
  }

  private double read(Path file) throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    long start = System.nanoTime();
    try (InputStream in = fs.open(file)) {
      while (!stop.getAsBoolean() && in.read(buffer) > 0) {
        // Only the time of the read matters, not its bytes.
      }
    }
    return (System.nanoTime() - start) / NANOS_PER_SECOND;
  }
}
