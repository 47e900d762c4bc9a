package io.tierwise.lab.embedded.device;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whom a DataNode's thread serves. The calls that reach a volume do not say it, but the thread
 * does: a DataNode names each thread that serves a connection {@code DataXceiver for client NAME at
 * /ADDRESS:PORT [...]}.
 */
final class ServedPeer {
  private static final Pattern NAME =
      Pattern.compile("DataXceiver for client .*?/(\\d+\\.\\d+\\.\\d+\\.\\d+):\\d+ \\[.*");

  private ServedPeer() {}

  /** The peer's address; the wildcard address when this thread serves nobody. */
  static InetAddress ofCurrentThread() {
    return of(Thread.currentThread().getName());
  }

  static InetAddress of(String threadName) {
    Matcher matcher = NAME.matcher(threadName);
    String address = matcher.matches() ? matcher.group(1) : "0.0.0.0";
    try {
      return InetAddress.getByName(address);
    } catch (UnknownHostException e) {
      throw new IllegalStateException("thread \"" + threadName + "\" serves no address", e);
    }
  }
}
