package io.tierwise.cli.testbed;

import io.tierwise.lab.testbed.Testbed;
import io.tierwise.lab.testbed.TestbedStatus;
import io.tierwise.lab.testbed.host.TestbedLock;
import io.tierwise.lab.testbed.plan.TestbedPlan;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code tierwise testbed}: a heterogeneous HDFS of real processes on this machine. */
@Command(
    name = "testbed",
    description = {
      "Runs a heterogeneous HDFS of real processes on this machine (Linux, root).",
      "Each node is a network namespace, each volume a loop device with a speed limit."
    },
    subcommands = {
      TestbedCommand.Up.class,
      TestbedCommand.Down.class,
      TestbedCommand.Status.class,
      TestbedBenchCommand.class,
      TestbedFaultCommand.class,
      TestbedRunCommand.class
    })
public final class TestbedCommand {
  /** Brings a testbed up. */
  @Command(
      name = "up",
      description = "Brings the testbed up, unless it is up already.",
      footer = "  tierwise testbed up --link-megabits 1000")
  static final class Up extends TestbedAction {
    private record Answer(Testbed.Outcome outcome, String folder) {}

    @Mixin private PlanOptions planOptions;

    @Override
    void act(Testbed testbed) {
      TestbedPlan plan = planOptions.plan(options().name());
      try (TestbedLock lock = testbed.lock("up")) {
        long startNanos = System.nanoTime();
        Testbed.Outcome outcome = testbed.up(plan);
        answer(
            new Answer(outcome, testbed.folder().toString()),
            outcome == Testbed.Outcome.WAS_UP
                ? "the testbed is up already"
                : String.format(
                    Locale.ROOT,
                    "the testbed is up after %.0f s: 'tierwise testbed status' shows it,"
                        + " 'tierwise testbed run NODE COMMAND' runs a command in a node",
                    (System.nanoTime() - startNanos) / 1e9));
      }
    }
  }

  /** Takes a testbed down. */
  @Command(
      name = "down",
      description = "Takes the testbed down and removes all that it made, also after a kill.",
      footer = "  tierwise testbed down")
  static final class Down extends TestbedAction {
    @Override
    void act(Testbed testbed) {
      try (TestbedLock lock = testbed.lock("down")) {
        int before = testbed.host().leftovers().size();
        testbed.down();
        answer(
            Map.of("removed", before),
            before == 0 ? "there was no testbed" : "the testbed is down");
      }
    }
  }

  /** Shows a testbed. */
  @Command(
      name = "status",
      description = "Shows nodes, processes, links, volumes and limits.",
      footer = "  tierwise testbed status")
  static final class Status extends TestbedAction {
    @Override
    void act(Testbed testbed) {
      TestbedStatus status = testbed.status();
      if (output().json()) {
        output().printJson(status);
      } else {
        output().fold(status.text());
        output().line("");
        output().table(status.table());
      }
    }
  }
}
