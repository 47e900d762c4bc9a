package io.tierwise.hadoop.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.work.SlotKind;
import io.tierwise.policies.scheduling.SchedulingPolicies;
import io.tierwise.policies.scheduling.SchedulingPolicy;
import io.tierwise.policies.text.PolicyJar;
import io.tierwise.policies.text.RunSuites;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The scheduling policy of docs/how-to/write-a-policy.md, from its jar, before a real
 * ResourceManager's work and nodes: a process that has the jar on its class path runs {@link
 * Theirs}. No ResourceManager asks a policy of itself; what it would get is compared here.
 */
class PolicyJarOnResourceManagerTest {
  private static final Path SOURCES = Path.of("../../docs/examples/policies");

  @TempDir Path folder;

  /** All policies, theirs among them, on nodes of two kinds: the last one is larger. */
  static final class Theirs extends SchedulingInTwoHostsTest {
    @Override
    int slots(int node) {
      return node == NODES - 1 ? 2 * SLOTS : SLOTS;
    }

    @Test
    void theirPolicyKeepsAKindOfNodesFreeAndGivesTheOthers() throws Exception {
      ask(0, ResourceManagerWork.MAP_PRIORITY, 9);
      for (int kept = 0; kept < 2; kept++) {
        SchedulingPolicy policy = SchedulingPolicies.parse("keep-kind:kind=" + kept);
        for (int node = 0; node < NODES; node++) {
          boolean isLarge = node == NODES - 1;
          assertThat(compare(policy, SlotKind.MAP, node))
              .as("%s, node %d", policy.name(), node)
              .contains(isLarge == (kept == 1) ? "the node is kept free" : "a task of first");
        }
      }
    }
  }

  @Test
  void theirPolicyDecidesOnARealResourceManagersWorkAsInTheSimulator() throws Exception {
    Path jar =
        PolicyJar.make(SOURCES, System.getProperty("java.class.path"), folder.resolve("theirs"));

    assertThat(PolicyJar.run(List.of(jar), folder, RunSuites.class, Theirs.class.getName()).lines())
        .contains("4 passed, 0 failed");
  }
}
