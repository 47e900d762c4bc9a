package io.tierwise.cli.profile;

import io.tierwise.cli.output.Output;
import io.tierwise.core.message.ByteSize;
import io.tierwise.profiles.Prediction;
import io.tierwise.profiles.Profiles;
import io.tierwise.profiles.RunCatalog;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tierwise profile predict}. */
@Command(
    name = "predict",
    description = {
      "Tells how long a run would probably take, and what it would read and write.",
      "Also what fast devices would save its tasks for each GiB (ASPS's r_m and r_r), when"
          + " 'tierwise profile run' ran it in Config-1 and Config-2."
    },
    footer = "  tierwise profile predict \"daily report\" --input 6GiB")
final class ProfilePredictCommand implements Callable<Integer> {
  @Mixin private CatalogOptions catalog;
  @Mixin private EngineOption engine;
  @Mixin private Output output;

  @Parameters(
      paramLabel = "APPLICATION",
      description = "As 'tierwise profile show' has it, or as a run of it was named.")
  private String application;

  @Option(
      names = "--input",
      paramLabel = "SIZE",
      required = true,
      description = "What the run would read, such as 10GiB (" + ByteSize.UNITS_HELP + ").")
  private String input;

  @Override
  public Integer call() {
    long inputBytes = ByteSize.parse("--input", input);
    try (RunCatalog runs = RunCatalog.open(catalog.where())) {
      Prediction prediction =
          Profiles.of(runs).find(application, engine.word()).predict(inputBytes);
      prediction.remarks().forEach(output::say);
      output.answer(
          prediction,
          () -> {
            output.table(prediction.table());
            prediction.ioRequirement().lines().forEach(output::fold);
            output.fold(prediction.legend());
          });
    }
    return 0;
  }
}
