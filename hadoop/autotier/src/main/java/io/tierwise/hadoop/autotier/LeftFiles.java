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
    add(reason, 1, path);
  }

  /** So many files; one of their paths. */
  void add(String reason, long files, String path) {
    add(new RoundPlan.Left(groups.of(reason, path), files, path));
    if (groups.isFull()) {
      joinRare();
    }
  }

  private void add(RoundPlan.Left more) {
    byReason.merge(
        more.reason(),
        more,
        (old, one) -> new RoundPlan.Left(old.reason(), old.files() + one.files(), old.example()));
  }

  private void joinRare() {
    for (String rare : groups.forgetRare()) {
      RoundPlan.Left left = byReason.remove(rare);
      add(new RoundPlan.Left(ReasonGroups.OTHERS, left.files(), left.example()));
    }
  }

  /** A reason that is about no file. */
  void note(String reason, String about) {
    byReason.put(reason, new RoundPlan.Left(reason, 0, about));
  }

  /** The most first. */
  List<RoundPlan.Left> list() {
    joinRare();
    List<RoundPlan.Left> all = new ArrayList<>(byReason.values());
    all.sort(Comparator.comparingLong(RoundPlan.Left::files).reversed());
    return all;
  }
}
