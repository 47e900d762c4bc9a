package io.tierwise.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Asks a Hadoop daemon's own web server for its live configuration and metrics beans. */
final class DaemonHttp {
  private static final int TIMEOUT_MILLIS = 3_000;
  private static final int ANSWER_BYTES_MAX = 4 << 20;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final String base;

  /**
   * @param base scheme, host and port, for example {@code http://127.0.0.1:9870}
   */
  DaemonHttp(String base) {
    this.base = base;
  }

  String base() {
    return base;
  }

  /**
   * The live value of a configuration key; empty when it is not set there.
   *
   * @throws IOException when the daemon does not answer
   */
  Optional<String> configured(String key) throws IOException {
    return get("/conf?format=json&name=" + URLEncoder.encode(key, StandardCharsets.UTF_8))
        .map(answer -> answer.path("property").path("value"))
        .filter(JsonNode::isTextual)
        .map(JsonNode::asText);
  }

  /** The first bean of that name pattern; empty when the daemon has none. */
  Optional<JsonNode> bean(String pattern) throws IOException {
    return get("/jmx?qry=" + URLEncoder.encode(pattern, StandardCharsets.UTF_8))
        .map(answer -> answer.path("beans").path(0))
        .filter(bean -> !bean.isMissingNode());
  }

  private Optional<JsonNode> get(String pathAndQuery) throws IOException {
    HttpURLConnection connection =
        (HttpURLConnection) URI.create(base + pathAndQuery).toURL().openConnection();
    connection.setConnectTimeout(TIMEOUT_MILLIS);
    connection.setReadTimeout(TIMEOUT_MILLIS);
    connection.setRequestProperty("Accept", "application/json");
    try {
      int status = connection.getResponseCode();
      if (status == HttpURLConnection.HTTP_NOT_FOUND) {
        return Optional.empty();
      }
      if (status != HttpURLConnection.HTTP_OK) {
        throw new IOException(base + " answers " + status);
      }
      try (InputStream body = connection.getInputStream()) {
        return Optional.of(MAPPER.readTree(body.readNBytes(ANSWER_BYTES_MAX)));
      }
    } finally {
      connection.disconnect();
    }
  }
}
