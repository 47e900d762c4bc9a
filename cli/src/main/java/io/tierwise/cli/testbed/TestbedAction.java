package io.tierwise.cli.testbed;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.tierwise.cli.testbed.host.TestbedException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** What all commands on a testbed have in common: its options, and one line for each error. */
abstract class TestbedAction implements Callable<Integer> {
  private static final int BAD_INPUT = 2;
  private static final int STATE = 3;

  @Spec private CommandSpec spec;
  @Mixin private TestbedOptions options;

  @Override
  public final Integer call() {
    try {
      Testbed.requireMachine();
      act(options.testbed(progress()));
      return 0;
    } catch (IllegalArgumentException e) {
      return fail(e.getMessage(), BAD_INPUT);
    } catch (TestbedException e) {
      return fail(e.getMessage(), STATE);
    } catch (UncheckedIOException e) {
      return fail(e.getMessage() + ": " + e.getCause().getMessage(), STATE);
    }
  }

  abstract void act(Testbed testbed);

  private int fail(String message, int exitCode) {
    spec.commandLine().getErr().println("tierwise testbed " + spec.name() + ": " + message);
    return exitCode;
  }

  TestbedOptions options() {
    return options;
  }

  PrintWriter out() {
    return spec.commandLine().getOut();
  }

  /** Progress goes to the error stream when the output is to be parsed. */
  PrintWriter progress() {
    return options.json() ? spec.commandLine().getErr() : out();
  }

  void printJson(Object value) {
    try {
      out()
          .println(
              new ObjectMapper()
                  .enable(SerializationFeature.INDENT_OUTPUT)
                  .writeValueAsString(value));
      out().flush();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot print JSON", e);
    }
  }
}
