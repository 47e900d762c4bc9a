package io.tierwise.hadoop.inspect.health;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URL;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.web.URLConnectionFactory;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.client.AuthenticationException;

/**
 * Asks the web servers of Hadoop's daemons for their live configuration and their beans: over HTTPS
 * with the certificates that {@code ssl-client.xml} names, and with Kerberos where a page asks for
 * it. Its errors do not name the daemon: whoever asks knows it by one name, and an address beside
 * that would be a second one.
 */
public final class DaemonHttp {
  private static final int TIMEOUT_MILLIS = 5_000;
  private static final Duration ANSWER_MAX = Duration.ofSeconds(30);
  private static final int ANSWER_BYTES_MAX = 4 << 20;
  private static final int PIECE_BYTES = 8 << 10;
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final ScheduledThreadPoolExecutor CLOCK = clock();

  private final URLConnectionFactory connections;
  private final Duration answerMax;
  private final int answerBytesMax;

  public DaemonHttp(Configuration conf) {
    this(conf, ANSWER_MAX, ANSWER_BYTES_MAX);
  }

  /**
   * The same with other bounds of an answer.
   *
   * @param answerMax time for the whole answer, however slowly it comes; beside that, connecting
   *     and each wait for a byte have timeouts
   */
  public DaemonHttp(Configuration conf, Duration answerMax, int answerBytesMax) {
    this.answerMax = answerMax;
    this.answerBytesMax = answerBytesMax;
    connections =
        URLConnectionFactory.newDefaultURLConnectionFactory(TIMEOUT_MILLIS, TIMEOUT_MILLIS, conf);
  }

  /** One daemon: the scheme, host and port of its web server. */
  public Daemon at(URI base) {
    return new Daemon(base.toString());
  }

  /** The web server of one daemon. */
  public final class Daemon {
    private final String base;

    private Daemon(String base) {
      this.base = base;
    }

    /**
     * The live value of a configuration key; empty when it is not set there.
     *
     * @throws IOException when the daemon does not answer
     */
    Optional<String> configured(String key) throws IOException {
      return get(base + "/conf?format=json&name=" + encoded(key))
          .map(answer -> answer.path("property").path("value"))
          .filter(JsonNode::isTextual)
          .map(JsonNode::asText);
    }

    /**
     * The bean of that name; empty when the daemon has none.
     *
     * @throws IOException when the daemon does not answer
     */
    public Optional<JsonNode> bean(String name) throws IOException {
      return get(base + "/jmx?qry=" + encoded(name))
          .map(answer -> answer.path("beans").path(0))
          .filter(bean -> !bean.isMissingNode());
    }

    /** One attribute of a bean, where the whole bean would be large. */
    String attribute(String bean, String attribute) throws IOException {
      return get(base + "/jmx?get=" + encoded(bean + "::" + attribute))
          .map(answer -> answer.path("beans").path(0).path(attribute))
          .filter(value -> !value.isMissingNode())
          .map(JsonNode::asText)
          .orElseThrow(() -> new IOException("it shows no " + attribute));
    }
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static ScheduledThreadPoolExecutor clock() {
    ScheduledThreadPoolExecutor clock =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "daemon-http-clock");
              thread.setDaemon(true);
              return thread;
            });
    clock.setRemoveOnCancelPolicy(true);
    return clock;
  }

  private Optional<JsonNode> get(String address) throws IOException {
    long end = System.nanoTime() + answerMax.toNanos();
    HttpURLConnection connection = open(address, false);
    try {
      int status = status(connection, end);
      if (status == HttpURLConnection.HTTP_UNAUTHORIZED
          && UserGroupInformation.isSecurityEnabled()) {
        connection.disconnect();
        connection = open(address, true);
        status = status(connection, end);
      }
      if (status == HttpURLConnection.HTTP_NOT_FOUND) {
        return Optional.empty();
      }
      if (status != HttpURLConnection.HTTP_OK) {
        throw new IOException("it answers " + meaning(status));
      }
      try (InputStream body = connection.getInputStream()) {
        return Optional.of(MAPPER.readTree(read(body, end)));
      }
    } catch (IOException e) {
      requireInTime(end);
      throw e;
    } finally {
      connection.disconnect();
    }
  }

  /** Java reads the head of an answer to its end, however slowly that comes. */
  private int status(HttpURLConnection connection, long end) throws IOException {
    ScheduledFuture<?> late =
        CLOCK.schedule(connection::disconnect, end - System.nanoTime(), TimeUnit.NANOSECONDS);
    try {
      return connection.getResponseCode();
    } finally {
      late.cancel(false);
    }
  }

  private byte[] read(InputStream body, long end) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    byte[] piece = new byte[PIECE_BYTES];
    for (int count = body.read(piece); count >= 0; count = body.read(piece)) {
      requireInTime(end);
      if (all.size() + count > answerBytesMax) {
        throw new IOException("its answer is longer than " + answerBytesMax + " bytes");
      }
      all.write(piece, 0, count);
    }
    return all.toByteArray();
  }

  private void requireInTime(long end) throws IOException {
    if (System.nanoTime() - end >= 0) {
      throw new IOException(
          "its answer was not complete after " + answerMax.toMillis() / 1000.0 + " s");
    }
  }

  private static String meaning(int status) {
    return switch (status) {
      case HttpURLConnection.HTTP_UNAUTHORIZED -> "401: it asks for a login";
      case HttpURLConnection.HTTP_FORBIDDEN -> "403: its pages are for administrators";
      default -> Integer.toString(status);
    };
  }

  private HttpURLConnection open(String address, boolean kerberos) throws IOException {
    URL url = URI.create(address).toURL();
    try {
      HttpURLConnection connection = (HttpURLConnection) connections.openConnection(url, kerberos);
      connection.setRequestProperty("Accept", "application/json");
      return connection;
    } catch (AuthenticationException e) {
      throw new IOException("Kerberos login: " + e.getMessage(), e);
    }
  }
}
