package io.tierwise.cli.profile;

import io.tierwise.cli.output.Output;
import io.tierwise.core.message.Table;
import io.tierwise.profiles.Profiles;
import io.tierwise.profiles.ProfilesAnswer;
import io.tierwise.profiles.RunCatalog;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code tierwise profile show}. */
@Command(
    name = "show",
    description = {
      "Lists the applications of the catalog, or what the runs of one did, and where.",
      "Of one it also says what fast devices save its tasks for each GiB (ASPS's r_m and r_r), when"
          + " 'tierwise profile run' ran it in Config-1 and Config-2."
    },
    footer = "  tierwise profile show \"daily report\"")
final class ProfileShowCommand implements Callable<Integer> {
  @Mixin private CatalogOptions catalog;
  @Mixin private EngineOption engine;
  @Mixin private Output output;

  @Parameters(
      paramLabel = "APPLICATION",
      arity = "0..1",
      description = "As the list has it, or as a run of it was named (default: all).")
  private String application;

  @Override
  public Integer call() {
    try (RunCatalog runs = RunCatalog.open(catalog.where())) {
      Profiles profiles = Profiles.of(runs);
      ProfilesAnswer answer =
          application == null ? profiles.all() : profiles.one(application, engine.word(), runs);
      output.answer(answer, () -> print(answer));
    }
    return 0;
  }

  private void print(ProfilesAnswer answer) {
    String between = null;
    for (Table table : answer.tables()) {
      if (between != null) {
        output.line(between);
      }
      between = "";
      output.table(table);
    }
    answer.remarks().forEach(output::fold);
    output.fold(answer.legend());
  }
}
