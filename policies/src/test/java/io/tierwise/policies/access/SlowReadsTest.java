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

  private void saw(SlowReads.Source source, double bytes, double seconds, long nowMillis) {
    reads.saw(new SlowReads.Progress(source, bytes, seconds), nowMillis);
  }

  private boolean leaves(double bytes, double seconds, double bytesLeft) {
    SlowReads.Source source = reads.source(view(), 0);
    return reads.leaves(view(), 0, new SlowReads.Progress(source, bytes, seconds), bytesLeft);
  }

  /** Reads that much of what was expected, so often that the share is known. */
  private void saw(PathView view, int replica, double share) {
    for (int i = 0; i < 8; i++) {
      SlowReads.Source source = reads.source(view, replica);
      saw(source, share * source.bytesPerSecond(), 1, view.nowMillis);
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
  void replicasThatAreAsSlowAsEachOtherKeepTheirOrder() {
    saw(view(), 0, 0.01);
    saw(view(), 1, 0.01);
    saw(view(), 2, 1);
    assertThat(order(view())).containsExactly(2, 0, 1);
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
    assertThat(leaves(0.05 * LINK, 1, BLOCK)).isFalse();
  }

  /** Remote reads share links; near ones of the same process do not, and say nothing of them. */
  @Test
  void remoteReadsAreSlowOnlyBesideOtherRemoteReads() {
    int[] nodes = {1, READER, 2};
    PathView view = new PathView(READER, LINK, nodes, PathView.NVME, PathView.NVME, PathView.NVME);
    saw(view, 1, 1);
    saw(view, 2, 0.1);
    saw(view, 0, 0.1);
    assertThat(order(view)).containsExactly(LISTED);
  }

  @Test
  void aNodeThatSaysItIsBusyIsNotSlow() {
    PathView busy = view().reporting(19, 0, 0);
    saw(busy, 1, 1);
    // A twentieth of the link is what twenty readers have of it.
    SlowReads.Source source = reads.source(busy, 0);
    for (int i = 0; i < 8; i++) {
      saw(source, LINK / 20, 1, 0);
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
      saw(source, 0.01 * source.bytesPerSecond(), 1, 0);
    }
    // The first one again, which is no less true of the link.
    saw(first, 0, 0.01);
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
    assertThat(leaves(crawl / 2, 0.5, BLOCK)).isFalse();
    assertThat(leaves(crawl, 1, BLOCK)).isTrue();
  }

  /** A short block is looked at as soon as it took a few times what it should, but not at once. */
  @Test
  void aShortReadIsLookedAtSooner() {
    double crawl = LINK / 100;
    double block = LINK / 10;
    assertThat(leaves(0.3 * crawl, 0.3, block)).isFalse();
    assertThat(leaves(0.4 * crawl, 0.4, block - 0.4 * crawl)).isTrue();
    double small = LINK / 1000;
    assertThat(leaves(0.01 * crawl, 0.19, small)).isFalse();
    assertThat(leaves(0.01 * crawl, 0.2, small)).isTrue();
  }

  @Test
  void oneReadThatGotNothingDoesNotMakeAllOthersUsual() {
    saw(view(), 1, 0.5);
    double usual = reads.speeds().usualShare(true);
    saw(reads.source(view(), 0), 0, 1, 0);
    assertThat(reads.speeds().usualShare(true)).isGreaterThan(usual / 5);
  }

  @Test
  void aReadIsNotLeftForOneThatIsLittleFasterNorWhenItIsNearlyOver() {
    assertThat(leaves(LINK / 2, 1, BLOCK)).isFalse();
    assertThat(leaves(LINK / 100, 1, LINK / 1000)).isFalse();
  }

  /** Its siblings share what it reads from: elsewhere it would be in the way of others. */
  @Test
  void aReadThatGetsAFairPartOfWhatIsUsualIsNotLeft() {
    saw(view(), 0, 0.2);
    saw(view(), 1, 1);
    saw(view(), 2, 0.1);
    double usual = reads.speeds().usualShareOfEnded(true);
    assertThat(usual).isBetween(0.1, 0.2);
    assertThat(leaves(0.3 * usual * LINK, 1, BLOCK)).isFalse();
    assertThat(leaves(0.2 * usual * LINK, 1, BLOCK)).isTrue();
  }

  @Test
  void aReadIsNotLeftForAReplicaThatIsSlowToo() {
    for (int other = 1; other < NODES.length; other++) {
      saw(view(), other, 0.02);
    }
    assertThat(leaves(LINK / 100, 1, BLOCK)).isFalse();
  }

  @Test
  void figuresWithoutSenseTeachNothing() {
    SlowReads.Source source = reads.source(view(), 0);
    saw(source, Double.NaN, 1, 0);
    saw(source, 1, 0, 0);
    saw(source, 0, -1, 0);
    assertThat(order(view())).containsExactly(LISTED);
    assertThat(reads.speeds().factCount()).isZero();
  }

  /** A footer of a file, or a reader that stops at once: what it waited for is the first byte. */
  @Test
  void aReadOfFewBytesTeachesNothingUnlessItCrawls() {
    SlowReads.Source source = reads.source(view(), 0);
    for (int i = 0; i < 8; i++) {
      saw(source, 4096, 0.02, 0);
    }
    assertThat(reads.speeds().factCount()).isZero();
    saw(source, 4096, 1, 0);
    assertThat(reads.speeds().factCount()).isPositive();
  }

  /** What it was five minutes ago hardly counts beside a read of now. */
  @Test
  void whatIsOldHasFadedWhenANewReadIsCounted() {
    ReadSpeeds speeds = new ReadSpeeds();
    for (int read = 0; read < 8; read++) {
      speeds.saw(1, 1, true, 0.01, read);
    }
    speeds.saw(1, 1, true, 0.9, 300_000);
    assertThat(speeds.share(1, 1, true, 300_000)).isGreaterThan(0.9);
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
