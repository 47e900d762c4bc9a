package io.tierwise.lab.embedded.network;

import io.tierwise.lab.embedded.device.WaitingLine;
import java.net.InetAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * The links of the nodes of one JVM: full duplex, of equal speed, on one switch without a limit of
 * its own (hatS §4.3.1: one switch for all racks).
 *
 * <p>One network a JVM, because socket factories are made by Hadoop and reach it only statically.
 * An address that was never added is not slowed: that is the NameNode's. Safe for many threads.
 */
public final class EmulatedNetwork {
  private static final EmulatedNetwork SHARED = new EmulatedNetwork();

  private final Map<InetAddress, Link> links = new ConcurrentHashMap<>();
  private final LongAdder sameRackBytes = new LongAdder();
  private final LongAdder otherRackBytes = new LongAdder();
  private volatile double bytesPerSecond = Double.POSITIVE_INFINITY;

  private EmulatedNetwork() {}

  private record Link(String rack, WaitingLine sending, WaitingLine receiving) {}

  /** The network of this JVM. */
  public static EmulatedNetwork shared() {
    return SHARED;
  }

  /** Sets the speed of every link; holds from the next transfer on. */
  public void setLinkBytesPerSecond(double linkBytesPerSecond) {
    if (!(linkBytesPerSecond > 0)) {
      throw new IllegalArgumentException(
          "link speed is " + linkBytesPerSecond + " bytes per second, must be positive");
    }
    bytesPerSecond = linkBytesPerSecond;
  }

  public double linkBytesPerSecond() {
    return bytesPerSecond;
  }

  /** Connects a node. */
  public void add(InetAddress address, String rack) {
    links.put(address, new Link(rack, new WaitingLine(), new WaitingLine()));
  }

  /** Disconnects a node: its address is not slowed any more. */
  public void remove(InetAddress address) {
    links.remove(address);
  }

  /** Bytes that crossed from one node to another since the JVM began. */
  public long transferredBytes() {
    return sameRackBytes.sum() + otherRackBytes.sum();
  }

  /** The part of {@link #transferredBytes} that went to another rack. */
  public long otherRackBytes() {
    return otherRackBytes.sum();
  }

  /**
   * Books the way of {@code bytes} from one node to another and returns when they would be there,
   * in {@link System#nanoTime} terms; the caller sleeps. Within a node, or to an address that is no
   * node, that is at once.
   *
   * @param earliestNanos when they may have set out, as {@link WaitingLine#book} has it
   */
  public long book(InetAddress from, InetAddress to, long bytes, long earliestNanos) {
    Link sender = links.get(from);
    Link receiver = links.get(to);
    if (sender == null || receiver == null || from.equals(to)) {
      return earliestNanos;
    }
    (sender.rack().equals(receiver.rack()) ? sameRackBytes : otherRackBytes).add(bytes);
    double seconds = bytes / bytesPerSecond;
    long sent = sender.sending().book(seconds, earliestNanos);
    long received = receiver.receiving().book(seconds, earliestNanos);
    return WaitingLine.later(received, sent);
  }
}
