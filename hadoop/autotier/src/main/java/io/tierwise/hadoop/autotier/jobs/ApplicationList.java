package io.tierwise.hadoop.autotier.jobs;

import io.tierwise.hadoop.mover.shuffle.ResourceManagerConf;
import io.tierwise.history.RunRecord;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.YarnException;

/**
 * Asks the ResourceManager by YARN's own client for the jobs of MapReduce and Spark that are not
 * over. Not for many threads.
 */
final class ApplicationList implements Closeable {
  /** YARN's types of applications are the engines' names. */
  private static final Set<String> TYPES =
      Arrays.stream(RunRecord.Engine.values()).map(Enum::name).collect(Collectors.toSet());

  private static final EnumSet<YarnApplicationState> NOT_OVER =
      EnumSet.of(
          YarnApplicationState.NEW,
          YarnApplicationState.NEW_SAVING,
          YarnApplicationState.SUBMITTED,
          YarnApplicationState.ACCEPTED,
          YarnApplicationState.RUNNING);

  /** As in the simulator: the last eight jobs weigh most. */
  private static final double NEWEST_WEIGHT = 1.0 / 8;

  private final YarnClient client = YarnClient.createYarnClient();
  private Set<String> begun = Set.of();
  private double meanWaitSeconds;
  private boolean hasWaits;

  private ApplicationList(Configuration conf) {
    client.init(conf);
    client.start();
  }

  /** Empty where the configuration does not say where a ResourceManager is. */
  static Optional<ApplicationList> of(Configuration given) {
    return ResourceManagerConf.of(given).map(ApplicationList::new);
  }

  /**
   * Those that are there now.
   *
   * @throws IOException when the ResourceManager does not answer
   */
  JobList list() throws IOException {
    List<ApplicationReport> reports;
    try {
      reports = new ArrayList<>(client.getApplications(TYPES, NOT_OVER));
    } catch (YarnException e) {
      throw new IOException(e.getMessage(), e);
    }
    reports.sort(Comparator.comparingLong(ApplicationReport::getStartTime));
    Map<String, SubmittedJob> waiting = new LinkedHashMap<>();
    Map<String, SubmittedJob> running = new LinkedHashMap<>();
    for (ApplicationReport report : reports) {
      Optional<RunRecord.Engine> engine = engine(report.getApplicationType());
      if (engine.isEmpty()) {
        continue;
      }
      SubmittedJob job =
          new SubmittedJob(
              engine.get(),
              report.getApplicationId().toString(),
              String.valueOf(report.getUser()),
              String.valueOf(report.getName()),
              report.getStartTime());
      if (report.getYarnApplicationState() == YarnApplicationState.RUNNING) {
        running.put(job.application(), job);
        learn(job.application(), report);
      } else {
        waiting.put(job.application(), job);
      }
    }
    begun = Set.copyOf(running.keySet());
    return new JobList(waiting, running, meanWaitSeconds);
  }

  /**
   * By the comparison of the ResourceManager, which is in small letters: who submits an application
   * may give its type in any.
   */
  static Optional<RunRecord.Engine> engine(String type) {
    String word = type.toLowerCase(Locale.ENGLISH);
    return Arrays.stream(RunRecord.Engine.values())
        .filter(each -> each.word().equals(word))
        .findFirst();
  }

  /** Both times are the ResourceManager's. */
  private void learn(String id, ApplicationReport report) {
    double waited = (report.getLaunchTime() - report.getStartTime()) / 1e3;
    if (!begun.contains(id) && report.getLaunchTime() > 0 && waited >= 0) {
      meanWaitSeconds += (hasWaits ? NEWEST_WEIGHT : 1) * (waited - meanWaitSeconds);
      hasWaits = true;
    }
  }

  @Override
  public void close() {
    client.stop();
  }
}
