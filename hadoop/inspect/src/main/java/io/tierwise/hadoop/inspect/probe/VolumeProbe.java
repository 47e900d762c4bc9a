package io.tierwise.hadoop.inspect.probe;

import com.sun.nio.file.ExtendedOpenOption;
import io.tierwise.core.cluster.DeviceClass;
import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/**
 * Measures one directory's device with a temporary file: sequential write, sequential read, random
 * reads, and sequential reads by several readers at once.
 *
 * <p>Reads and writes go past the page cache (O_DIRECT) where the file system can; elsewhere
 * through it, and {@link Result#direct} says so. The file is removed at the end, also after an
 * error.
 */
public final class VolumeProbe {
  private static final int SEQUENTIAL_REQUEST_BYTES = 1 << 20;
  private static final int RANDOM_REQUEST_BYTES = 4096;

  /** A reader count is at the peak when its total is within this share of the best. */
  private static final double PEAK_SHARE = 0.95;

  private static final double NANOS_PER_SECOND = 1e9;

  private final Settings settings;
  private final Consumer<String> progress;

  /**
   * How to measure.
   *
   * @param fileBytes size of the temporary file; a multiple of 1 MiB
   * @param secondsEach longest duration of each read measurement
   * @param readerCounts numbers of concurrent readers to try, ascending, from 1
   */
  public record Settings(long fileBytes, double secondsEach, List<Integer> readerCounts) {
    private static final int READERS_MAX = 256;
    private static final int SECONDS_MAX = 3_600;

    /**
     * Settings as a user gives them.
     *
     * @throws OperatorException when they are out of range
     */
    public static Settings of(int fileMebibytes, double seconds, List<Integer> readers) {
      if (fileMebibytes < 1 || !(seconds > 0 && seconds <= SECONDS_MAX)) {
        throw OperatorException.badInput(
            "--file-mebibytes "
                + fileMebibytes
                + " and --seconds "
                + seconds
                + " must be above 0, the latter at most "
                + SECONDS_MAX);
      }
      for (int count : readers) {
        if (count < 1 || count > Math.min(READERS_MAX, fileMebibytes)) {
          throw OperatorException.badInput(
              "--readers "
                  + count
                  + ": give numbers from 1 to "
                  + Math.min(READERS_MAX, fileMebibytes)
                  + " (each reader needs 1 MiB of the file)");
        }
      }
      List<Integer> counts = readers.stream().distinct().sorted().toList();
      if (counts.get(0) != 1) {
        throw OperatorException.badInput(
            "--readers must begin with 1: one reader alone is a figure");
      }
      return new Settings((long) fileMebibytes << 20, seconds, counts);
    }
  }

  /** Total throughput of a number of concurrent sequential readers. */
  public record Readers(int readerCount, double bytesPerSecond) {}

  /**
   * The measured figures.
   *
   * @param direct whether the page cache was bypassed
   * @param curve total sequential read throughput by reader count
   */
  public record Result(
      Path directory,
      boolean direct,
      double writeBytesPerSecond,
      double readBytesPerSecond,
      double randomReadsPerSecond,
      List<Readers> curve) {

    /** The smallest reader count that reaches the peak: the default of the threshold T_r. */
    public Readers peak() {
      double best = curve.stream().mapToDouble(Readers::bytesPerSecond).max().orElseThrow();
      return curve.stream()
          .filter(r -> r.bytesPerSecond() >= PEAK_SHARE * best)
          .findFirst()
          .orElseThrow();
    }

    public DeviceClass deviceClass(String name) {
      return new DeviceClass(
          name,
          readBytesPerSecond,
          writeBytesPerSecond,
          randomReadsPerSecond,
          peak().readerCount(),
          peak().bytesPerSecond());
    }
  }

  public VolumeProbe(Settings settings, Consumer<String> progress) {
    this.settings = settings;
    this.progress = progress;
  }

  public Result measure(Path directory) throws IOException {
    Path file = Files.createTempFile(directory, ".tierwise-probe-", ".tmp");
    Thread cleanup = new Thread(() -> deleteQuietly(file));
    Runtime.getRuntime().addShutdownHook(cleanup);
    try {
      boolean direct = supportsDirect(file);
      progress.accept(directory + ": sequential write");
      double write = writeFile(file, direct);
      List<Readers> curve = new ArrayList<>();
      for (int readers : settings.readerCounts()) {
        progress.accept(directory + ": " + Words.count(readers, "sequential reader"));
        curve.add(new Readers(readers, readTogether(file, direct, readers)));
      }
      progress.accept(directory + ": random reads");
      double random = randomReads(file, direct);
      return new Result(directory, direct, write, curve.get(0).bytesPerSecond(), random, curve);
    } finally {
      deleteQuietly(file);
      Runtime.getRuntime().removeShutdownHook(cleanup);
    }
  }

