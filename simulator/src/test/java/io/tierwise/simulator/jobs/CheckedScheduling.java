package io.tierwise.simulator.jobs;

import io.tierwise.core.action.Assign;
import io.tierwise.core.view.WorkView;
import io.tierwise.core.work.SlotKind;
import io.tierwise.core.work.Task;
import io.tierwise.policies.scheduling.JobQueue;
import io.tierwise.policies.scheduling.SchedulingPolicies;
import io.tierwise.policies.scheduling.SchedulingPolicy;
import io.tierwise.policies.scheduling.SchedulingProvider;
import io.tierwise.policies.scheduling.SlotOffer;
import io.tierwise.policies.text.SpecReader;
import java.util.PrimitiveIterator;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/**
 * Decides as the policy behind the colon, asks it also with a queue that is made anew, and fails
 * when the answers differ: then the host did not tell the kept queue of a change.
 */
record CheckedScheduling(SchedulingPolicy policy) implements SchedulingPolicy {
  /** Makes it from its text. */
  public static final class Provider implements SchedulingProvider {
    @Override
    public String name() {
      return "checked";
    }

    @Override
    public String usage() {
      return "checked:POLICY";
    }

    @Override
    public String summary() {
      return "another policy, asked twice";
    }

    @Override
    public SchedulingPolicy make(SpecReader settings, Defaults defaults) {
      return new CheckedScheduling(SchedulingPolicies.parse(settings.text(), defaults));
    }
  }

  /** A queue and the jobs in it. */
  private record Kept(JobQueue queue, Set<Integer> jobs) implements JobQueue {
    @Override
    public void add(int job) {
      queue.add(job);
      jobs.add(job);
    }

    @Override
    public void remove(int job) {
      queue.remove(job);
      jobs.remove(job);
    }

    @Override
    public void changed(int job) {
      queue.changed(job);
    }

    @Override
    public PrimitiveIterator.OfInt inOrder() {
      return queue.inOrder();
    }

    @Override
    public boolean holdsBack() {
      return queue.holdsBack();
    }
  }

  @Override
  public String name() {
    return "checked:" + policy.name();
  }

  @Override
  public JobQueue newQueue(SlotKind slots, WorkView work) {
    return new Kept(policy.newQueue(slots, work), new TreeSet<>());
  }

  @Override
  public Assign assign(SlotOffer offer, JobQueue queue, WorkView work, RandomGenerator random) {
    Kept kept = (Kept) queue;
    JobQueue anew = policy.newQueue(offer.slots(), work);
    kept.jobs().forEach(anew::add);
    Assign answer = policy.assign(offer, kept.queue(), work, random);
    Assign again = policy.assign(offer, anew, work, random);
    if (!again.equals(answer)) {
      throw new AssertionError("the queue answers " + answer + ", one made anew " + again);
    }
    return answer;
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

  @Override
  public double lateAfterSeconds(Task task, WorkView work) {
    return policy.lateAfterSeconds(task, work);
  }

  @Override
  public boolean allowsSecondAttempt(Task task, int node, WorkView work) {
    return policy.allowsSecondAttempt(task, node, work);
  }
}
