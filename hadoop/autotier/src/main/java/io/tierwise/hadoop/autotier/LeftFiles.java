package io.tierwise.hadoop.autotier;

import io.tierwise.core.message.ReasonGroups;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Counts files that stay as they are, by reason. */
final class LeftFiles {
  private final ReasonGroups groups = new ReasonGroups();
  private final Map<String, RoundPlan.Left> byReason = new LinkedHashMap<>();

  void add(String reason, String path) {
    String shared = groups.of(reason, path);
    byReason.merge(
        shared,
        new RoundPlan.Left(shared, 1, path),
        (old, one) -> new RoundPlan.Left(shared, old.files() + 1, old.example()));
  }

  /** A reason that is about no file. */
  void note(String reason, String about) {
    byReason.put(reason, new RoundPlan.Left(reason, 0, about));
  }

  /** The most first. */
  List<RoundPlan.Left> list() {
    List<RoundPlan.Left> all = new ArrayList<>(byReason.values());
    all.sort(Comparator.comparingLong(RoundPlan.Left::files).reversed());
    return all;
  }
}
