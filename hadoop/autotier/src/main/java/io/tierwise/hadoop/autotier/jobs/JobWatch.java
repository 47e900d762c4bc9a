package io.tierwise.hadoop.autotier.jobs;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.inspect.cluster.FailureText;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;

/**
 * Asks again and again which jobs wait, in a thread of its own: a ResourceManager that is down or
 * fails over holds nobody up.
 */
public final class JobWatch implements Runnable, Closeable {
  /** Own: a job waits for seconds at least where a prefetch is worth anything. */
  private static final long REST_MILLIS = 2_000;

  /** Own: an older list may have jobs that are long over. */
  private static final long AGE_NANOS_MAX = TimeUnit.SECONDS.toNanos(30);

  private final ApplicationList applications;
  private final long waitMillisMax;
  private final Consumer<JobList> heard;
  private volatile Known known;
  private volatile String away = "";
  private volatile boolean closed;
  private Thread thread;

  private record Known(JobList list, long nanos) {}

  private JobWatch(ApplicationList applications, long waitMillisMax, Consumer<JobList> heard) {
    this.applications = applications;
    this.waitMillisMax = waitMillisMax;
    this.heard = heard;
  }

  /**
   * Nobody is asked before {@link #start}.
   *
   * @param waitMillisMax after which a job is overdue
   * @param heard is told each list, by the watch's thread
   * @throws OperatorException when the configuration does not say where a ResourceManager is
   */
  public static JobWatch of(Configuration conf, long waitMillisMax, Consumer<JobList> heard) {
    return new JobWatch(applications(conf), waitMillisMax, heard);
  }

  private static ApplicationList applications(Configuration conf) {
    return ApplicationList.of(conf)
        .orElseThrow(
            () ->
                OperatorException.badInput(
                    "--prefetch is for jobs that wait on YARN, and the configuration names no"
                        + " ResourceManager: give --conf DIR with a yarn-site.xml, or -D"
                        + " yarn.resourcemanager.address=HOST:PORT"));
  }

  /**
   * Asks once.
   *
   * @throws OperatorException when the ResourceManager does not answer
   */
  public static JobList once(Configuration conf, long waitMillisMax) {
    try (ApplicationList list = applications(conf)) {
      return list.list().within(waitMillisMax, System.currentTimeMillis());
    } catch (IOException e) {
      throw OperatorException.cluster(unseen(e), e);
    }
  }

  private static String unseen(IOException e) {
    return "jobs that wait are not seen, and nothing is prefetched for them: the ResourceManager"
        + " does not answer ("
        + FailureText.line(FailureText.cause(e))
        + ")";
  }

  /** Begins to ask. */
  public synchronized void start() {
    thread = new Thread(this, "autotier-job-watch");
    thread.setDaemon(true);
    thread.start();
  }

  /** The last list; empty when nobody has answered of late. */
  public Optional<JobList> now() {
    Known last = known;
    return last == null || System.nanoTime() - last.nanos() > AGE_NANOS_MAX
        ? Optional.empty()
        : Optional.of(last.list());
  }

  /** A line for people while the ResourceManager does not answer; empty while it does. */
  public String away() {
    return away;
  }

  @Override
  public void run() {
    try (applications) {
      // A call may clear the thread's interrupt, so the flag decides.
      while (!closed) {
        look();
        TimeUnit.MILLISECONDS.sleep(REST_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // It is closed.
    }
  }

  private void look() {
    try {
      JobList list = applications.list().within(waitMillisMax, System.currentTimeMillis());
      known = new Known(list, System.nanoTime());
      away = "";
      heard.accept(list);
    } catch (IOException e) {
      away = unseen(e);
    } catch (RuntimeException e) {
      away = unseen(new IOException(e));
    }
  }

  /** Ends it, and waits for nobody. */
  @Override
  public synchronized void close() {
    closed = true;
    if (thread != null) {
      thread.interrupt();
    }
  }
}
