package io.tierwise.hadoop.conformance.sample;

import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Does not get as far as its test. */
public class BrokenSetUpSample {

  @BeforeAll
  static void setUp() {
    Objects.requireNonNull(System.getProperty("no.such.property"), "on purpose");
  }

  @Test
  void isNeverReached() {}
}
