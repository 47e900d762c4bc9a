package io.tierwise.cli.profile;

import io.tierwise.history.RunRecord.Engine;
import picocli.CommandLine.Option;

/** Chooses among applications of one name. */
final class EngineOption {
  @Option(
      names = "--engine",
      paramLabel = "ENGINE",
      description = "Who ran it, where both did: ${COMPLETION-CANDIDATES}.")
  private Engine engine;

  String word() {
    return engine == null ? null : engine.word();
  }
}
