package io.tierwise.hadoop.conformance.sample;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** One test of each outcome. */
public class MixedSample {

  @Test
  void passes() {
    LoggerFactory.getLogger("io.tierwise.hadoop.hdfs.Sample").warn("falling back to stock");
    LoggerFactory.getLogger("io.tierwise.hadoop.hdfs.Sample").info("not worth a word");
    LoggerFactory.getLogger("org.apache.hadoop.hdfs.Sample").warn("somebody else's trouble");
    LoggerFactory.getLogger("tierwise.decisions.placement").trace("two replicas");
    LoggerFactory.getLogger("tierwise.decisions.placement").trace("three replicas");
    LoggerFactory.getLogger("tierwise.decisions.read").trace("a block is ordered");
  }

  @Test
  void fails() {
    fail("on purpose");
  }

  @Test
  @Disabled("on purpose")
  void isDisabled() {}

  @Test
  void assumesInVain() {
    assumeTrue(false, "on purpose");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void variants(int number) {
    assertTrue(number > 0);
  }
}
