package io.tierwise.simulator.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.tierwise.simulator.engine.Engine;
import io.tierwise.simulator.engine.Ticks;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Systems of flows that one can work out by hand. */
class FlowNetworkTest {
  private static final double UNLIMITED = Double.POSITIVE_INFINITY;

  private final Engine engine = new Engine();
  private final List<String> finished = new ArrayList<>();
  private final FlowNetwork network =
      new FlowNetwork(
          engine, (flow, tag) -> finished.add(tag + "@" + Ticks.toSeconds(engine.now())));

  @BeforeEach
  void checkEveryEvent() {
    engine.registerCheck(network::check);
    engine.assertBetween(0, Ticks.NEVER);
  }

  @Test
  void oneFlowHasTheWholeResource() {
    int disk = network.addResource(100);
    start(500, 1, disk);

    run();

    assertThat(finished).containsExactly("1@5.0");
    assertThat(network.finishedFlows()).isEqualTo(1);
    assertThat(network.flowCount()).isZero();
  }

  @Test
  void aLaterFlowSharesWhatIsLeftOfTheTime() {
    int disk = network.addResource(100);
    start(500, 1, disk);
    engine.runUntil(Ticks.ofSeconds(1));
    start(500, 2, disk);

    run();

    assertThat(finished).containsExactly("1@9.0", "2@10.0");
  }

  @Test
  void anEqualFlowThatStartsAsOneEndsTakesItsPlace() {
    List<String> ends = new ArrayList<>();
    FlowNetwork[] chain = new FlowNetwork[1];
    int[] disk = new int[1];
    double[] units = {1};
    chain[0] =
        new FlowNetwork(
            engine,
            (flow, tag) -> {
              ends.add(tag + "@" + Ticks.toSeconds(engine.now()));
              if (tag < 3) {
                chain[0].start(disk, units, 1, 100, 60, tag + 1);
              }
            });
    engine.registerCheck(chain[0]::check);
    disk[0] = chain[0].addResource(100);
    chain[0].start(disk, units, 1, 100, 60, 1);
    int other = chain[0].start(disk, units, 1, 1000, UNLIMITED, 10);
    engine.runUntil(Ticks.ofSeconds(5));
    assertThat(chain[0].rate(other)).isEqualTo(50);
    assertThat(chain[0].used(disk[0])).isEqualTo(100);

    run();

    assertThat(ends).containsExactly("1@2.0", "2@4.0", "3@6.0", "10@13.0");
    assertThat(chain[0].unitsMoved(disk[0])).isCloseTo(1300, within(1e-9));
    assertThat(chain[0].busySeconds(disk[0])).isCloseTo(13, within(1e-9));
  }

  @Test
  void aFlowThatIsCancelledAsItStartsLeavesNothing() {
    int disk = network.addResource(100);
    start(1000, 1, disk);
    settle();
    network.cancel(network.start(new int[] {disk}, new double[] {2}, 1, 100, UNLIMITED, 2));
    settle();

    assertThat(network.used(disk)).isEqualTo(100);
    assertThat(network.flowCount()).isEqualTo(1);

    run();

    assertThat(finished).containsExactly("1@10.0");
  }

  @Test
  void whatOneFlowCannotUseGoesToTheOthers() {
    int narrow = network.addResource(10);
    int wide = network.addResource(100);
    int slow = start(1000, 1, narrow, wide);
    int fast = start(1000, 2, wide);
    settle();

    assertThat(network.rate(slow)).isEqualTo(10);
    assertThat(network.rate(fast)).isEqualTo(90);
    assertThat(network.used(wide)).isEqualTo(100);
  }

  @Test
  void aRateLimitHoldsAndLeavesTheRest() {
    int disk = network.addResource(100);
    int limited = network.start(new int[] {disk}, new double[] {1}, 1, 100, 20, 1);
    int free = start(100, 2, disk);
    settle();

    assertThat(network.rate(limited)).isEqualTo(20);
    assertThat(network.rate(free)).isEqualTo(80);
  }

  @Test
  void aCostPerByteDividesTheResourceSoThatRatesAreEqual() {
    int device = network.addResource(1);
    int read = network.start(new int[] {device}, new double[] {1 / 200.0}, 1, 100, UNLIMITED, 1);
    int write = network.start(new int[] {device}, new double[] {1 / 50.0}, 1, 100, UNLIMITED, 2);
    settle();

    assertThat(network.rate(read)).isCloseTo(40, within(1e-12));
    assertThat(network.rate(write)).isCloseTo(40, within(1e-12));
  }

