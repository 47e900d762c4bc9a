package io.tierwise.hadoop.mover.shuffle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.tierwise.hadoop.inspect.health.DaemonHttp;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Counts as a web server answers them, which may be any. */
class SentCountTest {
  private final SentCount count = new SentCount(new Configuration(false));
  private HttpServer server;
  private volatile int status = 200;
  private volatile String answer = "";
  private volatile String asked;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          asked = exchange.getRequestURI().toString();
          byte[] body = answer.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
          try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
          }
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private OptionalLong ask() throws IOException {
    return count.ask(
        new NodeManager("n:1", "n", "http://127.0.0.1:" + server.getAddress().getPort()));
  }

  private static String bean(String count) {
    return "{\"beans\" : [ {\"name\" : \"x\", \"ShuffleOutputBytes\" : " + count + "} ]}";
  }

  @Test
  void theCountIsThatOfTheShuffleService() throws IOException {
    answer = bean("123456789012");
    assertThat(ask()).hasValue(123_456_789_012L);
    assertThat(asked).isEqualTo("/jmx?qry=Hadoop%3Aservice%3DNodeManager%2Cname%3DShuffleMetrics");
    answer = bean("0");
    assertThat(ask()).hasValue(0);
  }

  @Test
  void aNodeManagerWithoutTheServiceHasNoCount() throws IOException {
    answer = "{\"beans\" : []}";
    assertThat(ask()).isEmpty();
    status = 404;
    answer = "";
    assertThat(ask()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-1",
        "1.5",
        "9223372036854775808",
        "\"12\"",
        "null",
        "true",
        "[1]",
        "{}",
        "1e999"
      })
  void somethingElseIsNoCount(String value) {
    answer = bean(value);
    assertThatThrownBy(this::ask)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("ShuffleMetrics has no count of ShuffleOutputBytes");
  }

  @Test
  void aBeanWithoutTheAttributeIsNone() {
    answer = "{\"beans\" : [ {\"name\" : \"x\"} ]}";
    assertThatThrownBy(this::ask).hasMessageContaining("no count of ShuffleOutputBytes");
    answer = "{\"beans\" : [ 5 ]}";
    assertThatThrownBy(this::ask).hasMessageContaining("no count of ShuffleOutputBytes");
  }

  @Test
  void whatIsNoJsonIsAnError() {
    for (String text : new String[] {"<html>", "{\"beans\" : [", "[".repeat(100_000)}) {
      answer = text;
      assertThatThrownBy(this::ask).isInstanceOf(IOException.class);
    }
  }

  /** Sends the first text, and then bytes one by one, until it is interrupted. */
  private static void dribble(ServerSocket listener, String first) {
    try (Socket socket = listener.accept()) {
      OutputStream out = socket.getOutputStream();
      out.write(first.getBytes(StandardCharsets.US_ASCII));
      while (true) {
        out.write('a');
        Thread.sleep(50);
      }
    } catch (IOException e) {
      // Nobody listens any more.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Each byte comes well before a read has waited too long. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK\r\nX-Head: ",
        "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n{",
        "HTTP/1.0 200 OK\r\n\r\n{"
      })
  @Timeout(20)
  void anAnswerThatComesByteByByteIsGivenUp(String first) throws Exception {
    SentCount hasty =
        new SentCount(
            new DaemonHttp(
                new Configuration(false), Duration.ofSeconds(1), SentCount.ANSWER_BYTES_MAX));
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread daemon = new Thread(() -> dribble(listener, first));
      daemon.start();
      String web = "http://127.0.0.1:" + listener.getLocalPort();
      assertThatThrownBy(() -> hasty.ask(new NodeManager("n:1", "n", web)))
          .isInstanceOf(IOException.class)
          .hasMessage("its answer was not complete after 1.0 s");
      daemon.interrupt();
      daemon.join();
    }
  }

  @Test
  void anAnswerWithoutEndIsGivenUp() {
    answer = " ".repeat(SentCount.ANSWER_BYTES_MAX) + bean("1");
    assertThatThrownBy(this::ask)
        .isInstanceOf(IOException.class)
        .hasMessage("its answer is longer than 65536 bytes");
  }

  @Test
  void aRefusalIsAnError() {
    status = 500;
    assertThatThrownBy(this::ask).isInstanceOf(IOException.class).hasMessageContaining("500");
    status = 403;
    assertThatThrownBy(this::ask).hasMessageContaining("administrators");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "http://", "http://null", "n 1:8042", "http://:x"})
  void whatIsNoAddressIsAnError(String web) {
    assertThatThrownBy(() -> count.ask(new NodeManager("n:1", "n", web)))
        .isInstanceOf(IOException.class);
  }
}
