package io.tierwise.hadoop.mover.shuffle;

import io.tierwise.core.message.Words;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
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

  /** Own: a round over a thousand NodeManagers takes a second. */
  private static final int CALLS_AT_ONCE = 16;

  private final Configuration conf;
  private final Times times;
  private final Rounds rounds;
  private final SendRates rates = new SendRates();
  private final Set<String> silent = new HashSet<>();
  private String example;
  private String unlisted;
  private FutureTask<List<NodeManager>> lists;
  private volatile boolean asks;
  private volatile Known known;
  private Thread thread;
  private volatile boolean closed;

  private record Known(Map<String, Double> byName, long nanos) {}

  /**
   * How long at most is waited, by nobody else, for the list of NodeManagers and for the answers of
   * a round, and the rest between two rounds.
   */
  record Times(long listMillis, long roundMillis, long restMillis) {
    static final Times DEFAULT = new Times(10_000, 30_000, REST_MILLIS);

    /** Own: a rate that is older than two rounds says nothing about now. */
    long ageNanosMax() {
      return TimeUnit.MILLISECONDS.toNanos(2 * (listMillis + roundMillis + restMillis));
    }
  }

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
    this(conf, Times.DEFAULT);
  }

  ShuffleWatch(Configuration conf, Times times) {
    this.conf = conf;
    this.times = times;
    this.rounds = new Rounds(times.roundMillis());
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
    if (now == null || System.nanoTime() - now.nanos() > times.ageNanosMax()) {
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
    if (asks && known == null) {
      return "moves could not yield to shuffles yet: the NodeManagers have not been heard";
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
          SentCount count = new SentCount(conf);
          watch(running::list, count::ask, calls);
        }
      }
    } catch (RuntimeException | LinkageError e) {
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
    asks = true;
    // A call may have cleared the thread's interrupt, so the flag decides.
    while (!closed) {
      look(listing, question, calls);
      if (!closed) {
        TimeUnit.MILLISECONDS.sleep(times.restMillis());
      }
    }
  }

  /** Asks all once. */
  void look(Listing listing, Question question, ExecutorService calls) throws InterruptedException {
    List<NodeManager> nodes;
    try {
      nodes = list(listing);
    } catch (TimeoutException e) {
      unlisted(new IOException("no answer within " + times.listMillis() / 1000.0 + " s"));
      return;
    } catch (ExecutionException e) {
      unlisted(e.getCause());
      return;
    }
    Set<String> listed = nodes.stream().map(NodeManager::id).collect(Collectors.toSet());
    List<SendRates.Told> answers =
        rounds.ask(nodes, node -> told(node, question), this::silent, calls);
    known = new Known(rates.learn(listed, answers), System.nanoTime());
  }

  /**
   * The list, by a thread of its own: Hadoop's client may take minutes for a host that is gone. As
   * long as it does, nobody asks again.
   */
  private List<NodeManager> list(Listing listing)
      throws InterruptedException, ExecutionException, TimeoutException {
    if (lists == null) {
      lists = new FutureTask<>(listing::list);
      Thread call = new Thread(lists, "mover-shuffle-list");
      call.setDaemon(true);
      call.start();
    }
    List<NodeManager> nodes;
    try {
      nodes = lists.get(times.listMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      lists = null;
      throw e;
    }
    lists = null;
    return nodes;
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

  private synchronized void unlisted(Throwable why) {
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