  @Test
  void aCurveGivesTheCapacityForTheFlowsThatAreThere() {
    int disk = network.addResource(flowCount -> flowCount == 1 ? 100 : 60);
    start(300, 1, disk);
    start(600, 2, disk);

    run();

    // Both at 30 for 10 s, then one at 100 for 3 s.
    assertThat(finished).containsExactly("1@10.0", "2@13.0");
    assertThat(network.unitsMoved(disk)).isCloseTo(900, within(1e-9));
    assertThat(network.busySeconds(disk)).isCloseTo(13, within(1e-9));
  }

  @Test
  void aCapacityOfZeroHaltsAndALaterOneResumes() {
    int disk = network.addResource(100);
    int flow = start(500, 1, disk);
    engine.runUntil(Ticks.ofSeconds(2));
    network.setCapacity(disk, 0);
    engine.runUntil(Ticks.ofSeconds(10));
    assertThat(network.bytesLeft(flow)).isCloseTo(300, within(1e-9));
    network.setCapacity(disk, 50);

    run();

    assertThat(finished).containsExactly("1@16.0");
    assertThat(network.busySeconds(disk)).isCloseTo(8, within(1e-9));
  }

  @Test
  void cancellingReturnsWhatIsLeftAndTellsNobody() {
    int disk = network.addResource(100);
    int flow = start(500, 1, disk);
    start(500, 2, disk);
    engine.runUntil(Ticks.ofSeconds(2));

    assertThat(network.cancel(flow)).isCloseTo(400, within(1e-9));
    run();

    assertThat(finished).containsExactly("2@6.0");
    assertThat(network.finishedFlows()).isEqualTo(1);
  }

  @Test
  void nothingToMoveOrNothingInTheWayEndsInTheSameInstant() {
    int disk = network.addResource(0);
    int endless = network.addResource(UNLIMITED);
    start(0, 1, disk);
    start(100, 2, endless);
    start(100, 3);

    run();

    assertThat(finished).containsExactlyInAnyOrder("1@0.0", "2@0.0", "3@0.0");
  }

  @Test
  void aResourceNamedTwiceIsPaidTwice() {
    int disk = network.addResource(100);
    int copy = start(100, 1, disk, disk);
    settle();

    assertThat(network.rate(copy)).isEqualTo(50);
  }

  @Test
  void theListenerMayStartAndCancelFlows() {
    Engine own = new Engine();
    FlowNetwork[] chain = new FlowNetwork[1];
    List<Double> times = new ArrayList<>();
    chain[0] =
        new FlowNetwork(
            own,
            (flow, tag) -> {
              times.add(Ticks.toSeconds(own.now()));
              if (tag > 0) {
                chain[0].start(new int[] {0}, new double[] {1}, 1, 100, UNLIMITED, tag - 1);
              }
            });
    chain[0].addResource(100);
    chain[0].start(new int[] {0}, new double[] {1}, 1, 100, UNLIMITED, 2);

    own.runUntil(Ticks.NEVER);

    assertThat(times).containsExactly(1.0, 2.0, 3.0);
  }

  @Test
  void refusesNonsenseAndNamesIt() {
    int disk = network.addResource(100);

    assertThatThrownBy(() -> network.addResource(-1)).hasMessageContaining("-1.0 units");
    assertThatThrownBy(() -> network.setCapacity(disk, Double.NaN)).hasMessageContaining("NaN");
    assertThatThrownBy(() -> start(-5, 1, disk)).hasMessageContaining("-5.0 bytes");
    assertThatThrownBy(() -> network.start(new int[] {disk}, new double[] {-1}, 1, 1, 1, 1))
        .hasMessageContaining("-1.0 units per byte");
    assertThatThrownBy(() -> network.cancel(12)).isInstanceOf(RuntimeException.class);
  }

  private int start(double bytes, long tag, int... resources) {
    double[] unitsPerByte = new double[resources.length];
    java.util.Arrays.fill(unitsPerByte, 1);
    return network.start(resources, unitsPerByte, resources.length, bytes, UNLIMITED, tag);
  }

  private void settle() {
    engine.runUntil(engine.now());
  }

  private void run() {
    engine.runUntil(Ticks.NEVER);
  }
}
