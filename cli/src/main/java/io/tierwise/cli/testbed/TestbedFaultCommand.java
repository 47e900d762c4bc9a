package io.tierwise.cli.testbed;

import io.tierwise.lab.testbed.NodeNames;
import io.tierwise.lab.testbed.Testbed;
import io.tierwise.lab.testbed.host.TestbedLock;
import io.tierwise.lab.testbed.plan.NodePlan;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code tierwise testbed fault}: breaks something and repairs it. These commands take no lock but
 * where they change the state file: a fault is meant to strike while something else runs.
 */
@Command(
    name = "fault",
    description = "Breaks something in the running testbed, or repairs it.",
    subcommands = {
      TestbedFaultCommand.Partition.class,
      TestbedFaultCommand.SlowLink.class,
      TestbedFaultCommand.Kill.class,
      TestbedFaultCommand.Heal.class
    })
final class TestbedFaultCommand {
  @Command(
      name = "partition",
      description = "Cuts a node off from all others, or a rack from the other racks.",
      footer = "  tierwise testbed fault partition r1n1")
  static final class Partition extends TestbedAction {
    @Parameters(paramLabel = "NODE|RACK", description = "For example r1n1 or rack2.")
    private String target;

    @Override
    void act(Testbed testbed) {
      testbed.partition(target);
      answer(
          Map.of("partitioned", target),
          target + " is cut off: 'tierwise testbed fault heal' connects it again");
    }
  }

  @Command(
      name = "slow-link",
      description = "Slows a node's link down.",
      footer = "  tierwise testbed fault slow-link r1n1 --megabits 100")
  static final class SlowLink extends TestbedAction {
    private record Answer(String slowed, long linkBitsPerSecond) {}

    @Parameters(paramLabel = "NODE", description = "For example r1n1.")
    private String target;

    @Option(
        names = "--megabits",
        required = true,
        paramLabel = "MBIT/S",
        description = "Speed before scaling, as for 'up --link-megabits'.")
    private int megabitsPerSecond;

    @Override
    void act(Testbed testbed) {
      NodePlan node = NodeNames.require(testbed.plan(), target);
      long bitsPerSecond = testbed.slowLink(node, megabitsPerSecond);
      answer(
          new Answer(target, bitsPerSecond),
          String.format(
              Locale.ROOT,
              "the link of %s runs at %.1f Mbit/s: 'tierwise testbed fault heal' restores it",
              target,
              bitsPerSecond / 1e6));
    }
  }

  @Command(
      name = "kill",
      description = "Kills the daemon of a node.",
      footer = "  tierwise testbed fault kill r2n1")
  static final class Kill extends TestbedAction {
    @Parameters(paramLabel = "NODE", description = "For example r1n1.")
    private String target;

    @Override
    void act(Testbed testbed) {
      NodePlan node = NodeNames.require(testbed.plan(), target);
      testbed.kill(node);
      answer(
          Map.of("killed", target),
          "the daemon of " + target + " is dead: 'tierwise testbed fault heal' starts it");
    }
  }

  @Command(
      name = "heal",
      description = "Undoes all partitions and slow links and starts killed daemons again.",
      footer = "  tierwise testbed fault heal")
  static final class Heal extends TestbedAction {
    @Override
    void act(Testbed testbed) {
      try (TestbedLock lock = testbed.lock("fault heal")) {
        testbed.heal();
        answer(Map.of("healed", true), "all links are up at full speed, all daemons are up");
      }
    }
  }
}
