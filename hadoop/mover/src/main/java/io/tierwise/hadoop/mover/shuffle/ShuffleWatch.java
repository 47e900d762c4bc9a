package io.tierwise.hadoop.mover.shuffle;

import io.tierwise.core.message.Words;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks all NodeManagers of a cluster, again and again, how much map output they have sent. What
 * goes wrong is kept for {@link #unseen}, and holds nobody up. Where the configuration names no
 * ResourceManager it does nothing.
 */
public final class ShuffleWatch implements Runnable, Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(ShuffleWatch.class);

  /**
   * Own: Hadoop's daemons make the numbers that they show anew each ten seconds by default ({@code
   * *.period} of hadoop-metrics2.properties); who asks more often sees a rate of zero in between.
   */
  private static final long REST_MILLIS = 11_000;

  /** Own: a rate that is older says nothing about now. */
  private static final long AGE_NANOS_MAX = TimeUnit.SECONDS.toNanos(40);

  /** Own: a round over a thousand NodeManagers takes a second. */
  private static final int CALLS_AT_ONCE = 16;

  private static final long ROUND_SECONDS_MAX = 30;

  private final Configuration conf;
  private final SendRates rates = new SendRates();
  private final Set<String> silent = new HashSet<>();
  private String example;
  private String unlisted;
  private volatile Known known = new Known(Map.of(), 0);
  private Thread thread;
  private volatile boolean closed;

  private record Known(Map<String, Double> byName, long nanos) {}

  /** Lists the NodeManagers that run. */
  @FunctionalInterface
  interface Listing {
    List<NodeManager> list() throws IOException;
  }

  /** Asks one NodeManager for its count. */
  @FunctionalInterface
  interface Question {
    OptionalLong ask(NodeManager node) throws IOException;
  }

  public ShuffleWatch(Configuration conf) {
    this.conf = conf;
  }

  /** Begins to ask. */
  public synchronized void start() {
    thread = new Thread(this, "mover-shuffle");
    thread.setDaemon(true);
    thread.start();
  }

  /** Ends it, and waits for nobody. */
  @Override
  public synchronized void close() {
    closed = true;
    if (thread != null) {
      thread.interrupt();
    }
  }

  /** The last known rate of the node's host; 0 when nobody has told of late. */
  public double bytesPerSecond(DatanodeInfo node) {
    Known now = known;
    if (System.nanoTime() - now.nanos() > AGE_NANOS_MAX) {
      return 0;
    }
    // Either may be the one that its NodeManager goes by.
    double byName = now.byName().getOrDefault(SendRates.key(node.getHostName()), 0.0);
    return Math.max(byName, now.byName().getOrDefault(node.getIpAddr(), 0.0));
  }

  /** A line for people: the shuffles to which nobody can yield; null when there is none. */
  public synchronized String unseen() {
    if (unlisted != null) {
      return "moves could not always yield to shuffles: the ResourceManager did not list its nodes ("
          + unlisted
          + ")";
    }
    return silent.isEmpty()
        ? null
        : "moves could not always yield to the shuffle of "
            + Words.count(silent.size(), "NodeManager")
            + " that did not say what it sends, for example of "
            + example;
  }

  @Override
  public void run() {
    ExecutorService calls =
        Executors.newFixedThreadPool(
            CALLS_AT_ONCE,
            task -> {
              Thread call = new Thread(task, "mover-shuffle-call");
              call.setDaemon(true);
              return call;
            });
    try {
      Optional<RunningNodes> nodes = RunningNodes.of(conf);
      if (nodes.isPresent()) {
        try (RunningNodes running = nodes.get()) {
          watch(running::list, new SentCount(conf)::ask, calls);
        }
      }
    } catch (RuntimeException e) {
      unlisted(e);
    } catch (InterruptedException e) {
      // The mover is closed.
      Thread.currentThread().interrupt();
    } finally {
      calls.shutdownNow();
    }
  }

  private void watch(Listing listing, Question question, ExecutorService calls)
      throws InterruptedException {
    // A call that was interrupted may have forgotten that.
    while (!closed) {
      look(listing, question, calls);
      if (!closed) {
        TimeUnit.MILLISECONDS.sleep(REST_MILLIS);
      }
    }
  }

  /** Asks all once. */
  void look(Listing listing, Question question, ExecutorService calls) throws InterruptedException {
    List<NodeManager> nodes;
    try {
      nodes = listing.list();
    } catch (IOException | RuntimeException e) {
      unlisted(e);
      return;
    }
    List<Callable<Optional<SendRates.Told>>> questions = new ArrayList<>();
    Set<String> listed = new HashSet<>();
    for (NodeManager node : nodes) {
      listed.add(node.id());
      questions.add(() -> told(node, question));
    }
    List<Future<Optional<SendRates.Told>>> results =
        calls.invokeAll(questions, ROUND_SECONDS_MAX, TimeUnit.SECONDS);
    List<SendRates.Told> answers = new ArrayList<>();
    for (int i = 0; i < results.size(); i++) {
      try {
        results.get(i).get().ifPresent(answers::add);
      } catch (ExecutionException e) {
        silent(nodes.get(i), e.getCause());
      } catch (CancellationException e) {
        silent(nodes.get(i), new IOException("no answer in time"));
      }
    }
    known = new Known(rates.learn(listed, answers), System.nanoTime());
  }

  private static Optional<SendRates.Told> told(NodeManager node, Question question)
      throws IOException {
    OptionalLong bytes = question.ask(node);
    long now = System.nanoTime();
    if (bytes.isEmpty()) {
      return Optional.empty();
    }
    Set<String> names = new HashSet<>(Set.of(node.host()));
    try {
      names.add(InetAddress.getByName(node.host()).getHostAddress());
    } catch (UnknownHostException e) {
      LOG.debug("the address of {} is not known here", node.host(), e);
    }
    return Optional.of(new SendRates.Told(node.id(), names, bytes.getAsLong(), now));
  }

  private synchronized void unlisted(Exception why) {
    LOG.debug("cannot list NodeManagers", why);
    if (unlisted == null) {
      unlisted = firstLine(why);
    }
  }

  private synchronized void silent(NodeManager node, Throwable why) {
    LOG.debug("{} does not say what it sends", node.id(), why);
    if (silent.isEmpty()) {
      example = node.host() + ": " + firstLine(why);
    }
    silent.add(node.id());
  }

  private static String firstLine(Throwable why) {
    return String.valueOf(why.getMessage()).lines().findFirst().orElse("no reason given");
  }
}
