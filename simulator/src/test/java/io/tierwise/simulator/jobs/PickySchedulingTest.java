package io.tierwise.simulator.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.tierwise.policies.scheduling.SchedulingContract;
import io.tierwise.policies.scheduling.SchedulingPolicies;
import io.tierwise.policies.scheduling.SchedulingPolicy;
import io.tierwise.simulator.Progress;
import io.tierwise.simulator.Simulation;
import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** That the simulator does what a policy of somebody else says, and that it keeps the contract. */
class PickySchedulingTest extends SchedulingContract {
  /** Two nodes of each of two kinds, one ten times as fast; maps of about 1 s and 10 s. */
  private static final String TWO_KINDS =
      """
      nodes:
        slow: {cores: 2, clock: 280 MHz, map-slots: 2, reduce-slots: 2, volumes: [{device: nvme-p3700}, {device: hdd-es3}]}
        fast: {based-on: slow, clock: 2.8 GHz}
      cluster:
        racks:
          - {name: a, region: east, nodes: [{kind: slow, count: 2}]}
          - {name: b, region: west, nodes: [{kind: fast, count: 2}]}
      policies: {replication: 4, block: 64 MiB, scheduler: "%s"}
      model: {job-start: 0 s, task-start: 0 s, sort: 1 MB, write-through: true}
      workload: {applications: {jobs: [%s]}}
      """;

  private static final String FOUR_MAPS = "{application: lsn/grep, scale: 0.025}";
  private static final double FAST_MAP_SECONDS = 40.0 * (64 << 20) / 2.8e9;

  @Override
  protected SchedulingPolicy policy() {
    return SchedulingPolicies.parse("picky:kind=0,region=0,wave=3");
  }

  private static RunResult run(String scheduler, String jobs) throws IOException {
    return run(TWO_KINDS.formatted(scheduler, jobs));
  }

  private static RunResult run(String yaml) throws IOException {
    return Simulation.of(ScenarioFiles.parse(yaml, "s").scenario()).run(Progress.NONE);
  }

  @Test
  void onlyNodesOfTheKindThatItLikesRunTasks() throws IOException {
    assertThat(run("fifo", FOUR_MAPS).makespanSeconds()).isGreaterThan(9 * FAST_MAP_SECONDS);
    assertThat(run("picky:kind=1", FOUR_MAPS).makespanSeconds())
        .isBetween(FAST_MAP_SECONDS, 3 * FAST_MAP_SECONDS);
  }

  @Test
  void onlyTheSubClusterThatItLikesRunsTasks() throws IOException {
    assertThat(run("picky:region=1", FOUR_MAPS).makespanSeconds())
        .isBetween(FAST_MAP_SECONDS, 3 * FAST_MAP_SECONDS);
  }

  @Test
  void nothingBeginsBeforeItsTime() throws IOException {
    double atOnce = run("picky:kind=1", FOUR_MAPS).makespanSeconds();
    assertThat(run("picky:kind=1,not-before-seconds=30", FOUR_MAPS).makespanSeconds())
        .isCloseTo(30 + atOnce, within(2.0));
  }

  /** Eight slots: with one and a half jobs of 5 maps there, the second one's do not fit at once. */
  @Test
  void aJobBeginsWithAWholeWaveOrNotAtAll() throws IOException {
    String jobs = "{application: lsn/grep, scale: 0.032}, {application: lsn/grep, scale: 0.032}";
    double oneByOne = run("picky", jobs).makespanSeconds();
    double inWaves = run("picky:wave=5", jobs).makespanSeconds();
    double slowMap = 10 * FAST_MAP_SECONDS;

    assertThat(oneByOne).isLessThan(2 * slowMap);
    assertThat(inWaves).as("the second job waits for slots of the first").isGreaterThan(oneByOne);
  }

  @Test
  void intermediateDataGoesToTheTierThatItNames() throws IOException {
    String sort = "{application: lsn/terasort, scale: 0.01}";
    RunResult onFast = run("picky:temporary-tier=0", sort);
    RunResult onDisk = run("picky:temporary-tier=1", sort);
    RunResult inTurn = run("picky", sort);

    assertThat(writtenTo(onFast, "nvme-p3700")).isGreaterThan(writtenTo(inTurn, "nvme-p3700"));
    assertThat(writtenTo(onDisk, "hdd-es3")).isGreaterThan(writtenTo(inTurn, "hdd-es3"));
  }

  private static double writtenTo(RunResult result, String device) {
    int index = result.cost().deviceClasses().indexOf(device);
    return (double) result.cost().writtenBytesByClass()[index];
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "picky:kind=7",
        "picky:kind=7,again-seconds=0",
        "picky:kind=7,again-seconds=1",
        "picky:kind=7,again-seconds=10"
      })
  void aPolicyThatRefusesForEverIsNamedWithItsReason(String policy) {
    assertThatThrownBy(() -> run(policy, FOUR_MAPS))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(policy)
        .hasMessageContaining("another kind of node is wanted");
  }

  @Test
  @Timeout(60)
  void aPolicyThatGivesNodesNothingIsNamed() {
    assertThatThrownBy(() -> run("picky:tasks-a-turn=0", FOUR_MAPS))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "scheduling policy picky:tasks-a-turn=0 gives a node 0 tasks a turn, must be 1 or more");
  }

  /** The jobs' numbers count from 0; eight maps fill all slots, and each is local to one node. */
  @ParameterizedTest
  @CsvSource({
    "picky:gives-to=7, is not there",
    "picky:gives-to=0, has no map that waits when a slot becomes free for the second job",
    "picky:from-anywhere=1, gets a slot that is offered to maps on their own node"
  })
  void aSlotThatIsGivenToWhomItWasNotOfferedEndsTheRun(String policy, String why) {
    String job = "{application: lsn/grep, scale: 0.05}";
    String yaml = TWO_KINDS.formatted(policy, job + ", " + job);
    assertThatThrownBy(() -> run(yaml.replace("replication: 4", "replication: 1")))
        .as("a job %s", why)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("scheduling policy " + policy + " gave a slot to")
        .hasMessageContaining("job=");
  }
}
