package io.tierwise.simulator.scenario.yaml;

import io.tierwise.simulator.scenario.StoredSpec;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The paths of stored files, of which each is there once. */
final class StoredPaths {
  private static final Pattern NUMBERED = Pattern.compile("(.*)/part-(0|[1-9][0-9]{0,6})");

  private final Set<String> paths = new HashSet<>();

  /**
   * By directory: how many files an entry puts below it, as {@link StoredSpec#paths} names them.
   */
  private final Map<String, Integer> filesBelow = new HashMap<>();

  /** By directory: the least number of those below it that an entry names itself. */
  private final Map<String, Integer> leastNamed = new HashMap<>();

  /** Adds an entry's files; false when one of them is there already. */
  boolean add(StoredSpec spec) {
    String path = spec.path();
    boolean isNew = paths.add(path);
    Matcher numbered = NUMBERED.matcher(path);
    if (numbered.matches()) {
      int number = Integer.parseInt(numbered.group(2));
      isNew &= filesBelow.getOrDefault(numbered.group(1), 0) <= number;
      leastNamed.merge(numbered.group(1), number, Math::min);
    }
    if (spec.fileCount() > 1) {
      isNew &= leastNamed.getOrDefault(path, Integer.MAX_VALUE) >= spec.fileCount();
      filesBelow.put(path, spec.fileCount());
    }
    return isNew;
  }
}
