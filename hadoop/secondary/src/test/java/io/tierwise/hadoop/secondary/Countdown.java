package io.tierwise.hadoop.secondary;

import io.tierwise.core.message.Listener;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the steps and the copied pieces of a run, and does something at one of them. */
final class Countdown implements Steps, Listener, Listener.Step {
  private final AtomicInteger left;
  private final Runnable end;

  /**
   * @param at steps and pieces before it
   */
  Countdown(int at, Runnable end) {
    left = new AtomicInteger(at);
    this.end = end;
  }

  private void tick() {
    if (left.getAndDecrement() == 0) {
      end.run();
    }
  }

  @Override
  public void made(String step) {
    tick();
  }

  @Override
  public Listener.Step begin(String label, long total) {
    return this;
  }

  @Override
  public void say(String line) {
    // Nobody looks.
  }

  @Override
  public void add(long amount) {
    tick();
  }

  @Override
  public void finish(String remark) {
    // Nobody looks.
  }
}
