package io.tierwise.hadoop.autotier;

import io.tierwise.hadoop.inspect.cluster.NameNodePlugin;
import io.tierwise.hadoop.mover.MoverCluster;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * The storage types that have a quota of their own, by directory. For many threads.
 *
 * <p>The plug-in answers for a directory and all above it. Stock HDFS is asked of each of them:
 * where there is no quota, it counts all that is below for its answer, as {@code hdfs dfs -du} does
 * ({@code FSDirStatAndListingOp.getQuotaUsage}, Hadoop 3.5.0). So it is asked once a day, in a
 * thread that nobody waits for long.
 */
final class LimitedTypes {
  /** Own: well below the minute within which a daemon has to renew its lease. */
  private static final long PATIENCE_SECONDS = 10;

  /** Own: a round heeds what was set a minute before. */
  private static final long KEPT_SECONDS = 60;

  /** Own: counting takes a NameNode some seconds for ten million files. */
  private static final long KEPT_FROM_STOCK_SECONDS = TimeUnit.DAYS.toSeconds(1);

  /** Own: some 30 MB. Those beyond are asked again. */
  private static final int DIRECTORIES_MAX = 100_000;

  private static final long IDLE = Long.MIN_VALUE;

  private final DistributedFileSystem fs;
  private final NameNodePlugin plugin;
  private final Map<String, Question> questions = new HashMap<>();
  private final ThreadPoolExecutor asker =
      new ThreadPoolExecutor(
          1, 1, KEPT_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), LimitedTypes::thread);

  private volatile long busySinceNanos = IDLE;

  // Of the asking thread alone.
  private final Map<String, Known> stock = new HashMap<>();
  private NameNodePlugin.Answer active;
  private long activeNanos;

  private record Question(CompletableFuture<Set<StorageType>> types, long nanos) {}

  private record Known(Set<StorageType> types, long nanos) {}

  LimitedTypes(MoverCluster cluster) {
    fs = cluster.fs();
    plugin = new NameNodePlugin(fs, cluster.conf());
    asker.allowCoreThreadTimeOut(true);
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "autotier-quotas");
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Those with a quota on the directory or above it.
   *
   * @throws TimeoutException when HDFS still counts: nobody waits then until it has
   * @throws ExecutionException with the reason why it could not be asked
   */
  Set<StorageType> above(String directory)
      throws ExecutionException, TimeoutException, InterruptedException {
    CompletableFuture<Set<StorageType>> types = question(directory).types();
    long since = busySinceNanos;
    long busy = since == IDLE ? 0 : System.nanoTime() - since;
    return types.get(
        Math.max(0, TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS) - busy), TimeUnit.NANOSECONDS);
  }

  private synchronized Question question(String directory) {
    Question asked = questions.get(directory);
    if (asked == null || (asked.types().isDone() && isOlder(asked.nanos(), KEPT_SECONDS))) {
      if (questions.size() >= DIRECTORIES_MAX) {
        questions.clear();
      }
      asked =
          new Question(
              CompletableFuture.supplyAsync(() -> ask(directory), asker), System.nanoTime());
      questions.put(directory, asked);
    }
    return asked;
  }

  private static boolean isOlder(long nanos, long seconds) {
    return System.nanoTime() - nanos > TimeUnit.SECONDS.toNanos(seconds);
  }

  private Set<StorageType> ask(String directory) {
    busySinceNanos = System.nanoTime();
    try {
      return plugInRuns() ? ofPlugIn(directory) : ofStock(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      busySinceNanos = IDLE;
    }
  }

  /** Another NameNode may be active by now. */
  private boolean plugInRuns() throws IOException {
    if (active == null || isOlder(activeNanos, KEPT_SECONDS)) {
      active = plugin.ofActive();
      activeNanos = System.nanoTime();
    }
    if (active.state() == NameNodePlugin.State.UNKNOWN) {
      throw new IOException(active.whyNot());
    }
    return active.runs();
  }

  private Set<StorageType> ofPlugIn(String directory) throws IOException {
    try {
      return plugin.typesWithQuota(active, directory);
    } catch (NameNodePlugin.OlderPlugin e) {
      return ofStock(directory);
    } catch (IOException e) {
      active = null;
      throw e;
    }
  }

  private Set<StorageType> ofStock(String directory) throws IOException {
    Set<StorageType> types = EnumSet.noneOf(StorageType.class);
    for (Path each = new Path(directory); each != null; each = each.getParent()) {
      types.addAll(on(each));
    }
    return types;
  }

  private Set<StorageType> on(Path directory) throws IOException {
    String path = directory.toString();
    Known known = stock.get(path);
    if (known == null || isOlder(known.nanos(), KEPT_FROM_STOCK_SECONDS)) {
      if (stock.size() >= DIRECTORIES_MAX) {
        stock.clear();
      }
      known = new Known(read(directory), System.nanoTime());
      stock.put(path, known);
    }
    return known.types();
  }

  private Set<StorageType> read(Path directory) throws IOException {
    Set<StorageType> types = EnumSet.noneOf(StorageType.class);
    try {
      QuotaUsage usage = fs.getQuotaUsage(directory);
      for (StorageType type : StorageType.getTypesSupportingQuota()) {
        if (usage.getTypeQuota(type) >= 0) {
          types.add(type);
        }
      }
    } catch (FileNotFoundException e) {
      // It was removed just now, which is seen when its files are moved.
    }
    return types;
  }
}
