package io.tierwise.hadoop.autotier.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.tierwise.history.RunRecord.Engine;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.client.api.AMRMClient;
import org.apache.hadoop.yarn.client.api.AMRMClient.ContainerRequest;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.MiniYARNCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** On a real ResourceManager whose one node one application has, so that others wait. */
class ApplicationListIT {
  private static final long SECONDS_MAX = 60;
  private static final long LOOK_MILLIS = 50;

  /** Megabytes. */
  private static final int SMALL = 512;

  private static MiniYARNCluster yarn;
  private static YarnClient client;

  @BeforeAll
  static void start() {
    yarn = new MiniYARNCluster("listed", 1, 1, 1, 1);
    yarn.init(new YarnConfiguration());
    yarn.start();
    client = YarnClient.createYarnClient();
    client.init(yarn.getConfig());
    client.start();
  }

  @AfterAll
  static void end() {
    client.stop();
    yarn.stop();
  }

  private static ApplicationId submit(String type, int megabytes) throws Exception {
    ApplicationSubmissionContext app = client.createApplication().getApplicationSubmissionContext();
    app.setApplicationName("any");
    app.setApplicationType(type);
    app.setResource(Resource.newInstance(megabytes, 1));
    app.setAMContainerSpec(
        ContainerLaunchContext.newInstance(
            Map.of(), Map.of(), List.of("sleep 600"), Map.of(), null, Map.of()));
    return client.submitApplication(app);
  }

  /**
   * An application that has the whole node, and runs until it is killed; what YARN says of it. Its
   * master registers from here.
   */
  private static ApplicationReport run(String type) throws Exception {
    ApplicationId id = submit(type, YarnConfiguration.DEFAULT_YARN_MINICLUSTER_NM_PMEM_MB);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_MAX);
    while (client.getApplicationReport(id).getLaunchTime() == 0) {
      assertThat(System.nanoTime()).isLessThan(end);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS));
    }
    UserGroupInformation master = UserGroupInformation.createRemoteUser(id.toString());
    master.addToken(
        yarn.getResourceManager()
            .getRMContext()
            .getRMApps()
            .get(id)
            .getCurrentAppAttempt()
            .getAMRMToken());
    master.doAs(
        (PrivilegedExceptionAction<Void>)
            () -> {
              try (AMRMClient<ContainerRequest> masters = AMRMClient.createAMRMClient()) {
                masters.init(yarn.getConfig());
                masters.start();
                masters.registerApplicationMaster("localhost", -1, "");
              }
              return null;
            });
    return client.getApplicationReport(id);
  }

  private static double waitedSeconds(ApplicationReport report) {
    return (report.getLaunchTime() - report.getStartTime()) / 1e3;
  }

  @Test
  void sparksApplicationsAreThereBesideMapReducesAndOthersAreNot() throws Exception {
    ApplicationId running = run("SPARK").getApplicationId();
    ApplicationId count = submit("MAPREDUCE", SMALL);
    ApplicationId report = submit("SPARK", SMALL);
    ApplicationId odd = submit("Spark", SMALL);
    ApplicationId other = submit("TEZ", SMALL);
    ApplicationId killed = submit("SPARK", SMALL);
    client.killApplication(killed);
    try (ApplicationList list = ApplicationList.of(yarn.getConfig()).orElseThrow()) {
      JobList jobs = list.list();

      assertThat(jobs.waiting().values())
          .extracting(SubmittedJob::application, SubmittedJob::engine)
          .containsExactly(
              tuple(count.toString(), Engine.MAPREDUCE),
              tuple(report.toString(), Engine.SPARK),
              tuple(odd.toString(), Engine.SPARK));
      assertThat(jobs.running()).containsOnlyKeys(running.toString());
      assertThat(jobs.running().get(running.toString()).engine()).isEqualTo(Engine.SPARK);
    } finally {
      for (ApplicationId each : List.of(other, odd, report, count, running)) {
        client.killApplication(each);
      }
    }
  }

  @Test
  void sparksApplicationsCountInTheMeanWaitWhenTheyBeginAndOnce() throws Exception {
    try (ApplicationList list = ApplicationList.of(yarn.getConfig()).orElseThrow()) {
      assertThat(list.list().meanWaitSeconds()).isZero();

      ApplicationReport first = run("SPARK");
      double mean = waitedSeconds(first);
      assertThat(mean).isPositive();
      assertThat(list.list().meanWaitSeconds()).isEqualTo(mean);
      assertThat(list.list().meanWaitSeconds()).isEqualTo(mean);
      client.killApplication(first.getApplicationId());

      ApplicationReport second = run("MAPREDUCE");
      mean += (waitedSeconds(second) - mean) / 8;
      assertThat(list.list().meanWaitSeconds()).isEqualTo(mean);
      client.killApplication(second.getApplicationId());
      assertThat(list.list().meanWaitSeconds()).isEqualTo(mean);
    }
  }
}
