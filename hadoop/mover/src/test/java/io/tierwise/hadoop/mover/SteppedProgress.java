package io.tierwise.hadoop.mover;

import io.tierwise.core.message.Listener;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/** Does something at each replica that is in place, by their number so far. */
record SteppedProgress(IntConsumer action, AtomicInteger count) implements Listener.Step {
  SteppedProgress(IntConsumer action) {
    this(action, new AtomicInteger());
  }

  @Override
  public void add(long amount) {
    action.accept(count.incrementAndGet());
  }

  @Override
  public void finish(String remark) {}
}
