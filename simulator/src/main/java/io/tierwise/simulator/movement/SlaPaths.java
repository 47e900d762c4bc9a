package io.tierwise.simulator.movement;

import io.tierwise.simulator.storage.StoredFile;
import java.util.List;
import java.util.regex.Pattern;

/** The paths of a scenario whose files come first, however seldom they are read. */
record SlaPaths(List<Pattern> patterns) {
  static SlaPaths of(List<String> paths) {
    return new SlaPaths(paths.stream().map(PathPattern::below).toList());
  }

  /** Whether the file comes first. */
  boolean covers(StoredFile file) {
    return patterns.stream().anyMatch(pattern -> pattern.matcher(file.path()).matches());
  }
}
