package io.tierwise.lab.embedded.device;

import io.tierwise.lab.embedded.network.EmulatedNetwork;
import java.net.InetAddress;

/**
 * One open stream between a volume and whom the DataNode serves: its requests wait for the device
 * and for the link, which work at the same time, so that each request takes the longer of the two.
 *
 * <p>Device and link go ahead of the stream by up to {@link #AHEAD_NANOS}, as a kernel that reads
 * ahead and buffers does. So a thread that wakes late, on a busy machine, loses no speed, and an
 * idle device gives a new stream nothing for free. Used by one thread at a time.
 */
final class DeviceStream {
  /** Own: a DataNode reads 4 MiB ahead by default, which takes a disk of 61 MB/s 69 ms. */
  private static final long AHEAD_NANOS = 50_000_000;

  private final EmulatedDevice device;
  private final InetAddress address;
  private final InetAddress peer = ServedPeer.ofCurrentThread();
  private long deviceEndNanos = System.nanoTime();
  private long linkEndNanos = deviceEndNanos;

  DeviceStream(EmulatedDevice device, InetAddress address) {
    this.device = device;
    this.address = address;
  }

  /** Returns when the device would have read the bytes and the peer would have them. */
  void read(long bytes) {
    long ahead = System.nanoTime() - AHEAD_NANOS;
    linkEndNanos =
        EmulatedNetwork.shared().book(address, peer, bytes, WaitingLine.later(linkEndNanos, ahead));
    deviceEndNanos = device.read(bytes, WaitingLine.later(deviceEndNanos, ahead));
    WaitingLine.sleepUntil(linkEndNanos);
  }

  /** Returns when the bytes would be here and the device would have written them. */
  void write(long bytes) {
    long ahead = System.nanoTime() - AHEAD_NANOS;
    linkEndNanos =
        EmulatedNetwork.shared().book(peer, address, bytes, WaitingLine.later(linkEndNanos, ahead));
    deviceEndNanos = device.write(bytes, WaitingLine.later(deviceEndNanos, ahead));
    WaitingLine.sleepUntil(linkEndNanos);
  }
}
