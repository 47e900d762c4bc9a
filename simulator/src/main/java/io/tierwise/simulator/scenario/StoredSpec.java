package io.tierwise.simulator.scenario;

import java.util.ArrayList;
import java.util.List;

/**
 * Files that are stored before the first job arrives.
 *
 * @param path the file's; with more files than one, that of their directory
 * @param fileCount equal files
 * @param partCount files that a job wrote into a directory and the next one reads as one input:
 *     each of the equal files is such a directory; 1 for plain files
 * @param fileBytes of each, its parts together
 * @param placement the policy that they are under, for {@code PlacementPolicies.parse}
 */
public record StoredSpec(
    String path, int fileCount, int partCount, long fileBytes, String placement) {
  /** Plain files. */
  public StoredSpec(String path, int fileCount, long fileBytes, String placement) {
    this(path, fileCount, 1, fileBytes, placement);
  }

  /** Bytes of a part: the last bytes of a file that its parts do not share evenly are left out. */
  public long partBytes() {
    return fileBytes / partCount;
  }

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
