package io.tierwise.hadoop.conformance.sample;

import org.junit.Assert;
import org.junit.Ignore;
import org.junit.Test;

/** As the tests of Hadoop 3.4 are. */
public class JUnit4Sample {

  @Test
  public void passes() {}

  @Test
  public void fails() {
    Assert.fail("on purpose");
  }

  @Test
  @Ignore("on purpose")
  public void isIgnored() {}
}
