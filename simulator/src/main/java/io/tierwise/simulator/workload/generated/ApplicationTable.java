package io.tierwise.simulator.workload.generated;

import io.tierwise.simulator.workload.WorkloadException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;

/** The applications whose figures are known, by name. */
public final class ApplicationTable {
  private static final String RESOURCE = "/io/tierwise/simulator/workload/applications.yaml";

  private final Map<String, Application> applications;

  ApplicationTable(Map<String, Application> applications) {
    this.applications = applications;
  }

  /** The table that comes with the simulator. */
  public static ApplicationTable bundled() {
    try (InputStream in = ApplicationTable.class.getResourceAsStream(RESOURCE)) {
      String yaml = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return new ApplicationFile("applications.yaml").read(yaml);
    } catch (IOException e) {
      throw new UncheckedIOException("the application table cannot be read", e);
    }
  }

  /** In the order of the file. */
  public Collection<Application> all() {
    return Collections.unmodifiableCollection(applications.values());
  }

  /**
   * The application of a name.
   *
   * @throws WorkloadException when there is none; the message names the most similar one
   */
  public Application get(String name) throws WorkloadException {
    Application found = applications.get(name);
    if (found == null) {
      throw new WorkloadException(
          "application '" + name + "' is not known; do you mean '" + mostSimilar(name) + "'?");
    }
    return found;
  }

  private String mostSimilar(String name) {
    String best = "";
    int fewest = Integer.MAX_VALUE;
    for (String known : applications.keySet()) {
      // A name without its paper or suite is the likeliest mistake.
      int edits = known.endsWith("/" + name) ? 0 : edits(known, name);
      if (edits < fewest) {
        fewest = edits;
        best = known;
      }
    }
    return best;
  }

  /**
   * Levenshtein's distance: insertions, deletions and replacements that turn one into the other.
   */
  private static int edits(String from, String to) {
    int[] row = new int[to.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[to.length()];
  }
}
