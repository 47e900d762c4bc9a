package io.tierwise.cli.testbed;

import io.tierwise.cli.output.Output;
import io.tierwise.lab.testbed.Testbed;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/** Base of the commands on a testbed: finds it, and checks that the machine can have one. */
abstract class TestbedAction implements Callable<Integer> {
  @Mixin private TestbedOptions options;
  @Mixin private Output output;

  @Override
  public final Integer call() {
    Testbed.requireMachine();
    act(options.testbed(this::progress));
    return 0;
  }

  abstract void act(Testbed testbed);

  TestbedOptions options() {
    return options;
  }

  Output output() {
    return output;
  }

  /** Progress goes to the error stream when the output is to be parsed. */
  void progress(String line) {
    PrintWriter to = output.json() ? output.err() : output.out();
    to.println(line);
    to.flush();
  }

  /** Answers with a value as JSON, or with a line for people. */
  void answer(Object value, String line) {
    output.answer(value, () -> output.line(line));
  }
}
