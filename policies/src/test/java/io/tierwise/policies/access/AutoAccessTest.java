package io.tierwise.policies.access;

import static io.tierwise.policies.access.PathView.DISK;
import static io.tierwise.policies.access.PathView.NVME;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class AutoAccessTest extends AccessStrategyContract {
  private static final int BLOCK = 128 << 20;
  static final double TEN_GIGABITS = 1250e6;
  private static final double ONE_GIGABIT = 125e6;
  static final AccessRequest REQUEST = new AccessRequest(1, 0, BLOCK, -1);

  private static final AutoAccess WITHOUT_REPORTS =
      new AutoAccess(1250, AutoAccess.Without.NOTHING, false);

  private final AccessStrategy auto = AutoAccess.DEFAULT;

  @Override
  protected List<AccessStrategy> strategies() {
    return List.of(
        auto,
        new AutoAccess(125),
        WITHOUT_REPORTS,
        new AutoAccess(125, AutoAccess.Without.COUNTS, true));
  }

  private static int first(AccessStrategy strategy, PathView view) {
    int[] order = new int[view.replicaCount()];
    strategy.order(REQUEST, view, new SplittableRandom(1), order);
    strategy.answered(REQUEST, view, order[0], 1, new AnswerCounts());
    return order[0];
  }

  private static void look(AccessStrategy strategy, PathView view, int replica) {
    AnswerCounts counts = new AnswerCounts();
    strategy.answered(REQUEST, view, replica, 1, counts);
    strategy.takenBack(counts);
  }

  private static AccessStrategy counting() {
    return AccessSession.of(AutoAccess.DEFAULT).pick(0).strategy();
  }

  @Example
  void anIdleFastDeviceBehindAFastLinkIsFirstAndAnIdleSlowOneLast() {
    PathView view = new PathView(0, TEN_GIGABITS, new int[] {0, 1, 2}, DISK, NVME, 191e6);
    int[] order = new int[3];
    assertThat(auto.order(REQUEST, view, new SplittableRandom(1), order))
        .isEqualTo(AccessReason.SOONEST);
    assertThat(order).containsExactly(1, 2, 0);
  }

  @Example
  void aLinkThatIsSlowerThanTheDeviceCounts() {
    PathView local = new PathView(0, ONE_GIGABIT, new int[] {0, 1}, 110e6, NVME);
    assertThat(first(auto, local)).as("the local disk, less a switch").isZero();
    PathView slower = new PathView(0, ONE_GIGABIT, new int[] {0, 1}, DISK, NVME);
    assertThat(first(auto, slower)).isEqualTo(1);
  }

  /**
   * Nine readers of one fast device and eight disks: at 1 Gbit/s two thirds stay on their disks.
   */
  @Example
  void answersOfOneMomentSpreadByWhatEachPathIsWorth() {
    AccessStrategy counting = counting();
    int fast = 0;
    for (int reader = 1; reader <= 9; reader++) {
      PathView view = new PathView(reader, ONE_GIGABIT, new int[] {reader, 100}, DISK, NVME);
      fast += first(counting, view);
    }
    assertThat(fast).isBetween(1, 3);
  }

  /** From two nodes that are idle themselves. */
  @Example
  void theReadersOwnLinkIsLookedUpForEachBlock() {
    AccessStrategy counting = counting();
    int first = first(counting, new PathView(0, ONE_GIGABIT, new int[] {0, 1}, DISK, NVME));
    assertThat(first).isEqualTo(1);
    int second = first(counting, new PathView(0, ONE_GIGABIT, new int[] {0, 2}, DISK, NVME));
    assertThat(second).as("the local disk: the link is taken").isZero();
  }

  @Example
  void whatWasSentThereIsForgottenWhenItHasDrained() {
    AccessStrategy counting = counting();
    int[] nodes = {1, 2};
    assertThat(first(counting, new PathView(0, TEN_GIGABITS, nodes, NVME, NVME * 0.9))).isZero();
    assertThat(first(counting, new PathView(0, TEN_GIGABITS, nodes, NVME, NVME * 0.9)))
        .as("the other one is free")
        .isEqualTo(1);
    PathView later = new PathView(0, TEN_GIGABITS, nodes, NVME, NVME * 0.9).at(5_000);
    assertThat(first(counting, later)).as("five seconds later both are").isZero();
  }

  @Example
  void anAnswerThatIsTakenBackAndAnOrderThatNobodyWasToldCountNothing() {
    AccessStrategy counting = counting();
    PathView view = new PathView(0, TEN_GIGABITS, new int[] {1, 2}, NVME, NVME * 0.9);
    int[] order = new int[2];
    for (int look = 0; look < 1_000; look++) {
      counting.order(REQUEST, view, new SplittableRandom(look), order);
      look(counting, view, order[0]);
      counting.order(REQUEST, view, new SplittableRandom(look), order);
      assertThat(order[0]).isZero();
    }
  }

  /** It has so many readers that the bound is reached; each of them is on a node of its own. */
  @Example
  void aThousandLooksAtABusyReplicaTakeNoneOfItsReadersAway() {
    AccessStrategy counting = counting();
    for (int reader = 10; reader < 110; reader++) {
      first(counting, new PathView(reader, TEN_GIGABITS, new int[] {1}, NVME));
    }
    for (int look = 0; look < 1_000; look++) {
      look(counting, new PathView(9, TEN_GIGABITS, new int[] {1}, NVME), 0);
    }
    PathView view = new PathView(8, TEN_GIGABITS, new int[] {1, 2}, NVME, DISK);
    assertThat(first(counting, view)).as("not the busy one").isEqualTo(1);
    view.at(10_001);
    assertThat(first(counting, view)).as("all are forgotten").isZero();
  }

  @Example
  void aThousandAnswersThatNobodyReadsAreForgottenInTenSeconds() {
    AccessStrategy counting = counting();
    int[] nodes = {1, 2};
    for (int look = 0; look < 1_000; look++) {
      first(counting, new PathView(0, TEN_GIGABITS, nodes, NVME, NVME * 0.9));
    }
    PathView later = new PathView(0, TEN_GIGABITS, nodes, NVME, NVME * 0.9).at(10_001);
    assertThat(first(counting, later)).as("as if nothing had been").isZero();
    assertThat(first(counting, later)).as("one answer counts again").isEqualTo(1);
  }

  @Example
  void aNodeThatReportsManyTransfersIsAvoidedAndTakenAgainWhenTheyAreOver() {
    int[] nodes = {1, 2};
    PathView busy = new PathView(0, TEN_GIGABITS, nodes, NVME, 191e6).reporting(8, 0);
    assertThat(first(auto, busy)).isEqualTo(1);
    assertThat(first(auto, busy.reporting(0, 0))).isZero();
    assertThat(first(auto, busy.reporting(-5, 0))).as("a lie is none").isZero();
    assertThat(first(auto, busy.reporting(Integer.MAX_VALUE, 0))).isEqualTo(1);
  }

  /** What a node serves passes its device and its link, and not the link of another reader. */
  @Example
  void transfersOfANodeAreNoLoadOfTheReadersOwnLink() {
    int[] nodes = {1, 2};
    double slow = ONE_GIGABIT / 10;
    PathView busy =
        new PathView(0, TEN_GIGABITS, nodes, NVME, NVME).readerLink(slow).reporting(4, 0);
    boolean[] wasFirst = new boolean[nodes.length];
    SplittableRandom random = new SplittableRandom(1);
    int[] order = new int[nodes.length];
    for (int i = 0; i < 100; i++) {
      auto.order(REQUEST, busy, random, order);
      wasFirst[order[0]] = true;
    }
    assertThat(wasFirst).as("both come through as soon").containsOnly(true);
  }

  /**
   * Clients keep idle connections, and nodes report them: who was sent there is counted already.
   */
  @Example
  void reportedTransfersOfReadersThatWereSentThereAreNoLoadBeside() {
    AccessStrategy counting = counting();
    int[] nodes = {1, 2};
    for (int read = 0; read < 3; read++) {
      assertThat(
              first(counting, new PathView(0, TEN_GIGABITS, nodes, NVME, 191e6).at(read * 1_500L)))
          .isZero();
    }
    PathView idle = new PathView(0, TEN_GIGABITS, nodes, NVME, 191e6).reporting(2, 0).at(4_500);
    assertThat(first(counting, idle)).as("two of the three are kept").isZero();
    PathView busy = new PathView(0, TEN_GIGABITS, nodes, NVME, 191e6).reporting(9, 0).at(6_000);
    assertThat(first(counting, busy)).as("others load the node, or it is slow").isEqualTo(1);
    PathView later = new PathView(0, TEN_GIGABITS, nodes, NVME, 191e6).reporting(6, 0).at(60_000);
    assertThat(first(counting, later)).as("answers of a minute ago explain nothing").isEqualTo(1);
  }

  /** Answers of which the readers are gone explain more than is there, and that is no load. */
  @Example
  void aNodeThatReportsFewerTransfersThanItsAnswersIsIdle() {
    AccessStrategy counting = counting();
    int[] nodes = {1, 2};
    for (int read = 0; read < 5; read++) {
      PathView free = new PathView(0, TEN_GIGABITS, nodes, NVME, NVME * 0.9).at(read * 300L);
      assertThat(first(counting, free)).isZero();
    }
    PathView idle = new PathView(0, TEN_GIGABITS, nodes, NVME, NVME * 0.9);
    assertThat(first(counting, idle.reporting(1, 0).at(1_500))).isZero();
  }

  /** Each part does what is said of it, and without it does not. */
  @Example
  void partsCanBeLeftOutToSeeWhatTheyBring() {
    int[] nodes = {1, 2};
    PathView free = new PathView(0, TEN_GIGABITS, nodes, NVME, NVME * 0.9);
    AccessStrategy noCounts =
        AccessSession.of(AccessStrategies.parse("auto:without=counts")).pick(0).strategy();
    assertThat(first(noCounts, free)).isZero();
    assertThat(first(noCounts, free)).as("nothing is remembered").isZero();
    AccessStrategy noHeartbeats = AccessStrategies.parse("auto:without=heartbeats");
    assertThat(first(noHeartbeats, free.reporting(9, 0))).isZero();
    assertThat(first(auto, free)).isEqualTo(1);
    AccessStrategy noExplaining =
        AccessSession.of(AccessStrategies.parse("auto:without=explaining")).pick(0).strategy();
    PathView idle = new PathView(0, TEN_GIGABITS, nodes, NVME, 191e6);
    for (int read = 0; read < 3; read++) {
      assertThat(first(noExplaining, idle.at(read * 1_500L))).isZero();
    }
    assertThat(first(noExplaining, idle.reporting(8, 0).at(4_500)))
        .as("its own readers are taken for load beside")
        .isEqualTo(1);
    AccessStrategy noLeaving = AccessStrategies.parse("auto:without=leaving");
    assertThat(noLeaving.slowReads(ReadSpeeds::new)).isEmpty();
    assertThat(auto.slowReads(ReadSpeeds::new)).isPresent();
    assertThat(noLeaving.name()).isEqualTo("auto:without=leaving");
  }

  @Example
  void whatIsUnknownGoesByTheSettingAndTheRankOfTheTier() {
    int[] nodes = {1, 2};
    PathView unknown = new PathView(0, Double.NaN, nodes, Double.NaN, NVME);
    assertThat(first(auto, unknown)).as("an unmeasured disk").isEqualTo(1);
    PathView all = new PathView(1, Double.NaN, nodes, Double.NaN, Double.NaN);
    assertThat(first(auto, all)).as("equal but for the switch").isZero();
  }

  @Example
  void aHostThatKnowsNoPathKeepsItsOrder() {
    ArrayReadView view = ArrayReadView.replicas(2, 0, 0, 2, 1, 4);
    assertThat(orderOf(auto, view)).containsExactly(0, 1, 2);
    assertThat(reasonOf(auto, view)).isEqualTo(AccessReason.AS_LISTED);
  }

  /** The names of nodes and the places of replicas in the list mean nothing. */
  @Property(tries = 200)
  void theOrderFollowsTheReplicasHoweverTheyAreNumbered(
      @ForAll @IntRange(min = 1, max = 1 << 20) int names,
      @ForAll @IntRange(min = 0, max = 5) int turn) {
    double[] rates = {DISK, 110e6, 191e6, 250e6, 400e6, NVME};
    int[] nodes = new int[rates.length];
    double[] turned = new double[rates.length];
    for (int i = 0; i < rates.length; i++) {
      turned[i] = rates[(i + turn) % rates.length];
      nodes[i] = names + (i + turn) % rates.length;
    }
    int[] order = new int[rates.length];
    PathView view = new PathView(0, TEN_GIGABITS, nodes, turned);
    counting().order(REQUEST, view, new SplittableRandom(names), order);
    for (int place = 0; place < rates.length; place++) {
      assertThat(turned[order[place]]).isEqualTo(rates[rates.length - 1 - place]);
    }
  }

  @Example
  void equalReplicasAreDrawnAtRandom() {
    PathView view = new PathView(0, TEN_GIGABITS, new int[] {1, 2, 3}, NVME, NVME, NVME);
    int[] firsts = new int[3];
    SplittableRandom random = new SplittableRandom(1);
    int[] order = new int[3];
    for (int i = 0; i < 3_000; i++) {
      auto.order(REQUEST, view, random, order);
      firsts[order[0]]++;
    }
    for (int count : firsts) {
      assertThat(count).isBetween(900, 1_100);
    }
  }

  /** Two readers on other hosts tell that the fast device gives a tenth. */
  static AccessStrategy toldThatTheFirstIsSlow(AutoAccess strategy, PathView view) {
    AccessStrategy told = AccessSession.of(strategy).pick(0).strategy();
    long bytes = (long) (0.1 * view.pathBytesPerSecond(0, 0));
    for (int host = 7; host <= 8; host++) {
      told.reported(view, 0, new ReadReport(0, true, bytes, 1_000, 0), host);
    }
    return told;
  }

  @Example
  void aReaderThatKnowsNothingIsSentPastWhatOthersFoundSlow() {
    PathView view = new PathView(0, TEN_GIGABITS, new int[] {1, 2}, NVME, 191e6);
    assertThat(first(toldThatTheFirstIsSlow(WITHOUT_REPORTS, view), view)).isZero();
    assertThat(first(toldThatTheFirstIsSlow(AutoAccess.DEFAULT, view), view)).isEqualTo(1);
    view.at(61_000);
    AccessStrategy told = toldThatTheFirstIsSlow(AutoAccess.DEFAULT, view);
    assertThat(first(told, view.at(130_000))).as("a minute later").isZero();
  }

  @Example
  void whatWasSentToASlowDeviceIsThereForLonger() {
    AccessStrategy told =
        toldThatTheFirstIsSlow(
            AutoAccess.DEFAULT, new PathView(0, TEN_GIGABITS, new int[] {1, 2}, NVME, 40e6));
    // About 130 MB/s are left: one answer takes it for a second, not for a quarter of one.
    PathView now = new PathView(0, TEN_GIGABITS, new int[] {1, 2}, NVME, 40e6);
    assertThat(first(told, now)).isZero();
    assertThat(first(told, now.at(100))).isEqualTo(1);
  }

  /**
   * About 53 MB/s are left of it: ten seconds of that, and not of the speed that it should have.
   */
  @Example
  void answersOfASlowDeviceAreForgottenAsSoonAsOthers() {
    PathView view = new PathView(0, TEN_GIGABITS, new int[] {1, 2}, NVME, DISK);
    AccessStrategy told = toldThatTheFirstIsSlow(AutoAccess.DEFAULT, view);
    for (int reader = 10; reader < 110; reader++) {
      first(told, new PathView(reader, TEN_GIGABITS, new int[] {1}, NVME));
    }
    assertThat(first(told, view)).isEqualTo(1);
    assertThat(first(told, view.at(12_000))).as("still a bit faster than a disk").isZero();
  }

  /** Two hosts, each with a link that carries a tenth of what the device and its node give. */
  @Example
  void readersWithSlowLinksOfTheirOwnMakeNoDeviceSlow() {
    AccessStrategy told = AccessSession.of(AutoAccess.DEFAULT).pick(0).strategy();
    double rate = NVME / 10;
    for (int read = 1; read <= 20; read++) {
      // Else slow reads would be usual.
      for (int host = 20; host < 25; host++) {
        PathView healthy = new PathView(host, TEN_GIGABITS, new int[] {3}, NVME).at(read * 1_000L);
        told.reported(healthy, 0, new ReadReport(0, true, (long) NVME, 1_000, 0), host);
      }
      for (int host = 7; host <= 8; host++) {
        PathView seen =
            new PathView(host, TEN_GIGABITS, new int[] {1}, NVME)
                .at(read * 1_000L)
                .readerLink(rate);
        ReadReport report = new ReadReport(0, true, (long) rate, 1_000, 0);
        told.reported(seen, 0, report, host);
      }
    }
    PathView view = new PathView(0, TEN_GIGABITS, new int[] {1, 2}, NVME, 191e6).at(20_000);
    assertThat(first(told, view)).isZero();
  }

  /** The link of the node is what readers wait for: without its share it would carry enough. */
  @Example
  void aSlowReadMayMeanTheLinkOfTheNodeAsWellAsItsDevice() {
    PathView view = new PathView(0, ONE_GIGABIT, new int[] {1, 2}, NVME, DISK);
    assertThat(first(counting(), view)).isZero();
    AccessStrategy told = counting();
    ReadReport report = new ReadReport(0, true, (long) (0.1 * ONE_GIGABIT), 1_000, 0);
    told.reported(view, 0, report, 7);
    told.reported(view, 0, report, 8);
    assertThat(first(told, view)).isEqualTo(1);
  }

  @Example
  void aBlockThatIsReadInPartCountsAsThatPart() {
    PathView view = new PathView(0, TEN_GIGABITS, new int[] {1, 2}, NVME, 191e6);
    AccessStrategy quarter = counting();
    quarter.answered(REQUEST, view, 0, 0.25, new AnswerCounts());
    assertThat(first(quarter, view)).as("300 MB/s are left for the next reader").isZero();
    AccessStrategy whole = counting();
    whole.answered(REQUEST, view, 0, 1, new AnswerCounts());
    assertThat(first(whole, view)).as("130 MB/s are left").isEqualTo(1);
  }

  /** Ten seconds of such a device are less than a block. */
  @Example
  void readersOfADeviceThatNeedsLongForABlockAreToldApart() {
    AccessStrategy counting = counting();
    for (int reader = 10; reader < 13; reader++) {
      first(counting, new PathView(reader, TEN_GIGABITS, new int[] {1}, 10e6));
    }
    first(counting, new PathView(13, TEN_GIGABITS, new int[] {2}, 10e6));
    PathView view = new PathView(14, TEN_GIGABITS, new int[] {1, 2}, 10e6, 10e6);
    int[] order = new int[2];
    for (int seed = 0; seed < 20; seed++) {
      counting.order(REQUEST, view, new SplittableRandom(seed), order);
      assertThat(order[0]).isEqualTo(1);
    }
  }
}
