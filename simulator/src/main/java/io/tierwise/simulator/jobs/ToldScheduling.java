package io.tierwise.simulator.jobs;

import io.tierwise.core.action.Action;
import io.tierwise.core.action.Assign;
import io.tierwise.core.view.WorkView;
import io.tierwise.core.work.SlotKind;
import io.tierwise.core.work.Task;
import io.tierwise.policies.scheduling.JobQueue;
import io.tierwise.policies.scheduling.SchedulingPolicy;
import io.tierwise.policies.scheduling.SlotOffer;
import java.util.List;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** A policy that tells somebody of every slot that it gives to a task. */
public record ToldScheduling(SchedulingPolicy policy, Consumer<Action> hearing)
    implements SchedulingPolicy {
  @Override
  public String name() {
    return policy.name();
  }

  @Override
  public JobQueue newQueue(SlotKind slots, WorkView work) {
    return policy.newQueue(slots, work);
  }

  @Override
  public Assign assign(SlotOffer offer, JobQueue queue, WorkView work, RandomGenerator random) {
    Assign answer = policy.assign(offer, queue, work, random);
    if (answer instanceof Assign.Given) {
      hearing.accept(answer);
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
  public List<String> queueNames() {
    return policy.queueNames();
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
