package io.tierwise.policies.access;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SlowReadsTest {
  private static final double LINK = 125e6;
  private static final int READER = 9;
  private static final int[] NODES = {1, 2, 3};
  private static final int[] LISTED = {0, 1, 2};
  private static final double BLOCK = 128e6;

  private final SlowReads reads = new SlowReads(AutoAccess.DEFAULT, new ReadSpeeds());

  private static PathView view() {
    return new PathView(READER, LINK, NODES, PathView.NVME, PathView.NVME, PathView.DISK);
  }

  private int[] order(PathView view) {
    int[] order = LISTED.clone();
    reads.avoid(view, order);
    return order;
  }

  /** Reads that much of what was expected, so often that the share is known. */
  private void saw(PathView view, int replica, double share) {
    for (int i = 0; i < 8; i++) {
      SlowReads.Source source = reads.source(view, replica);
      reads.saw(source, share * source.bytesPerSecond(), 1, view.nowMillis);
    }
  }

  @Test
  void whatNobodyReadStaysAsItWasListed() {
    assertThat(order(view())).containsExactly(LISTED);
  }

  @Test
  void aReplicaSeenSlowIsAskedAfterFasterOnesAndBeforeSlowerOnes() {
    saw(view(), 0, 0.01);
    saw(view(), 1, 1);
    assertThat(order(view())).containsExactly(1, 2, 0);
  }

  @Test
  void aSlowReplicaThatIsStillTheFastestStaysFirst() {
    PathView view = new PathView(READER, 1e9, NODES, PathView.NVME, 2e6, 2e6);
    saw(view, 1, 1);
    saw(view, 0, 0.1);
    assertThat(order(view)).containsExactly(LISTED);
  }

  @Test
  void whereAllReadsAreSlowNothingIsSlow() {
    for (int replica = 0; replica < NODES.length; replica++) {
      saw(view(), replica, 0.05);
    }
    assertThat(order(view())).containsExactly(LISTED);
    assertThat(reads.leaves(view(), 0, 0.05 * LINK, 1, BLOCK)).isFalse();
  }

  @Test
  void aNodeThatSaysItIsBusyIsNotSlow() {
    PathView busy = view().reporting(19, 0, 0);
    saw(busy, 1, 1);
    // A twentieth of the link is what twenty readers have of it.
    SlowReads.Source source = reads.source(busy, 0);
    for (int i = 0; i < 8; i++) {
      reads.saw(source, LINK / 20, 1, 0);
    }
    assertThat(order(view())).containsExactly(LISTED);
  }

  @Test
  void aSlowDeviceSaysNothingOfItsNeighbour() {
    PathView first = new PathView(READER, LINK, new int[] {1, 2}, PathView.NVME, PathView.NVME);
    saw(first, 0, 0.01);
    saw(first, 1, 1);
    assertThat(orderOf(new Neighbour(first, 100))).containsExactly(0, 1);
  }

  @Test
  void twoSlowDevicesOfANodeTellOfItsLink() {
    PathView first = new PathView(READER, LINK, new int[] {1, 2}, PathView.NVME, PathView.NVME);
    saw(first, 0, 0.01);
    Neighbour second = new Neighbour(first, 100);
    for (int i = 0; i < 8; i++) {
      SlowReads.Source source = reads.source(second, 0);
      reads.saw(source, 0.01 * source.bytesPerSecond(), 1, 0);
    }
    saw(first, 1, 1);
    assertThat(orderOf(new Neighbour(first, 200))).containsExactly(1, 0);
  }

  private int[] orderOf(Neighbour view) {
    int[] order = {0, 1};
    reads.avoid(view, order);
    return order;
  }

  @Test
  void aReplicaThatAllAvoidIsTriedAgainAfterTwoMinutes() {
    saw(view(), 0, 0.01);
    saw(view(), 1, 1);
    assertThat(order(view().at(20_000))[0]).isEqualTo(1);
    assertThat(order(view().at(120_000))).containsExactly(LISTED);
  }

  @Test
  void aReplicaThatRecoveredIsListedAgainAfterAFewReads() {
    saw(view(), 1, 1);
    saw(view(), 0, 0.01);
    saw(view(), 0, 1);
    assertThat(order(view())).containsExactly(LISTED);
  }

  @Test
  void aClockThatJumpsBackOrFarForwardDropsNoReplica() {
    saw(view().at(1_000_000), 0, 0.01);
    assertThat(order(view().at(-5))).containsExactlyInAnyOrder(0, 1, 2);
    assertThat(order(view().at(Long.MAX_VALUE))).containsExactlyInAnyOrder(0, 1, 2);
  }

  @Test
  void aReadThatCrawlsIsLeftAfterTheFirstLook() {
    double crawl = LINK / 100;
    assertThat(reads.leaves(view(), 0, crawl / 2, 0.5, BLOCK)).isFalse();
    assertThat(reads.leaves(view(), 0, crawl, 1, BLOCK)).isTrue();
  }

  @Test
  void aReadIsNotLeftForOneThatIsLittleFasterNorWhenItIsNearlyOver() {
    assertThat(reads.leaves(view(), 0, LINK / 9, 1, BLOCK)).isFalse();
    assertThat(reads.leaves(view(), 0, LINK / 100, 1, LINK / 200)).isFalse();
  }

  @Test
  void aReadIsNotLeftForAReplicaThatIsSlowToo() {
    for (int other = 1; other < NODES.length; other++) {
      saw(view(), other, 0.02);
    }
    assertThat(reads.leaves(view(), 0, LINK / 100, 1, BLOCK)).isFalse();
  }

  @Test
  void figuresWithoutSenseTeachNothing() {
    SlowReads.Source source = reads.source(view(), 0);
    reads.saw(source, Double.NaN, 1, 0);
    reads.saw(source, 1, 0, 0);
    reads.saw(source, 0, -1, 0);
    assertThat(order(view())).containsExactly(LISTED);
    assertThat(reads.speeds().factCount()).isZero();
  }

  /** A footer of a file, or a reader that stops at once: what it waited for is the first byte. */
  @Test
  void aReadOfFewBytesTeachesNothingUnlessItCrawls() {
    SlowReads.Source source = reads.source(view(), 0);
    for (int i = 0; i < 8; i++) {
      reads.saw(source, 4096, 0.02, 0);
    }
    assertThat(reads.speeds().factCount()).isZero();
    reads.saw(source, 4096, 1, 0);
    assertThat(reads.speeds().factCount()).isPositive();
  }

  @Test
  void memoryIsBounded() {
    ReadSpeeds speeds = new ReadSpeeds();
    for (int i = 0; i < 3 * ReadSpeeds.FACTS_MAX; i++) {
      speeds.saw(i, i / 4, true, 0.5, i);
    }
    assertThat(speeds.factCount()).isEqualTo(ReadSpeeds.FACTS_MAX);
  }
}
