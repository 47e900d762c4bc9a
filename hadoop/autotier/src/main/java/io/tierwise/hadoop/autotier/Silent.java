package io.tierwise.hadoop.autotier;

import io.tierwise.core.message.Listener;

/** Nobody looks at the progress. */
final class Silent implements Listener, Listener.Step {
  @Override
  public Step begin(String label, long total) {
    return this;
  }

  @Override
  public void say(String line) {
    // The round says what came of it.
  }

  @Override
  public void add(long amount) {
    // Likewise.
  }

  @Override
  public void finish(String remark) {
    // Likewise.
  }
}
