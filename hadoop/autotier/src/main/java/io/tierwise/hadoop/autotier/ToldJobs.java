package io.tierwise.hadoop.autotier;

import io.tierwise.hadoop.autotier.jobs.JobList;
import io.tierwise.hadoop.inspect.cluster.FailureText;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.hadoop.ipc.RemoteException;

/**
 * The jobs of which NodeManagers were told where intermediate data goes, by this daemon or one
 * before it. Not for many threads.
 */
final class ToldJobs {
  private final IntermediateTiers tiers;
  private final JobPlanner planner;
  private final Autotier.Gate gate;
  private final Set<String> applications = new HashSet<>();
  private boolean isKnown;
  private String closed = "";

  /** Whether HDFS did not take what they were to be told last. */
  private boolean isUnwritten;

  ToldJobs(IntermediateTiers tiers, JobPlanner planner, Autotier.Gate gate) {
    this.tiers = tiers;
    this.planner = planner;
    this.gate = gate;
  }

  /** Jobs that earlier daemons told of have their room, until they are over. */
  void know(Consumer<String> problems) throws IOException {
    if (!isKnown) {
      tiers
          .told(problems)
          .forEach(
              (application, told) -> {
                planner.told(application, told.tier(), told.bytes());
                applications.add(application);
              });
      isKnown = true;
    }
  }

  boolean has(String application) {
    return applications.contains(application);
  }

  /** What was told of others is taken back. */
  void keepOnly(JobList list) throws IOException {
    if (applications.stream().anyMatch(application -> !list.has(application))) {
      gate.requireLease();
      tiers.keepOnly(list);
      applications.removeIf(application -> !list.has(application));
    }
  }

  /**
   * NodeManagers are told what a plan says.
   *
   * @param problems is told a line when they hear nothing of it, and again when that has another
   *     reason
   */
  void tell(JobPlan plan, Consumer<String> problems) throws IOException {
    if (plan.intermediateTier() != null) {
      gate.requireLease();
      applications.add(plan.application());
      try {
        tiers.tell(plan.application(), plan.intermediateTier(), plan.intermediateBytes());
      } catch (RemoteException e) {
        // As where all disks are full. The input of the job may come all the same.
        if (!isUnwritten) {
          problems.accept("NodeManagers hear of no tier for intermediate data: " + line(e));
        }
        isUnwritten = true;
        return;
      }
      isUnwritten = false;
      planner.told(plan);
      String now = tiers.closed().orElse("");
      if (!now.isEmpty() && !now.equals(closed)) {
        problems.accept(now);
      }
      closed = now;
    }
  }

  private static String line(RemoteException e) {
    return FailureText.line(FailureText.cause(e));
  }
}
