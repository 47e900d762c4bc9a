package io.tierwise.hadoop.mover.shuffle;

import com.fasterxml.jackson.databind.JsonNode;
import io.tierwise.hadoop.inspect.health.DaemonHttp;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;

/**
 * The bytes of map output that a NodeManager's shuffle service has sent since it started, from the
 * metrics of {@code mapreduce_shuffle}.
 *
 * <p>Source: Apache Hadoop 3.5.0, {@code ShuffleHandler.ShuffleMetrics}. A map output is counted
 * whole when it begins to be sent. Not taken: {@code ShuffleConnections}, which is counted up for
 * each map output and down once for each request, so that it never falls to zero again.
 */
final class SentCount {
  static final String BEAN = "Hadoop:service=NodeManager,name=ShuffleMetrics";
  private static final String ATTRIBUTE = "ShuffleOutputBytes";

  /** Own: the bean has four numbers. */
  static final int ANSWER_BYTES_MAX = 64 << 10;

  /** Own: within this a busy daemon answers, and a round over a thousand of them stays short. */
  private static final Duration ANSWER_MAX = Duration.ofSeconds(10);

  private final DaemonHttp http;

  SentCount(Configuration conf) {
    this(new DaemonHttp(conf, ANSWER_MAX, ANSWER_BYTES_MAX));
  }

  SentCount(DaemonHttp http) {
    this.http = http;
  }

  /**
   * The count of one NodeManager; empty where it has no such service, and sends nothing.
   *
   * @throws IOException when it does not answer, or with something else than a count
   */
  OptionalLong ask(NodeManager node) throws IOException {
    try {
      return of(http.at(URI.create(node.web())).bean(BEAN));
    } catch (IllegalArgumentException e) {
      throw new IOException("'" + node.web() + "' is no address of a web server", e);
    }
  }

  static OptionalLong of(Optional<JsonNode> bean) throws IOException {
    if (bean.isEmpty()) {
      return OptionalLong.empty();
    }
    JsonNode count = bean.get().path(ATTRIBUTE);
    if (!count.isIntegralNumber() || !count.canConvertToLong() || count.longValue() < 0) {
      throw new IOException("its bean " + BEAN + " has no count of " + ATTRIBUTE);
    }
    return OptionalLong.of(count.longValue());
  }
}
