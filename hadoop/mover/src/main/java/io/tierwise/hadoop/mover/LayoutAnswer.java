package io.tierwise.hadoop.mover;

import io.tierwise.core.message.Fold;
import java.util.ArrayList;
import java.util.List;

/**
 * The answer of a verb that gives paths another layout.
 *
 * @param id of the run in the journal; null when nothing was changed
 * @param changed whether something was
 * @param paths what changes at each path
 * @param forecast what HDFS makes of that; null when it is not known
 * @param forecastUnknown why it is not known; null when it is
 * @param blocksPending that still have too many or too few replicas; null when nobody waited, or
 *     when it is not known
 * @param pendingUnknown why that is not known; null when it is, or nobody asked
 * @param left files that HDFS refused to change
 * @param complete whether all is, or would be, as it was asked for
 */
public record LayoutAnswer(
    String id,
    boolean changed,
    List<FileTiers.Change> paths,
    ChangeForecast forecast,
    String forecastUnknown,
    Long blocksPending,
    String pendingUnknown,
    List<LeftOut> left,
    boolean complete) {
  public LayoutAnswer {
    paths = List.copyOf(paths);
    left = List.copyOf(left);
  }

  /**
   * All of it for a terminal.
   *
   * @param waitSeconds that were waited; null for none
   */
  public List<String> lines(Integer waitSeconds) {
    List<String> lines = new ArrayList<>();
    paths.forEach(change -> lines.add(Fold.text(change.text(changed))));
    if (!changed && forecast != null) {
      lines.addAll(forecast.lines());
    }
    if (forecastUnknown != null) {
      lines.add(
          Fold.text(
              "whether copies find room, and how tiers fill, is unknown: " + forecastUnknown));
    }
    left.forEach(one -> lines.add(Fold.text(one.text())));
    if (changed && waitSeconds != null) {
      lines.add(
          new LayoutChanges.Made(id, blocksPending, pendingUnknown, left).waited(waitSeconds));
    }
    return lines;
  }
}
