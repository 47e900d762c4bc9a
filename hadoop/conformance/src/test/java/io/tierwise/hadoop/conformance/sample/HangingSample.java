package io.tierwise.hadoop.conformance.sample;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** Passes one test and never ends the next. */
@TestMethodOrder(MethodOrderer.MethodName.class)
public class HangingSample {

  @Test
  void first() {}

  @Test
  void secondHangs() throws InterruptedException {
    new CountDownLatch(1).await();
  }
}
