package io.tierwise.policies.text;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** Runs test classes of a jar of policies in a process of its own and says how many passed. */
public final class RunSuites {
  private RunSuites() {}

  /**
   * Prints the failures, then one line of counts.
   *
   * @param classes names of the test classes
   */
  public static void main(String[] classes) {
    var summary = new SummaryGeneratingListener();
    var request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(Stream.of(classes).map(DiscoverySelectors::selectClass).toList())
            .build();
    LauncherFactory.create().execute(request, summary);
    summary
        .getSummary()
        .printFailuresTo(new PrintWriter(System.out, true, StandardCharsets.UTF_8), 3);
    System.out.printf(
        "%d passed, %d failed%n",
        summary.getSummary().getTestsSucceededCount(), summary.getSummary().getTotalFailureCount());
  }
}
