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
    act(options.testbed(progress()));
    return 0;
  }

  abstract void act(Testbed testbed);

  TestbedOptions options() {
    return options;
  }

  Output output() {
    return output;
  }

  PrintWriter out() {
    return output.out();
  }

  /** Progress goes to the error stream when the output is to be parsed. */
  PrintWriter progress() {
    return output.json() ? output.err() : output.out();
  }

  /** Answers with a value as JSON, or with a line for people. */
  void answer(Object value, String line) {
    if (output.json()) {
      output.printJson(value);
    } else {
      out().println(line);
    }
  }
}
