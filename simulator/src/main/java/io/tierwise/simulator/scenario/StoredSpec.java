package io.tierwise.simulator.scenario;

import java.util.ArrayList;
import java.util.List;

/**
 * Files that are stored before the first job arrives.
 *
 * @param path the file's; with more files than one, that of their directory
 * @param fileCount equal files
 * @param fileBytes of each
 * @param placement the policy that they are under, for {@code PlacementPolicies.parse}
 */
public record StoredSpec(String path, int fileCount, long fileBytes, String placement) {
  /** The paths of its files. */
  public List<String> paths() {
    if (fileCount == 1) {
      return List.of(path);
    }
    List<String> paths = new ArrayList<>();
    for (int i = 0; i < fileCount; i++) {
      paths.add(path + "/part-" + i);
    }
    return paths;
  }
}
