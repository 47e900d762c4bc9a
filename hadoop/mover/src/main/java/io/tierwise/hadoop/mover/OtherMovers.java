package io.tierwise.hadoop.mover;

import java.io.Closeable;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;

/**
 * The movers of other name services that share DataNodes with this one. Each name service has a
 * lock of its own, so that several may move at once; where n do on a node, each keeps the n-th part
 * of its limits there (docs/decisions/0157).
 *
 * <p>The name services are those whose DataNodes are one cluster's by Hadoop's settings ({@code
 * dfs.internal.nameservices}, else {@code dfs.nameservices}). Clients often name other clusters
 * there as well: a name service that shares no DataNode is asked seldom. What goes wrong is kept
 * for {@link #unseen}, and holds nobody up.
 */
final class OtherMovers implements Closeable {
  /** How often it is looked whose time to be asked has come. */
  private static final long REST_MILLIS = 1_000;

  /** Own: a NameNode that works answers within a second. */
  private static final int CALL_MILLIS_MAX = 5_000;

  private final List<OtherNameService> others;
  private final ExecutorService calls =
      Executors.newCachedThreadPool(task -> RunThreads.daemon(task, "mover-others-call"));
  private Thread thread;

  /** What one process knows of name services from one mover to the next. */
  static final class Known {
    private final Map<URI, KnownNameService> byUri = new ConcurrentHashMap<>();

    KnownNameService of(URI uri) {
      return byUri.computeIfAbsent(uri, unused -> new KnownNameService(System.nanoTime()));
    }
  }

  OtherMovers(List<OtherNameService> others) {
    this.others = List.copyOf(others);
  }

  /**
   * @param own the block pool of the name service itself, which may be known by several names
   * @param ownNodes answers with its DataNodes
   */
  static OtherMovers of(
      Configuration given, String own, ForegroundWatch.Question ownNodes, Known known) {
    List<OtherNameService> others = new ArrayList<>();
    Collection<URI> uris = DFSUtil.getInternalNsRpcUris(given);
    if (uris.size() > 1) {
      Configuration conf = impatient(given);
      for (URI uri : uris) {
        OtherNameService.Question question = new NameServiceQuestion(conf, uri, own, ownNodes);
        others.add(new OtherNameService(uri, question, known.of(uri), System::nanoTime));
      }
    }
    return new OtherMovers(others);
  }

  /** Of clients that wait for no NameNode that is down. */
  private static Configuration impatient(Configuration given) {
    Configuration conf = new Configuration(given);
    conf.setBoolean(CommonConfigurationKeysPublic.FS_AUTOMATIC_CLOSE_KEY, false);
    conf.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_KEY, 1);
    conf.setInt(
        CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_ON_SOCKET_TIMEOUTS_KEY, 1);
    conf.setInt(CommonConfigurationKeys.IPC_CLIENT_RPC_TIMEOUT_KEY, CALL_MILLIS_MAX);
    conf.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_TIMEOUT_KEY, CALL_MILLIS_MAX);
    conf.setInt(HdfsClientConfigKeys.Failover.MAX_ATTEMPTS_KEY, 2);
    return conf;
  }

  /** Whether there is any other name service. */
  boolean mayBe() {
    return !others.isEmpty();
  }

  /** Begins to ask, and waits for a moment for the first answers. */
  void start() {
    if (mayBe()) {
      List<FirstCall> begun = new ArrayList<>();
      for (OtherNameService other : others) {
        long patience = other.patienceNanos();
        other
            .look(calls)
            .map(call -> call.orTimeout(patience, TimeUnit.NANOSECONDS))
            .ifPresent(call -> begun.add(new FirstCall(other, call, patience)));
      }
      await(begun);
      thread = RunThreads.daemon(this::watch, "mover-others");
      thread.start();
    }
  }

  private static void await(List<FirstCall> begun) {
    for (FirstCall first : begun) {
      try {
        first.call().get();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      } catch (ExecutionException e) {
        // Moves begin without its answer. Threads ask meanwhile for all that is not known yet.
        first.service().movesBeginUnanswered(first.patienceNanos());
      }
    }
  }

  private record FirstCall(
      OtherNameService service, CompletableFuture<Void> call, long patienceNanos) {}

  /** The part of a node's limits that this mover keeps. */
  double part(String nodeId) {
    return 1.0 / (1 + others.stream().filter(other -> other.movesOn(nodeId)).count());
  }

  /** Those that did not always answer. */
  List<OtherNameService.Silent> unseen() {
    return others.stream().map(OtherNameService::unseen).filter(Objects::nonNull).toList();
  }

  /** A line for people about such name services; null when there is none. */
  static String line(List<OtherNameService.Silent> unseen) {
    return unseen.isEmpty()
        ? null
        : "moves could not always share nodes with a mover of "
            + unseen.stream()
                .map(one -> one.service() + " (" + one.why() + ")")
                .collect(Collectors.joining(" or "))
            + ", which did not say whether one runs: give each mover its part of the bandwidths";
  }

  private void watch() {
    try {
      while (!calls.isShutdown()) {
        TimeUnit.MILLISECONDS.sleep(REST_MILLIS);
        look();
      }
    } catch (InterruptedException e) {
      // The mover is closed.
      Thread.currentThread().interrupt();
    }
  }

  private void look() {
    for (OtherNameService other : others) {
      Optional<CompletableFuture<Void>> unused = other.look(calls);
    }
  }

  @Override
  public void close() {
    others.forEach(OtherNameService::close);
    calls.shutdownNow();
    if (thread != null) {
      thread.interrupt();
    }
  }
}
