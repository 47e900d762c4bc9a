package io.tierwise.profiles;

import io.tierwise.core.message.Nearest;
import io.tierwise.core.message.OperatorException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The profiles of all applications of a catalog, in memory: a few kilobytes each, however often an
 * application ran. To be read by many threads once {@link #of} has returned.
 */
public final class Profiles {
  private final Map<ApplicationKey, Profile> byKey = new HashMap<>();

  private Profiles() {}

  /** Reads all runs of a catalog. */
  public static Profiles of(RunCatalog catalog) {
    Profiles profiles = new Profiles();
    catalog.eachRun(
        run -> profiles.byKey.computeIfAbsent(run.application(), Profile::new).add(run));
    return profiles;
  }

  /**
   * An application's profile.
   *
   * @param name as the catalog has it, or as a run of it was named
   * @param engine null when only one engine ran an application of that name
   * @throws OperatorException when there is none, or more than one
   */
  public Profile find(String name, String engine) {
    List<Profile> found = named(name, engine);
    if (found.isEmpty()) {
      found = named(ApplicationName.of(name), engine);
    }
    if (found.size() == 1) {
      return found.get(0);
    }
    if (found.isEmpty()) {
      throw unknown(name, engine);
    }
    throw OperatorException.badInput(
        "MapReduce and Spark both ran a \"" + name + "\": choose by --engine");
  }

  private List<Profile> named(String name, String engine) {
    List<Profile> found = new ArrayList<>(2);
    for (String each : RunCatalog.ENGINES) {
      Profile profile =
          engine == null || engine.equals(each) ? byKey.get(new ApplicationKey(each, name)) : null;
      if (profile != null) {
        found.add(profile);
      }
    }
    return found;
  }

  private OperatorException unknown(String name, String engine) {
    boolean others =
        engine != null
            && !(named(name, null).isEmpty() && named(ApplicationName.of(name), null).isEmpty());
    if (others) {
      return OperatorException.badInput(
          "no run of \""
              + name
              + "\" by "
              + engine
              + " is in the catalog, but another engine's are: change --engine");
    }
    List<String> names = byKey.keySet().stream().map(ApplicationKey::application).toList();
    return OperatorException.badInput(
        "no run of \""
            + name
            + "\" is in the catalog"
            + Nearest.to(name, names).map(near -> "; did you mean \"" + near + "\"?").orElse("")
            + "; 'tierwise profile show' lists what is");
  }

  /** The rows of all applications, by name. */
  public ProfilesAnswer all() {
    return new ProfilesAnswer(
        byKey.values().stream()
            .sorted(
                Comparator.comparing((Profile each) -> each.key().application())
                    .thenComparing(each -> each.key().engine()))
            .map(each -> each.row(null))
            .toList());
  }

  /** The row of one application, with its hosts. */
  public ProfilesAnswer one(String name, String engine, RunCatalog catalog) {
    Profile profile = find(name, engine);
    return new ProfilesAnswer(List.of(profile.row(catalog.hosts(profile.key()))));
  }
}
