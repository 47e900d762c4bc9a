package io.tierwise.simulator.report;

import io.tierwise.simulator.measure.FlushResult;
import io.tierwise.simulator.measure.RepairResult;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** Numbers of the monitor and of flushes; not a number where there is none. */
final class UpkeepFigures {
  private UpkeepFigures() {}

  static List<Figure> all() {
    return List.of(
        repairs("repaired_blocks", "blocks repaired", Format.COUNT, RepairResult::repairedBlocks),
        repairs("repaired_bytes", "  moved", Format.BYTES, r -> r.moves().bytes()),
        repairs(
            "repair_seconds_max", "  longest wait", Format.SECONDS, RepairResult::longestSeconds),
        repairs(
            "repair_backlog_blocks", "  still waiting", Format.COUNT, RepairResult::waitingBlocks),
        flushes("flushed_bytes", "flushed", Format.BYTES, FlushResult::freedBytes),
        flushes("flush_surplus_bytes", "  surplus", Format.BYTES, FlushResult::surplusBytes),
        flushes("flush_needed_bytes", "  had to leave", Format.BYTES, FlushResult::neededBytes));
  }

  private static Figure repairs(
      String name, String title, Format format, ToDoubleFunction<RepairResult> of) {
    return Figure.figure(
        name,
        title,
        format,
        false,
        (r, s) -> r.repairs().map(of::applyAsDouble).orElse(Double.NaN));
  }

  private static Figure flushes(
      String name, String title, Format format, ToLongFunction<FlushResult> of) {
    return Figure.figure(
        name,
        title,
        format,
        false,
        (r, s) -> r.flushes().isEmpty() ? Double.NaN : r.flushes().stream().mapToLong(of).sum());
  }
}
