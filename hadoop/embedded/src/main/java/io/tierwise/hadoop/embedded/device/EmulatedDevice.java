package io.tierwise.hadoop.embedded.device;

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

  /** Returns when the device would have read {@code bytes}. */
  public void read(long bytes) {
    readBytes.add(bytes);
    int streams = streamsWaiting.incrementAndGet();
    try {
      WaitingLine.sleepUntil(line.book(model.secondsToRead(bytes, streams)));
    } finally {
      streamsWaiting.decrementAndGet();
    }
  }

  /** Returns when the device would have written {@code bytes}. */
  public void write(long bytes) {
    writtenBytes.add(bytes);
    int streams = streamsWaiting.incrementAndGet();
    try {
      WaitingLine.sleepUntil(line.book(model.secondsToWrite(bytes, streams)));
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
