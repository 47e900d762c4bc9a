package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.junit.jupiter.api.Test;

class ReportTurnsTest {
  private static final InetSocketAddress FIRST = InetSocketAddress.createUnresolved("first", 1);
  private static final InetSocketAddress SECOND = InetSocketAddress.createUnresolved("second", 1);
  private static final DatanodeInfo[] NODES = Made.blockOn("a", "b").getLocations();

  private final ReportTurns turns = new ReportTurns();

  private List<String> due(InetSocketAddress active, long seconds) {
    return turns.due(active, NODES, TimeUnit.SECONDS.toNanos(seconds)).stream()
        .map(DatanodeInfo::getDatanodeUuid)
        .toList();
  }

  @Test
  void aNodeIsAskedTwiceForANameNodeAndTheSecondTimeLater() {
    assertThat(due(FIRST, 0)).containsExactly("a", "b");
    assertThat(due(FIRST, 14)).isEmpty();
    assertThat(due(FIRST, 15)).containsExactly("a", "b");
    assertThat(due(FIRST, 1_000)).isEmpty();
  }

  @Test
  void aNameNodeThatTakesOverIsToldAnew() {
    assertThat(due(FIRST, 0)).hasSize(2);
    assertThat(due(FIRST, 20)).hasSize(2);
    assertThat(due(SECOND, 21)).containsExactly("a", "b");
    assertThat(due(SECOND, 22)).isEmpty();
    assertThat(due(SECOND, 36)).containsExactly("a", "b");
    assertThat(due(FIRST, 37)).as("it took over again").hasSize(2);
  }

  @Test
  void aNodeOfAnotherBlockIsAskedAtItsOwnTimes() {
    assertThat(turns.due(FIRST, Made.blockOn("a").getLocations(), 0)).hasSize(1);
    assertThat(due(FIRST, 10)).containsExactly("b");
    assertThat(due(FIRST, 15)).containsExactly("a");
    assertThat(due(FIRST, 25)).containsExactly("b");
  }
}
