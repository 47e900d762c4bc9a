package io.tierwise.hadoop.inspect.health;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URL;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
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
  private static final int ANSWER_BYTES_MAX = 4 << 20;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final URLConnectionFactory connections;

  public DaemonHttp(Configuration conf) {
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

  private Optional<JsonNode> get(String address) throws IOException {
    HttpURLConnection connection = open(address, false);
    try {
      if (connection.getResponseCode() == HttpURLConnection.HTTP_UNAUTHORIZED
          && UserGroupInformation.isSecurityEnabled()) {
        connection.disconnect();
        connection = open(address, true);
      }
      int status = connection.getResponseCode();
      if (status == HttpURLConnection.HTTP_NOT_FOUND) {
        return Optional.empty();
      }
      if (status != HttpURLConnection.HTTP_OK) {
        throw new IOException("it answers " + meaning(status));
      }
      try (InputStream body = connection.getInputStream()) {
        return Optional.of(MAPPER.readTree(body.readNBytes(ANSWER_BYTES_MAX)));
      }
    } finally {
      connection.disconnect();
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
