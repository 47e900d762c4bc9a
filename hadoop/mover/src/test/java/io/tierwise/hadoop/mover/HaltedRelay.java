package io.tierwise.hadoop.mover;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Passes bytes on between clients and a server, until it is halted: from then on clients are
 * connected, and nobody answers, as of a process that hangs.
 */
final class HaltedRelay implements Closeable {
  private final ServerSocket listening;
  private final int serverPort;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final CountDownLatch held = new CountDownLatch(1);
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile boolean halted;

  /** What a thread does with sockets, which fail when they are closed. */
  private interface Task {
    void run() throws IOException, InterruptedException;
  }

  HaltedRelay(int serverPort) throws IOException {
    this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    this.serverPort = serverPort;
    start("relay", this::accept);
  }

  int port() {
    return listening.getLocalPort();
  }

  private static void start(String name, Task task) {
    Runnable untilClosed =
        () -> {
          try {
            task.run();
          } catch (IOException | InterruptedException e) {
            // Its sockets are closed.
            return;
          }
        };
    RunThreads.daemon(untilClosed, name).start();
  }

  private void accept() throws IOException {
    while (true) {
      Socket client = listening.accept();
      Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
      sockets.addAll(List.of(client, server));
      start("relay-to", () -> pass(client, server));
      start("relay-from", () -> pass(server, client));
    }
  }

  private void pass(Socket from, Socket to) throws IOException, InterruptedException {
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      byte[] buffer = new byte[1 << 16];
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        if (halted) {
          held.countDown();
          closed.await();
        }
        out.write(buffer, 0, count);
      }
    }
  }

  /** From now on nothing is passed on; returns when a call waits for its answer. */
  void halt() throws InterruptedException {
    halted = true;
    if (!held.await(1, TimeUnit.MINUTES)) {
      throw new AssertionError("nobody asks");
    }
  }

  @Override
  public void close() throws IOException {
    closed.countDown();
    listening.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
