package io.tierwise.simulator.scenario.yaml;

import io.tierwise.simulator.scenario.StageSpec;
import io.tierwise.simulator.scenario.WorkloadSpec;
import io.tierwise.simulator.scenario.WorkloadSpec.Applications;
import io.tierwise.simulator.scenario.WorkloadSpec.Arrival;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Writes the section {@code workload}. */
final class WorkloadWriter {
  private WorkloadWriter() {}

  /** Its lines. */
  static List<String> lines(WorkloadSpec workload) {
    List<String> lines = new ArrayList<>();
    lines.add("workload:");
    if (workload instanceof WorkloadSpec.Dfsio dfsio) {
      lines.add("  dfsio:");
      lines.add("    tasks: " + dfsio.taskCount());
      lines.add("    file: " + Quantity.BYTES.writeWhole(dfsio.fileBytes()));
      lines.add("    write: " + dfsio.write());
      lines.add("    read: " + dfsio.read());
      lines.add("    local: " + dfsio.localityShare());
    } else if (workload instanceof WorkloadSpec.Trace trace) {
      lines.add("  trace:");
      lines.add("    format: " + trace.format());
      lines.add("    file: " + ScenarioWriter.quoted(trace.file().toString()));
      lines.add("    jobs: " + (trace.jobCountMax() == 0 ? "all" : trace.jobCountMax()));
      lines.add("    time-scale: " + trace.timeScale());
      lines.add("    size-scale: " + trace.sizeScale());
      lines.add("    shuffle-scale: " + trace.shuffleScale());
      lines.add("    output-scale: " + trace.outputScale());
      lines.add("    skip-bad-rows: " + trace.skipBadRows());
    } else if (workload instanceof Applications applications) {
      lines.add("  applications:");
      lines.add("    arrival: " + arrival(applications.arrival()));
      lines.add("    jobs:");
      for (Applications.Share share : applications.shares()) {
        lines.add(
            "      - {application: "
                + ScenarioWriter.quoted(share.application())
                + ", count: "
                + share.count()
                + ", scale: "
                + share.sizeScale()
                + ", phases: "
                + share.phases().name().toLowerCase(Locale.ROOT)
                + ", map-memory: "
                + Quantity.BYTES.writeWhole(share.memory().mapBytes())
                + ", reduce-memory: "
                + Quantity.BYTES.writeWhole(share.memory().reduceBytes())
                + named("temporary", share.temporaryDevice())
                + edges(share.edges())
                + stages(share.stages())
                + "}");
      }
    }
    return lines;
  }

  private static String edges(Applications.Edges edges) {
    List<String> after = edges.after().stream().map(ScenarioWriter::quoted).toList();
    return named("name", edges.name())
        + (after.isEmpty() ? "" : ", after: " + after)
        + named("reads", edges.reads());
  }

  private static String stages(List<StageSpec> stages) {
    List<String> written =
        stages.stream()
            .map(
                stage ->
                    "{name: "
                        + ScenarioWriter.quoted(stage.name())
                        + ", tasks: "
                        + (stage.taskCount() == 0 ? "auto" : stage.taskCount())
                        + ", input: "
                        + Quantity.BYTES.writeWhole(stage.inputBytes())
                        + taken("after", stage, stages, false)
                        + taken("one-to-one", stage, stages, true)
                        + ", cycles: "
                        + stage.cyclesPerByte()
                        + ", task-time: "
                        + Quantity.TIME.write(stage.taskSeconds())
                        + ", between: "
                        + Quantity.BYTES.writeWhole(stage.betweenBytes())
                        + ", output: "
                        + Quantity.BYTES.writeWhole(stage.outputBytes())
                        + "}")
            .toList();
    return written.isEmpty() ? "" : ", stages: " + written;
  }

  private static String taken(
      String key, StageSpec stage, List<StageSpec> stages, boolean oneToOne) {
    List<String> names =
        stage.takes().stream()
            .filter(edge -> edge.oneToOne() == oneToOne)
            .map(edge -> ScenarioWriter.quoted(stages.get(edge.stage()).name()))
            .toList();
    return names.isEmpty() ? "" : ", " + key + ": " + names;
  }

  private static String named(String key, String text) {
    return text.isEmpty() ? "" : ", " + key + ": " + ScenarioWriter.quoted(text);
  }

  private static String arrival(Arrival arrival) {
    if (arrival instanceof Arrival.Poisson poisson) {
      return "{poisson: " + Quantity.ARRIVALS.write(poisson.jobsPerSecond()) + "}";
    }
    if (arrival instanceof Arrival.ClosedLoop loop) {
      return "{clients: "
          + loop.clients()
          + ", think: "
          + Quantity.TIME.write(loop.thinkSeconds())
          + "}";
    }
    return arrival instanceof Arrival.Together ? "together" : "one-after-another";
  }
}
