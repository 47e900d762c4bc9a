package io.tierwise.hadoop.secondary;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Counts the files that stay as they are, by reason, in the order in which reasons came up. */
final class LeftFiles {
  private final Map<String, SecondaryReport.Left> byReason = new LinkedHashMap<>();

  void add(String reason, boolean fault, long bytes, String path) {
    SecondaryReport.Left before =
        byReason.getOrDefault(reason, new SecondaryReport.Left(reason, fault, 0, 0, path));
    byReason.put(reason, before.plus(bytes));
  }

  List<SecondaryReport.Left> list() {
    return List.copyOf(byReason.values());
  }
}
