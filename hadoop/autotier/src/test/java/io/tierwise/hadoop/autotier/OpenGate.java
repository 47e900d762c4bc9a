package io.tierwise.hadoop.autotier;

import java.io.IOException;

/** Lets a round do all that it wants, and asks {@link Lease} right before each change. */
record OpenGate(Lease lease) implements Autotier.Gate {
  /** Throws where the daemon must not change anything any more. */
  @FunctionalInterface
  interface Lease {
    void require() throws IOException;
  }

  /** One whose daemon always has the lease. */
  OpenGate() {
    this(() -> {});
  }

  @Override
  public boolean isStopped() {
    return false;
  }

  @Override
  public boolean mayChange() {
    return true;
  }

  @Override
  public void requireLease() throws IOException {
    lease.require();
  }
}
