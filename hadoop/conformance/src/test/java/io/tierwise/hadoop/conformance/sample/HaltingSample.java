package io.tierwise.hadoop.conformance.sample;

import org.junit.jupiter.api.Test;

/** Takes its JVM down. */
public class HaltingSample {

  @Test
  void halts() {
    Runtime.getRuntime().halt(77);
  }
}
