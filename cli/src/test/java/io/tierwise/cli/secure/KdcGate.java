package io.tierwise.cli.secure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** The way to a key distribution center. It can be shut: then whoever asks is sent away. */
final class KdcGate implements AutoCloseable {
  private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final int kdcPort;
  private volatile boolean shut;

  KdcGate(int kdcPort) throws IOException {
    this.kdcPort = kdcPort;
    start(this::accept);
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "kdc-gate");
    thread.setDaemon(true);
    thread.start();
  }

  int port() {
    return listening.getLocalPort();
  }

  void shut(boolean now) {
    shut = now;
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket client = listening.accept();
        if (shut) {
          client.close();
          continue;
        }
        Socket kdc = new Socket(InetAddress.getLoopbackAddress(), kdcPort);
        start(() -> pass(client, kdc));
        start(() -> pass(kdc, client));
      } catch (IOException e) {
        if (!listening.isClosed()) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }

  private static void pass(Socket from, Socket to) {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException e) {
      // The other direction has closed both: each question has one answer.
      return;
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
  }
}