  private void deleteQuietly(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // The directory went away with its device: there is nothing left to remove.
      progress.accept("could not remove " + file + ": " + e.getMessage());
    }
  }

  private static boolean supportsDirect(Path file) {
    try (FileChannel channel =
        FileChannel.open(file, options(true, EnumSet.of(StandardOpenOption.READ)))) {
      return channel.isOpen();
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  private static Set<OpenOption> options(boolean direct, EnumSet<StandardOpenOption> options) {
    Set<OpenOption> all = new HashSet<>(options);
    if (direct) {
      all.add(ExtendedOpenOption.DIRECT);
    }
    return all;
  }

  private static ByteBuffer alignedBuffer(Path file, int bytes) throws IOException {
    int block = (int) Math.max(RANDOM_REQUEST_BYTES, Files.getFileStore(file).getBlockSize());
    return ByteBuffer.allocateDirect(bytes + block).alignedSlice(block).limit(bytes).slice();
  }

  private double writeFile(Path file, boolean direct) throws IOException {
    ByteBuffer buffer = alignedBuffer(file, SEQUENTIAL_REQUEST_BYTES);
    SplittableRandom random = new SplittableRandom(file.hashCode());
    // Random content: a device that compresses or drops zeros would flatter itself otherwise.
    while (buffer.remaining() >= Long.BYTES) {
      buffer.putLong(random.nextLong());
    }
    long start = System.nanoTime();
    try (FileChannel channel =
        FileChannel.open(file, options(direct, EnumSet.of(StandardOpenOption.WRITE)))) {
      for (long written = 0; written < settings.fileBytes(); ) {
        buffer.clear();
        buffer.putLong(0, written);
        written += channel.write(buffer, written);
      }
      channel.force(true);
    }
    return settings.fileBytes() / seconds(start);
  }

  private static double seconds(long startNanos) {
    return (System.nanoTime() - startNanos) / NANOS_PER_SECOND;
  }

  /** Each reader reads its own part of the file, round and round, until the time is over. */
  private double readTogether(Path file, boolean direct, int readers) throws IOException {
    long partBytes =
        settings.fileBytes() / readers / SEQUENTIAL_REQUEST_BYTES * SEQUENTIAL_REQUEST_BYTES;
    long deadline = System.nanoTime() + (long) (settings.secondsEach() * NANOS_PER_SECOND);
    long start = System.nanoTime();
    ExecutorService pool = Executors.newFixedThreadPool(readers);
    try {
      List<Future<Long>> parts = new ArrayList<>();
      for (int reader = 0; reader < readers; reader++) {
        long from = reader * partBytes;
        parts.add(pool.submit(() -> readPart(file, direct, from, partBytes, deadline)));
      }
      long bytes = 0;
      for (Future<Long> part : parts) {
        bytes += part.get();
      }
      return bytes / seconds(start);
    } catch (ExecutionException e) {
      throw new IOException(e.getCause().getMessage(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while measuring " + file, e);
    } finally {
      pool.shutdownNow();
    }
  }

  private static long readPart(
      Path file, boolean direct, long from, long partBytes, long deadlineNanos) throws IOException {
    ByteBuffer buffer = alignedBuffer(file, SEQUENTIAL_REQUEST_BYTES);
    long bytes = 0;
    try (FileChannel channel =
        FileChannel.open(file, options(direct, EnumSet.of(StandardOpenOption.READ)))) {
      for (long offset = 0; System.nanoTime() - deadlineNanos < 0; ) {
        buffer.clear();
        bytes += channel.read(buffer, from + offset);
        offset = (offset + SEQUENTIAL_REQUEST_BYTES) % partBytes;
      }
    }
    return bytes;
  }

  private double randomReads(Path file, boolean direct) throws IOException {
    ByteBuffer buffer = alignedBuffer(file, RANDOM_REQUEST_BYTES);
    SplittableRandom random = new SplittableRandom(settings.fileBytes());
    long blocks = settings.fileBytes() / RANDOM_REQUEST_BYTES;
    long start = System.nanoTime();
    long count = 0;
    try (FileChannel channel =
        FileChannel.open(file, options(direct, EnumSet.of(StandardOpenOption.READ)))) {
      while (seconds(start) < settings.secondsEach()) {
        buffer.clear();
        channel.read(buffer, random.nextLong(blocks) * RANDOM_REQUEST_BYTES);
        count++;
      }
    }
    return count / seconds(start);
  }
}
