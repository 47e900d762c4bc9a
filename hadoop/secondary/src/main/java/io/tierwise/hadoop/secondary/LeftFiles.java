package io.tierwise.hadoop.secondary;

import io.tierwise.core.message.ReasonGroups;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Counts the files that stay as they are, by reason, in the order in which reasons came up; at the
 * end those of few files, where there are too many to tell each.
 */
final class LeftFiles {
  private record Kind(String reason, boolean fault) {}

  private final ReasonGroups groups = new ReasonGroups();
  private Map<Kind, SecondaryReport.Left> byReason = new LinkedHashMap<>();

  void add(String reason, boolean fault, long bytes, String path) {
    Kind kind = new Kind(groups.of(reason, path), fault);
    add(kind, new SecondaryReport.Left(kind.reason(), fault, 1, bytes, path));
    if (groups.isFull()) {
      joinRare();
    }
  }

  private void add(Kind kind, SecondaryReport.Left more) {
    byReason.merge(kind, more, SecondaryReport.Left::plus);
  }

  private void joinRare() {
    Set<String> rare = groups.forgetRare();
    rare.add(ReasonGroups.OTHERS);
    Map<Kind, SecondaryReport.Left> all = byReason;
    byReason = new LinkedHashMap<>(all);
    byReason.keySet().removeIf(kind -> rare.contains(kind.reason()));
    all.forEach(
        (kind, left) -> {
          if (rare.contains(kind.reason())) {
            add(new Kind(ReasonGroups.OTHERS, kind.fault()), left.because(ReasonGroups.OTHERS));
          }
        });
  }

  List<SecondaryReport.Left> list() {
    joinRare();
    return List.copyOf(byReason.values());
  }
}
