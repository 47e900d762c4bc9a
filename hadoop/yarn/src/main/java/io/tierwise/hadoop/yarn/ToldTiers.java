package io.tierwise.hadoop.yarn;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.api.records.ContainerId;

/**
 * The tiers that {@code tierwise autotier} told for the intermediate data of applications: in a
 * directory of HDFS, a file with the tier's name for each application.
 *
 * <p>A container waits two seconds at most for the answer. A node asks once about each application,
 * and again after ten seconds if nothing had been told. If HDFS did not answer, the node does not
 * ask about any application for half a minute.
 */
final class ToldTiers {
  /** The key of the directory; without it nobody is asked. */
  static final String DIRECTORY_KEY = "tierwise.nodemanager.intermediate.directory";

  private static final int NAME_BYTES_MAX = 100;

  /** Own: a node runs containers of far fewer applications within minutes. */
  private static final int KNOWN_MAX = 1_000;

  private static final int CALLS_MAX = 4;

  /** Own: more applications than begin containers on a node within two seconds. */
  private static final int QUESTIONS_MAX = 100;

  private static final long CALL_MILLIS_MAX = 2_000;
  private static final long UNTOLD_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final Question question;
  private final LongSupplier nanos;
  private final long callMillisMax;
  private final ExecutorService calls = calls();

  /** Under way, by application: a node begins many containers of one at once. */
  private final Map<String, Future<String>> asked = new HashMap<>();

  private final Map<String, Known> known =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Known> eldest) {
          return size() > KNOWN_MAX;
        }
      };

  private long restUntilNanos;
  private boolean rests;

  private record Known(String tier, long nanos) {}

  /** Reads what was told of an application; empty when nothing was. */
  @FunctionalInterface
  interface Question {
    String tier(String application) throws IOException;
  }

  ToldTiers(Question question, LongSupplier nanos) {
    this(question, nanos, CALL_MILLIS_MAX);
  }

  /**
   * @param callMillisMax for which a container waits for an answer
   */
  ToldTiers(Question question, LongSupplier nanos, long callMillisMax) {
    this.question = question;
    this.nanos = nanos;
    this.callMillisMax = callMillisMax;
  }

  /** Null where a NodeManager has no directory to look in. */
  static ToldTiers of(Configuration conf) {
    String directory = conf.getTrimmed(DIRECTORY_KEY, "");
    return directory.isEmpty()
        ? null
        : new ToldTiers(
            application -> read(new Path(directory, application), conf), System::nanoTime);
  }

  private static String read(Path file, Configuration conf) throws IOException {
    try (FSDataInputStream in = file.getFileSystem(conf).open(file)) {
      return new String(in.readNBytes(NAME_BYTES_MAX), StandardCharsets.UTF_8).strip();
    } catch (FileNotFoundException e) {
      return "";
    }
  }

  private static ExecutorService calls() {
    ThreadPoolExecutor calls =
        new ThreadPoolExecutor(
            CALLS_MAX,
            CALLS_MAX,
            1,
            TimeUnit.MINUTES,
            new ArrayBlockingQueue<>(QUESTIONS_MAX),
            ToldTiers::thread);
    calls.allowCoreThreadTimeOut(true);
    return calls;
  }

  private static Thread thread(Runnable call) {
    Thread thread = new Thread(call, "tierwise-intermediate");
    thread.setDaemon(true);
    return thread;
  }

  /**
   * The tier for a container; empty when nobody told one.
   *
   * @throws IOException when HDFS does not answer: to all that wait then, and to nobody in the next
   *     half minute
   */
  String tier(String container) throws IOException {
    String application =
        ContainerId.fromString(container).getApplicationAttemptId().getApplicationId().toString();
    Future<String> answer;
    synchronized (this) {
      Known before = known.get(application);
      long now = nanos.getAsLong();
      if (before != null && (!before.tier().isEmpty() || now - before.nanos() < UNTOLD_NANOS)) {
        return before.tier();
      }
      if (rests && now - restUntilNanos < 0) {
        return "";
      }
      rests = false;
      answer = ask(application);
    }
    try {
      String tier = within(answer);
      synchronized (this) {
        known.put(application, new Known(tier, nanos.getAsLong()));
      }
      return tier;
    } catch (IOException e) {
      synchronized (this) {
        rests = true;
        restUntilNanos = nanos.getAsLong() + REST_NANOS;
      }
      throw e;
    } finally {
      synchronized (this) {
        asked.remove(application, answer);
      }
    }
  }

  private Future<String> ask(String application) throws IOException {
    Future<String> before = asked.get(application);
    if (before != null) {
      return before;
    }
    try {
      Future<String> answer = calls.submit(() -> question.tier(application));
      asked.put(application, answer);
      return answer;
    } catch (RejectedExecutionException e) {
      throw new IOException("earlier questions are still not answered", e);
    }
  }

  private String within(Future<String> answer) throws IOException {
    try {
      return answer.get(callMillisMax, TimeUnit.MILLISECONDS);
    } catch (TimeoutException | CancellationException e) {
      answer.cancel(true);
      throw new IOException("no answer within " + callMillisMax + " ms", e);
    } catch (ExecutionException e) {
      throw new IOException(String.valueOf(e.getCause().getMessage()), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("stopped", e);
    }
  }
}
