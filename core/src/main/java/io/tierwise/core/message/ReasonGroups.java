package io.tierwise.core.message;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Takes reasons for one that differ by the file alone, since a report of millions of files is to
 * tell a few of them: one that names the file itself, or a number that is its own.
 *
 * <p>Where there are too many all the same, those of few files are told as {@link #OTHERS}. One
 * that stands for many files is told by its own words, however late it came up.
 */
public final class ReasonGroups {
  /** Own: more than a person reads. */
  public static final int REASONS_MAX = 200;

  /** Stands for the reasons of few files when there are so many. */
  public static final String OTHERS = "other reasons: there are too many to tell each";

  /** Own: so many are kept apart, half of which go when there is one more. */
  private static final int KEPT_MAX = 2 * REASONS_MAX;

  /** Of an inode, a block or a time; shorter ones are years and limits. */
  private static final Pattern NUMBER = Pattern.compile("\\d{5,}");

  /** The reason that stands for one and its like, and their files. */
  private static final class Group {
    final String first;
    long files;

    Group(String first) {
      this.first = first;
    }
  }

  private final Map<String, Group> byKind = new LinkedHashMap<>();
  private final Map<String, Group> byFirst = new LinkedHashMap<>();

  /**
   * The reason that stands for one and for those like it: the first of them.
   *
   * @param path of the file
   */
  public String of(String reason, String path) {
    Group known = byFirst.get(reason);
    if (known == null) {
      String kind = NUMBER.matcher(reason.replace(path, "PATH")).replaceAll("N");
      known = byKind.computeIfAbsent(kind, of -> new Group(reason));
      byFirst.putIfAbsent(known.first, known);
    }
    known.files++;
    return known.first;
  }

  /** Whether there are so many that some have to go before there are more. */
  public boolean isFull() {
    return byKind.size() > KEPT_MAX;
  }

  /**
   * Forgets all but the {@value #REASONS_MAX} reasons with the most files, of equal ones those that
   * came up first.
   *
   * @return those that are forgotten: {@link #OTHERS} stands for their files from now on
   */
  public Set<String> forgetRare() {
    List<Group> rare =
        byKind.values().stream()
            .sorted(Comparator.comparingLong((Group group) -> group.files).reversed())
            .skip(REASONS_MAX)
            .toList();
    Set<String> forgotten = new LinkedHashSet<>();
    rare.forEach(group -> forgotten.add(group.first));
    byKind.values().removeIf(group -> forgotten.contains(group.first));
    byFirst.keySet().removeAll(forgotten);
    return forgotten;
  }
}
