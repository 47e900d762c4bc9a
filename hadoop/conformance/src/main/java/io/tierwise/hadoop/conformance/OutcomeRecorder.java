package io.tierwise.hadoop.conformance;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Writes each outcome to the file named by {@link #FILE_PROPERTY} the moment it is known, so that a
 * class whose JVM is killed still tells what passed before. Does nothing without that property.
 * Found by JUnit through {@code META-INF/services}; lives in the forked JVM only.
 */
public final class OutcomeRecorder implements TestExecutionListener {

  static final String FILE_PROPERTY = "tierwise.conformance.outcomes";

  /** Stands for what happens around the tests of a class, such as its {@code @BeforeAll}. */
  static final String CLASS_ITSELF = "(class)";

  /** The text that JUnit 4 puts behind a test's name, where Jupiter puts its parameters. */
  private static final Pattern JUNIT_4_CLASS = Pattern.compile("\\([\\w.$]+\\)$");

  private final BufferedWriter writer;
  private TestPlan plan;

  /** Called by JUnit. */
  public OutcomeRecorder() throws IOException {
    String file = System.getProperty(FILE_PROPERTY);
    writer = file == null ? null : Files.newBufferedWriter(Path.of(file), StandardCharsets.UTF_8);
  }

  @Override
  public void testPlanExecutionStarted(TestPlan testPlan) {
    plan = testPlan;
  }

  @Override
  public void executionStarted(TestIdentifier identifier) {
    if (identifier.isTest()) {
      write(TestResult.startedLine(nameOf(identifier)));
    }
  }

  @Override
  public void executionSkipped(TestIdentifier identifier, String reason) {
    if (identifier.isContainer()) {
      plan.getChildren(identifier).forEach(child -> executionSkipped(child, reason));
    }
    if (identifier.isTest() || plan.getChildren(identifier).isEmpty()) {
      write(new TestResult(nameOf(identifier), Outcome.SKIPPED, reason).toLine());
    }
  }

  @Override
  public void executionFinished(TestIdentifier identifier, TestExecutionResult result) {
    String detail = result.getThrowable().map(OutcomeRecorder::stackTrace).orElse("");
    Outcome outcome =
        switch (result.getStatus()) {
          case SUCCESSFUL -> Outcome.PASSED;
          case ABORTED -> Outcome.SKIPPED;
          case FAILED -> Outcome.FAILED;
        };
    try {
      DecisionCounter.write();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    // A container's success says nothing that its tests have not said.
    if (identifier.isTest() || outcome != Outcome.PASSED) {
      write(new TestResult(nameOf(identifier), outcome, detail).toLine());
    }
  }

  /**
   * The unique id below the class: {@code #1/testFoo()} for the first variant of a class. A test of
   * JUnit 4 is named as one of Jupiter, so that what is known of it holds for both.
   */
  static String nameOf(TestIdentifier identifier) {
    StringBuilder name = new StringBuilder();
    boolean junit4 = false;
    for (UniqueId.Segment segment : identifier.getUniqueIdObject().getSegments()) {
      switch (segment.getType()) {
        case "engine", "class", "class-template" -> {}
        case "runner" -> junit4 = true;
        default -> {
          String value = segment.getValue();
          name.append(name.isEmpty() ? "" : "/")
              .append(junit4 ? JUNIT_4_CLASS.matcher(value).replaceFirst("()") : value);
        }
      }
    }
    return name.isEmpty() ? CLASS_ITSELF : name.toString();
  }

  private static String stackTrace(Throwable thrown) {
    StringWriter text = new StringWriter();
    thrown.printStackTrace(new PrintWriter(text));
    return text.toString();
  }

  private synchronized void write(String line) {
    if (writer == null) {
      return;
    }
    try {
      writer.write(line);
      writer.newLine();
      writer.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
