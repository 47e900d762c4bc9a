package io.tierwise.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RandomStreamsTest {
  @Test
  void aStreamDependsOnSeedNameAndIndexOnly() {
    RandomStreams streams = new RandomStreams(42);
    streams.stream("other", 0).nextLong();

    assertThat(streams.stream("disk", 3).nextLong())
        .isEqualTo(new RandomStreams(42).stream("disk", 3).nextLong());
  }

  @Test
  void streamsOfDifferentSeedsNamesAndIndexesDiffer() {
    RandomStreams streams = new RandomStreams(42);

    assertThat(
            List.of(
                streams.stream("disk", 3).nextLong(),
                streams.stream("disk", 4).nextLong(),
                streams.stream("disks", 3).nextLong(),
                streams.stream("a", 'b').nextLong(),
                streams.stream("ab", 0).nextLong(),
                new RandomStreams(43).stream("disk", 3).nextLong()))
        .doesNotHaveDuplicates();
  }
}
