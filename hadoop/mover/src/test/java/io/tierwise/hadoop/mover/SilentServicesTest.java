package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SilentServicesTest {
  private static final OtherNameService.Silent WEST =
      new OtherNameService.Silent(URI.create("hdfs://west"), "Connection refused");
  private static final OtherNameService.Silent EAST =
      new OtherNameService.Silent(URI.create("hdfs://east"), "no answer within 5 s");

  private final List<String> said = new ArrayList<>();
  private final SilentServices services = new SilentServices(said::add);

  private List<String> saidOf(OtherNameService.Silent... silent) {
    said.clear();
    services.say(List.of(silent));
    return said;
  }

  @Test
  void eachIsNamedOnceAndOnceMoreWhenItAnswers() {
    assertThat(saidOf()).isEmpty();
    assertThat(saidOf(WEST))
        .singleElement()
        .asString()
        .contains("hdfs://west (Connection refused)");
    assertThat(saidOf(WEST)).isEmpty();

    assertThat(saidOf(WEST, EAST))
        .singleElement()
        .asString()
        .contains("hdfs://east (no answer within 5 s)")
        .doesNotContain("west");
    assertThat(saidOf(EAST)).containsExactly("hdfs://west says again whether a mover runs there");
    assertThat(saidOf(WEST, EAST)).singleElement().asString().contains("hdfs://west");
    assertThat(saidOf())
        .containsExactlyInAnyOrder(
            "hdfs://west says again whether a mover runs there",
            "hdfs://east says again whether a mover runs there");
  }

  @Test
  void severalShareALine() {
    assertThat(saidOf(WEST, EAST))
        .containsExactly(
            "moves could not always share nodes with a mover of hdfs://west (Connection refused) or"
                + " hdfs://east (no answer within 5 s), which did not say whether one runs: give"
                + " each mover its part of the bandwidths");
  }
}
