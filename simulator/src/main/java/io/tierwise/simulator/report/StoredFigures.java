package io.tierwise.simulator.report;

import io.tierwise.simulator.measure.RunResult;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Numbers of replicas that follow popularity; not a number where none do. */
final class StoredFigures {
  private StoredFigures() {}

  static List<Figure> all() {
    return List.of(
        stored("stored_bytes_mean", "input stored", Format.BYTES, RunResult.Stored::bytesMean),
        stored(
            "secondary_bytes_mean",
            "  in the secondary store",
            Format.BYTES,
            RunResult.Stored::secondaryBytesMean),
        stored(
            "files_with_more_share",
            "  files with more replicas",
            Format.SHARE,
            RunResult.Stored::filesWithMoreShare),
        stored(
            "files_in_secondary_share",
            "  files in the secondary",
            Format.SHARE,
            RunResult.Stored::filesInSecondaryShare));
  }

  private static Figure stored(
      String name, String title, Format format, ToDoubleFunction<RunResult.Stored> of) {
    return Figure.figure(name, title, format, false, (r, s) -> of.applyAsDouble(r.stored()));
  }
}
