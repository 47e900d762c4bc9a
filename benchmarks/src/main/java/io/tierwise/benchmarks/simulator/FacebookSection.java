package io.tierwise.benchmarks.simulator;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A day of MapReduce jobs with network, disks and shuffle: the trace FB-2010 of SWIM, which is not
 * part of the repository.
 */
final class FacebookSection implements Section {
  private static final String SCENARIO = "benchmarks/simulator/facebook-day.yaml";

  private final Optional<String> trace;

  FacebookSection(Optional<String> trace) {
    this.trace = trace;
  }

  @Override
  public void measure(Figures figures) throws IOException, InterruptedException {
    if (trace.isEmpty()) {
      System.out.println(
          "Facebook day: no trace: set TIERWISE_TRACES to a folder with"
              + " swim/FB-2010_samples_24_times_1hr_withInputPaths_0.tsv");
      figures.addMissing("facebook_day_1000_nodes_seconds");
      figures.addMissing("facebook_day_peak_mebibytes");
      return;
    }
    String[] day = run(List.of());
    System.out.printf(
        Locale.ROOT,
        "Facebook day, 1,000 nodes: %s jobs, %s map tasks, %s flows in %s s of processor time,"
            + " at most %s MiB%n%n",
        (Object[]) day);
    figures.add("facebook_day_1000_nodes_seconds", Double.parseDouble(day[3]));
    figures.add("facebook_day_peak_mebibytes", Double.parseDouble(day[4]));
  }

  /** In a virtual machine of its own, since memory is one of the figures. */
  private String[] run(List<String> settings) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                System.getProperty("java.home") + "/bin/java",
                "-Xmx2g",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                FacebookDay.class.getName(),
                SCENARIO,
                trace.orElseThrow()));
    command.addAll(settings);
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String line =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    if (process.waitFor() != 0) {
      throw new IOException("the Facebook day ended with exit code " + process.exitValue());
    }
    return line.split(" ");
  }
}
