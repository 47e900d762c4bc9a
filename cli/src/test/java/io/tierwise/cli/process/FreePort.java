package io.tierwise.cli.process;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Ports for daemons whose address others must know before they start. */
public final class FreePort {
  /** Linux gives ports from 32,768 on to whoever wants any: those are taken soonest. */
  private static final int FIRST = 15_000;

  private static final int END = 32_000;

  private FreePort() {}

  /** A port that was free a moment ago, and that no process gets without asking for it. */
  public static int any() throws IOException {
    while (true) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, END);
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      } catch (BindException e) {
        // Another one will do.
      }
    }
  }
}
