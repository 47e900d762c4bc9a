package io.tierwise.hadoop.autotier.profiling;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.mover.shuffle.ResourceManagerConf;
import java.io.Closeable;
import java.io.IOException;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.protocolrecords.GetApplicationsRequest;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.YarnException;

/** The applications on YARN that bear a run's tag. */
final class TaggedApplications implements Closeable {
  private static final EnumSet<YarnApplicationState> OVER =
      EnumSet.of(
          YarnApplicationState.FINISHED, YarnApplicationState.FAILED, YarnApplicationState.KILLED);

  private final YarnClient client = YarnClient.createYarnClient();

  private TaggedApplications(Configuration conf) {
    client.init(conf);
    client.start();
  }

  static TaggedApplications of(Configuration conf) {
    return ResourceManagerConf.of(conf)
        .map(TaggedApplications::new)
        .orElseThrow(
            () -> OperatorException.badInput("the configuration names no ResourceManager"));
  }

  private List<ApplicationReport> list(String tag) throws IOException {
    GetApplicationsRequest request = GetApplicationsRequest.newInstance();
    request.setApplicationTags(Set.of(tag));
    try {
      return client.getApplications(request).stream()
          .sorted(Comparator.comparing(ApplicationReport::getApplicationId))
          .toList();
    } catch (YarnException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /**
   * Waits until all are over: a command may have submitted them and ended.
   *
   * @return those, in the order in which they were submitted
   */
  List<ApplicationReport> awaitEnd(String tag, StopSign stop) throws IOException {
    stop.await(() -> list(tag).stream().allMatch(TaggedApplications::isOver), Double.MAX_VALUE);
    return list(tag);
  }

  private static boolean isOver(ApplicationReport report) {
    return OVER.contains(report.getYarnApplicationState());
  }

  /** Whether it did all that it should. */
  static boolean succeeded(ApplicationReport report) {
    return report.getFinalApplicationStatus() == FinalApplicationStatus.SUCCEEDED;
  }

  /** Ends those that are not over. */
  void kill(String tag) throws IOException {
    try {
      for (ApplicationReport report : list(tag)) {
        if (!isOver(report)) {
          client.killApplication(report.getApplicationId());
        }
      }
    } catch (YarnException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    client.stop();
  }
}
