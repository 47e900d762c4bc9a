package io.tierwise.core.message;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Takes reasons for one that differ by the file alone, since a report of millions of files is to
 * tell a few of them: one that names the file itself, or a number that is its own.
 */
public final class ReasonGroups {
  /** Own: more than a person reads. */
  public static final int REASONS_MAX = 200;

  /** Stands for all reasons that come when there are so many. */
  public static final String OTHERS = "other reasons: there are too many to tell each";

  /** Of an inode, a block or a time; shorter ones are years and limits. */
  private static final Pattern NUMBER = Pattern.compile("\\d{5,}");

  private final Map<String, String> firstByKind = new LinkedHashMap<>();
  private final Set<String> firsts = new LinkedHashSet<>();

  /**
   * The reason that stands for one and for those like it: the first of them.
   *
   * @param path of the file
   */
  public String of(String reason, String path) {
    if (firsts.contains(reason)) {
      return reason;
    }
    String kind = NUMBER.matcher(reason.replace(path, "PATH")).replaceAll("N");
    String first = firstByKind.get(kind);
    if (first != null) {
      return first;
    }
    if (firstByKind.size() >= REASONS_MAX) {
      return OTHERS;
    }
    firstByKind.put(kind, reason);
    firsts.add(reason);
    return reason;
  }
}
