package io.tierwise.hadoop.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.core.action.Assign;
import io.tierwise.core.view.WorkView;
import io.tierwise.core.work.Nearness;
import io.tierwise.core.work.SlotKind;
import io.tierwise.policies.recorded.RecordedAssignment;
import io.tierwise.policies.scheduling.SchedulingPolicies;
import io.tierwise.policies.scheduling.SchedulingPolicy;
import io.tierwise.policies.scheduling.SlotOffer;
import io.tierwise.simulator.jobs.SimulatedWork;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmissionData;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmitter;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fifo.FifoScheduler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A real ResourceManager with simulated nodes: each scheduling policy is offered each node's slot,
 * and all that it saw is recorded, written as JSON, read back and asked again, and built up anew in
 * the simulator's own bookkeeping. Every host gets the same answer.
 */
class SchedulingInTwoHostsTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long SEED = 5;
  static final int NODES = 3;
  static final int SLOTS = 4;

  private MockRM manager;
  private final List<MockNM> nodes = new ArrayList<>();
  private final List<RMApp> apps = new ArrayList<>();
  private final List<MockAM> masters = new ArrayList<>();

  /** All that policies answered. */
  private final Set<String> answers = new TreeSet<>();

  @BeforeEach
  void start() throws Exception {
    Configuration conf = new YarnConfiguration();
    conf.setClass(YarnConfiguration.RM_SCHEDULER, FifoScheduler.class, ResourceScheduler.class);
    manager = new MockRM(conf);
    manager.start();
    for (int node = 0; node < NODES; node++) {
      String address = "127.0.0." + (node + 1) + ":1234";
      nodes.add(manager.registerNode(address, slots(node) * ResourceManagerWork.SLOT_MEGABYTES));
    }
    for (String name : List.of("first", "second", "third")) {
      RMApp app =
          MockRMAppSubmitter.submit(
              manager,
              MockRMAppSubmissionData.Builder.createWithMemory(
                      ResourceManagerWork.SLOT_MEGABYTES, manager)
                  .withAppName(name)
                  .build());
      apps.add(app);
      masters.add(MockRM.launchAndRegisterAM(app, manager, nodes.get(apps.size() - 1)));
    }
    // What is still on its way would change the ResourceManager while it is recorded.
    manager.drainEvents();
  }

  @AfterEach
  void stop() {
    manager.stop();
  }

  /** Of a node; kinds of nodes differ in them. */
  int slots(int node) {
    return SLOTS;
  }

  void ask(int app, int priority, int count, String... hosts) throws Exception {
    askFor(ResourceManagerWork.SLOT_MEGABYTES, app, priority, count, hosts);
  }

  private void askFor(int megabytes, int app, int priority, int count, String... hosts)
      throws Exception {
    masters.get(app).addRequests(hosts, megabytes, priority, count);
    masters.get(app).schedule();
    manager.drainEvents();
  }

  private int[] jobs() {
    return IntStream.range(0, apps.size()).toArray();
  }

  /** Containers of tasks by application. */
  private List<Integer> running() {
    WorkView work = new ResourceManagerWork(manager, apps);
    return IntStream.of(jobs()).map(work::running).boxed().toList();
  }

  /** Each one, also without a delay, so that far tasks get slots, and one that holds back. */
  private static List<SchedulingPolicy> policies() {
    Stream<String> texts =
        SchedulingPolicies.all().stream()
            .flatMap(
                each ->
                    each.usage().contains("delay-seconds")
                        ? Stream.of(each.name(), each.name() + ":delay-seconds=0")
                        : Stream.of(each.name()));
    return Stream.concat(texts, Stream.of("capacity:default=10/20"))
        .map(SchedulingPolicies::parse)
        .toList();
  }

  void compareAll() throws Exception {
    for (SchedulingPolicy policy : policies()) {
      for (int node = 0; node < NODES; node++) {
        for (SlotKind slots : SlotKind.values()) {
          answers.add(compare(policy, slots, node));
        }
      }
    }
  }

  /** The policy's answer, which is the same in every host. */
  String compare(SchedulingPolicy policy, SlotKind slots, int node) throws Exception {
    WorkView live = new ResourceManagerWork(manager, apps);
    RecordedAssignment recorded =
        RecordedAssignment.of(policy, SlotOffer.toAll(slots, node), live, SEED, jobs());
    RecordedAssignment again =
        JSON.readValue(JSON.writeValueAsString(recorded), RecordedAssignment.class);
    assertThat(again.replay().describe(again.work()))
        .as("%s, read back", policy.name())
        .isEqualTo(recorded.answer());
    RecordedAssignment simulated =
        RecordedAssignment.of(
            policy, again.offer(), SimulatedWork.of(again.work(), SLOTS), SEED, jobs());
    assertThat(withoutScore(simulated.answer()))
        .as("%s in the simulator, a %s slot of node %d", policy.name(), slots, node)
        .isEqualTo(withoutScore(recorded.answer()));
    return recorded.answer();
  }

  /** A job of the simulator moves a byte; of these a ResourceManager knows no bytes. */
  private static String withoutScore(String answer) {
    return answer.replaceFirst(" \\(score [0-9.]+\\)", "");
  }

  @Test
  void allHostsAssignTheSameTask() throws Exception {
    compareAll();
    ask(2, ResourceManagerWork.MAP_PRIORITY, 3, "127.0.0.1");
    ask(1, ResourceManagerWork.MAP_PRIORITY, 2, "127.0.0.2");
    ask(1, ResourceManagerWork.REDUCE_PRIORITY, 1);
    compareAll();
    nodes.get(0).nodeHeartbeat(true);
    manager.drainEvents();
    compareAll();
    ask(0, ResourceManagerWork.MAP_PRIORITY, 2);
    compareAll();
    for (String kind :
        List.of(
            Nearness.ON_NODE.text(),
            Nearness.UNPLACED.text(),
            Nearness.IN_RACK.text(),
            "no job has waited long enough",
            "its queue is at its ceiling")) {
      assertThat(answers).as("answers of each kind").anyMatch(answer -> answer.contains(kind));
    }
  }

  /** Each node's memory but a gigabyte is free: the first job's map fits nowhere. */
  @Test
  void noHostGivesASlotToATaskWhoseMemoryIsTaken() throws Exception {
    askFor(SLOTS * ResourceManagerWork.SLOT_MEGABYTES, 0, ResourceManagerWork.MAP_PRIORITY, 1);
    ask(1, ResourceManagerWork.MAP_PRIORITY, 1);
    compareAll();

    WorkView work = new ResourceManagerWork(manager, apps);
    assertThat(work.job(0).taskMemoryBytes(SlotKind.MAP)).isEqualTo(4L << 30);
    assertThat(work.freeMemoryBytes(0)).isEqualTo(3L << 30);
    Assign answer =
        RecordedAssignment.of(
                SchedulingPolicies.parse("fifo:delay-seconds=0"),
                SlotOffer.toAll(SlotKind.MAP, 0),
                work,
                SEED,
                jobs())
            .replay();
    assertThat(((Assign.Given) answer).job()).isEqualTo(1);
    nodes.get(0).nodeHeartbeat(true);
    manager.drainEvents();
    assertThat(running()).as("the ResourceManager agrees").isEqualTo(List.of(0, 1, 0));
  }

  /** The recorded answers are those that the ResourceManager's own scheduler gives. */
  @Test
  void fifoIsTheFifoOfTheResourceManager() throws Exception {
    ask(2, ResourceManagerWork.MAP_PRIORITY, 3, "127.0.0.3");
    ask(1, ResourceManagerWork.MAP_PRIORITY, 2);
    for (int node = NODES - 1; node >= 0; node--) {
      WorkView work = new ResourceManagerWork(manager, apps);
      Assign answer =
          RecordedAssignment.of(
                  SchedulingPolicies.parse("fifo:delay-seconds=0"),
                  SlotOffer.toAll(SlotKind.MAP, node),
                  work,
                  SEED,
                  jobs())
              .replay();
      List<Integer> before = running();
      nodes.get(node).nodeHeartbeat(true);
      manager.drainEvents();
      List<Integer> gained =
          IntStream.of(jobs()).filter(job -> running().get(job) > before.get(job)).boxed().toList();
      if (answer instanceof Assign.Given given) {
        assertThat(gained).as("node %d: %s", node, answer).isNotEmpty().startsWith(given.job());
      } else {
        assertThat(gained).as("node %d: %s", node, answer).isEmpty();
      }
    }
    assertThat(running()).isEqualTo(List.of(0, 2, 3));
  }
}
