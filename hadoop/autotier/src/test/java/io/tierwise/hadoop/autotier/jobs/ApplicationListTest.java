package io.tierwise.hadoop.autotier.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.history.RunRecord.Engine;
import org.junit.jupiter.api.Test;

class ApplicationListTest {
  /** One application with an odd type would hide all others, were it refused. */
  @Test
  void anEngineIsKnownInAnyLettersAndOthersAreNone() {
    assertThat(ApplicationList.engine("SPARK")).contains(Engine.SPARK);
    assertThat(ApplicationList.engine("Spark")).contains(Engine.SPARK);
    assertThat(ApplicationList.engine("SPAR\u212a")).as("a Kelvin sign").contains(Engine.SPARK);
    assertThat(ApplicationList.engine("mapReduce")).contains(Engine.MAPREDUCE);
    assertThat(ApplicationList.engine("")).isEmpty();
    assertThat(ApplicationList.engine("TEZ")).isEmpty();
  }
}
