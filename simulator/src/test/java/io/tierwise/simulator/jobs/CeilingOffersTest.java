package io.tierwise.simulator.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.action.Assign;
import io.tierwise.core.view.WorkView;
import io.tierwise.core.work.SlotKind;
import io.tierwise.policies.scheduling.JobQueue;
import io.tierwise.policies.scheduling.SchedulingPolicies;
import io.tierwise.policies.scheduling.SchedulingPolicy;
import io.tierwise.policies.scheduling.SchedulingProvider;
import io.tierwise.policies.scheduling.SlotOffer;
import io.tierwise.policies.text.SpecReader;
import io.tierwise.simulator.Progress;
import io.tierwise.simulator.Simulation;
import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** A queue at its ceiling on a cluster most of which is free. */
class CeilingOffersTest {
  private static final AtomicLong ASKED = new AtomicLong();
  private static final int MAPS = 640;

  /** Decides as the policy behind the colon, and counts how often it is asked. */
  private record Counting(SchedulingPolicy policy) implements SchedulingPolicy {
    @Override
    public String name() {
      return "counting:" + policy.name();
    }

    @Override
    public JobQueue newQueue(SlotKind slots, WorkView work) {
      return policy.newQueue(slots, work);
    }

    @Override
    public Assign assign(SlotOffer offer, JobQueue queue, WorkView work, RandomGenerator random) {
      ASKED.incrementAndGet();
      return policy.assign(offer, queue, work, random);
    }

    @Override
    public long patienceNanos() {
      return policy.patienceNanos();
    }

    @Override
    public int tasksATurn() {
      return policy.tasksATurn();
    }

    @Override
    public boolean asksNearNodesFirst() {
      return policy.asksNearNodesFirst();
    }
  }

  /** Makes it from its text. */
  public static final class Provider implements SchedulingProvider {
    @Override
    public String name() {
      return "counting";
    }

    @Override
    public String usage() {
      return "counting:POLICY";
    }

    @Override
    public String summary() {
      return "another policy, whose decisions are counted";
    }

    @Override
    public SchedulingPolicy make(SpecReader settings, Defaults defaults) {
      return new Counting(SchedulingPolicies.parse(settings.text(), defaults));
    }
  }

  private static RunResult run(String scheduler) throws IOException {
    ASKED.set(0);
    String yaml =
        """
        nodes:
          n: {cores: 2, map-slots: 2, reduce-slots: 1, volumes: [{device: hdd-es3}]}
        cluster: {racks: [{count: 4, nodes: [{kind: n, count: 50}]}]}
        policies: {block: 64 MiB, scheduler: "%s"}
        workload: {applications: {jobs: [{application: lsn/grep, scale: 4}]}}
        """
            .formatted(scheduler);
    RunResult result =
        Simulation.of(ScenarioFiles.parse(yaml, "ceiling").scenario()).run(Progress.NONE);
    assertThat(result.jobs().finished()).isOne();
    return result;
  }

  /** 30 of 600 slots: some 170 nodes have nothing to do, and would be asked for at each end. */
  @Test
  void anEndOfATaskDoesNotOfferAllNodesThatAreFree() throws IOException {
    RunResult held = run("counting:capacity:lsn/grep=5/5");
    long asked = ASKED.get();

    // Some twenty nodes are asked until one has a map's data near.
    assertThat(asked).isBetween((long) MAPS, 40L * MAPS);
    assertThat(held.engine().logHash())
        .as("the same run")
        .isEqualTo(run("capacity:lsn/grep=5/5").engine().logHash());
  }

  /** What falls below its ceiling gets slots again, on any node. */
  @Test
  void theCeilingIsKeptAndReached() throws IOException {
    double free = run("capacity").makespanSeconds();
    double held = run("capacity:lsn/grep=5/5").makespanSeconds();

    assertThat(held).isGreaterThan(3 * free);
  }
}
