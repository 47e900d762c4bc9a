package io.tierwise.lab.embedded.device;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * One volume's emulated device: reads and writes share it, and it slows with the number of streams
 * that want it at once, as its {@link DeviceModel} says. Safe for many threads.
 */
public final class EmulatedDevice {
  private final DeviceModel model;
  private final WaitingLine line = new WaitingLine();
  private final AtomicInteger streamsWaiting = new AtomicInteger();
  private final LongAdder readBytes = new LongAdder();
  private final LongAdder writtenBytes = new LongAdder();

  public EmulatedDevice(DeviceModel model) {
    this.model = model;
  }

  /**
   * Sleeps until the device would have read {@code bytes}, and returns that moment.
   *
   * @param earliestNanos when it may have begun, as {@link WaitingLine#book} has it
   */
  public long read(long bytes, long earliestNanos) {
    readBytes.add(bytes);
    int streams = streamsWaiting.incrementAndGet();
    return await(model.secondsToRead(bytes, streams), earliestNanos);
  }

  /** As {@link #read}, for a write. */
  public long write(long bytes, long earliestNanos) {
    writtenBytes.add(bytes);
    int streams = streamsWaiting.incrementAndGet();
    return await(model.secondsToWrite(bytes, streams), earliestNanos);
  }

  private long await(double seconds, long earliestNanos) {
    try {
      long endNanos = line.book(seconds, earliestNanos);
      WaitingLine.sleepUntil(endNanos);
      return endNanos;
    } finally {
      streamsWaiting.decrementAndGet();
    }
  }

  public DeviceModel model() {
    return model;
  }

  /** Bytes read since the device was made. */
  public long readBytes() {
    return readBytes.sum();
  }

  /** Bytes written since the device was made. */
  public long writtenBytes() {
    return writtenBytes.sum();
  }
}
