package io.tierwise.hadoop.secondary;

import io.tierwise.core.message.ReasonGroups;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Counts the files that stay as they are, by reason, in the order in which reasons came up. */
final class LeftFiles {
  private record Kind(String reason, boolean fault) {}

  private final ReasonGroups groups = new ReasonGroups();
  private final Map<Kind, SecondaryReport.Left> byReason = new LinkedHashMap<>();

  void add(String reason, boolean fault, long bytes, String path) {
    Kind kind = new Kind(groups.of(reason, path), fault);
    SecondaryReport.Left before =
        byReason.getOrDefault(kind, new SecondaryReport.Left(kind.reason(), fault, 0, 0, path));
    byReason.put(kind, before.plus(bytes));
  }

  List<SecondaryReport.Left> list() {
    return List.copyOf(byReason.values());
  }
}
