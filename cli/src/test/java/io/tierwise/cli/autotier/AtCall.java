package io.tierwise.cli.autotier;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.spi.LoggingEvent;

/**
 * Does something once when a NameNode has done such a call so often, and before its last caller has
 * the answer.
 */
final class AtCall extends AppenderSkeleton {
  private final String call;
  private final int count;
  private final AuditedHdfs.Doing action;
  private final AtomicInteger calls = new AtomicInteger();
  private final CountDownLatch done = new CountDownLatch(1);
  private volatile boolean waits;

  /**
   * Does nothing before {@link #arm}.
   *
   * @param call a part of its line in the audit log
   * @param count of such calls, from 1
   */
  AtCall(String call, int count, AuditedHdfs.Doing action) {
    this.call = call;
    this.count = count;
    this.action = action;
  }

  void arm() {
    waits = true;
  }

  boolean isDone() {
    return done.getCount() == 0;
  }

  @Override
  protected void append(LoggingEvent event) {
    if (waits && event.getRenderedMessage().contains(call) && calls.incrementAndGet() == count) {
      try {
        action.run();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
      done.countDown();
    }
  }

  @Override
  public void close() {
    // It holds nothing.
  }

  @Override
  public boolean requiresLayout() {
    return false;
  }
}
