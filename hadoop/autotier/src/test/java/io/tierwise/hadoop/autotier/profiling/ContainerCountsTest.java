package io.tierwise.hadoop.autotier.profiling;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ContainerCountsTest {
  private static final ContainerCounts.Node BEFORE = new ContainerCounts.Node(1_000, 10, 9, 2);
  private static final String ASKS =
      "; a command that sets the environment of its tasks has to ask for {intermediate}";

  private static ContainerCounts.Node node(long began, long started, long onTier, long elsewhere) {
    return new ContainerCounts.Node(began, started, onTier, elsewhere);
  }

  private static List<String> doubts(
      Map<String, ContainerCounts.Node> before, Map<String, ContainerCounts.Node> after) {
    return new ContainerCounts(after).doubts(new ContainerCounts(before), "ssd");
  }

  private static List<String> doubts(ContainerCounts.Node after) {
    return doubts(Map.of("a:1", BEFORE), Map.of("a:1", after));
  }

  private static String unknown(String how) {
    return "the NodeManager a:1 "
        + how
        + " meanwhile, so that nobody knows which directories its containers got";
  }

  @Test
  void allGotTheDirectories() {
    assertThat(doubts(node(1_000, 14, 13, 2))).isEmpty();
  }

  @Test
  void aNodeManagerThatBeganAnewIsADoubtHoweverMuchItCountsSince() {
    assertThat(doubts(node(2_000, 5, 5, 0))).containsExactly(unknown("began anew"));
    assertThat(doubts(node(2_000, 50, 49, 2))).containsExactly(unknown("began anew"));
    assertThat(doubts(node(1_000, 11, 5, 2))).containsExactly(unknown("began anew"));
  }

  @Test
  void oneThatIsNotThereBothTimesIsADoubt() {
    assertThat(doubts(Map.of("a:1", BEFORE), Map.of())).containsExactly(unknown("went"));
    assertThat(doubts(Map.of(), Map.of("a:1", BEFORE))).containsExactly(unknown("came"));
  }

  @Test
  void whatOneNodeSaysHidesNothingOfAnother() {
    assertThat(
            doubts(
                Map.of("a:1", BEFORE, "b:1", BEFORE),
                Map.of("a:1", node(2_000, 1, 1, 0), "b:1", node(1_000, 12, 10, 3))))
        .containsExactly(
            unknown("began anew"),
            "1 container got all local directories, since those of ssd had no room or failed");
  }

  @Test
  void containersThatAskedForNothingAreCounted() {
    assertThat(doubts(node(1_000, 14, 12, 2)))
        .containsExactly(
            "1 of 4 containers that NodeManagers started meanwhile asked for no tier, were"
                + " another application's or ended before they began"
                + ASKS);
    assertThat(doubts(node(1_000, 14, 9, 2)))
        .containsExactly("no container got the local directories of ssd" + ASKS);
  }
}
