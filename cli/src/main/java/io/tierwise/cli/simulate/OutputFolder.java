package io.tierwise.cli.simulate;

import io.tierwise.cli.OperatorException;
import io.tierwise.cli.output.Output;
import io.tierwise.simulator.report.Charts;
import io.tierwise.simulator.report.Report;
import io.tierwise.simulator.report.RunCase;
import io.tierwise.simulator.scenario.yaml.ScenarioWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Where results are written; known to be writable before anything runs. */
final class OutputFolder {
  private final Path folder;

  private OutputFolder(Path folder) {
    this.folder = folder;
  }

  /** Makes the folder and a file in it, to see whether it can. */
  static OutputFolder prepare(Path folder) {
    if (Files.exists(folder) && !Files.isDirectory(folder)) {
      throw OperatorException.badInput("--out " + folder + " is a file: name a folder");
    }
    try {
      Files.createDirectories(folder);
      Files.delete(Files.createTempFile(folder, ".tierwise", ".tmp"));
    } catch (IOException e) {
      throw OperatorException.cluster(
          "--out " + folder + " cannot be written: " + e.getMessage() + "; name another folder", e);
    }
    return new OutputFolder(folder);
  }

  Path path() {
    return folder;
  }

  /** Writes results.json, results.csv, the charts, and each case's scenario with all defaults. */
  void write(Report report, Map<String, Object> json) throws IOException {
    Files.writeString(folder.resolve("results.json"), Output.toJson(json) + "\n");
    Files.writeString(folder.resolve("results.csv"), report.csv());
    for (Map.Entry<String, String> chart : Charts.of(report).entrySet()) {
      Files.writeString(folder.resolve(chart.getKey()), chart.getValue());
    }
    int number = 1;
    for (RunCase each : report.cases()) {
      String yaml =
          ScenarioWriter.write(
              each.scenario(), List.of(each.label() + ": all that it ran with, defaults included"));
      Files.writeString(folder.resolve("scenario-" + number + ".yaml"), yaml);
      number++;
    }
  }

  void write(String file, String text) throws IOException {
    Files.writeString(folder.resolve(file), text);
  }
}
