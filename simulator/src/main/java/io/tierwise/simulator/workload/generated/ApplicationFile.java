package io.tierwise.simulator.workload.generated;

import io.tierwise.simulator.scenario.PhasePlan;
import io.tierwise.simulator.workload.WorkloadException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Reads {@code applications.yaml}. Every error names the place, the bad value and what is allowed;
 * unknown and missing keys are errors.
 */
final class ApplicationFile {
  private static final Set<String> FIGURES =
      Set.of(
          "source",
          "input",
          "mapOutput",
          "output",
          "maps",
          "reducers",
          "mapCyclesPerByte",
          "reduceCyclesPerByte");
  private static final Set<String> OPTIONAL =
      Set.of("assumed", "sameAs", "outputReplication", "phases");
  private static final Pattern SIZE = Pattern.compile("(\\d{1,7}) (B|KiB|MiB|GiB|TiB)");
  private static final int TASKS_MAX = 1_000_000;
  private static final double CYCLES_PER_BYTE_MAX = 1e9;

  private final String file;

  ApplicationFile(String file) {
    this.file = file;
  }

  ApplicationTable read(String yaml) throws WorkloadException {
    Map<String, Application> applications = new LinkedHashMap<>();
    Map<?, ?> root = mapping(file, document(yaml));
    requireKeys(file, root, Set.of("applications"), Set.of());
    Map<?, ?> rows = mapping(file + ".applications", root.get("applications"));
    for (Map.Entry<?, ?> row : rows.entrySet()) {
      String name = String.valueOf(row.getKey());
      String place = file + "." + name;
      Map<?, ?> figures = mapping(place, row.getValue());
      applications.put(
          name,
          figures.containsKey("sameAs")
              ? sameAs(place, name, figures, applications)
              : application(place, name, figures));
    }
    if (applications.isEmpty()) {
      throw new WorkloadException(file + ": has no application");
    }
    return new ApplicationTable(applications);
  }

  private Object document(String yaml) throws WorkloadException {
    try {
      return new Load(LoadSettings.builder().setLabel(file).build()).loadFromString(yaml);
    } catch (YamlEngineException e) {
      String firstLine = e.getMessage().lines().findFirst().orElse("");
      throw new WorkloadException(file + ": is not YAML: " + firstLine, e);
    }
  }

  private static Application sameAs(
      String place, String name, Map<?, ?> figures, Map<String, Application> above)
      throws WorkloadException {
    requireKeys(place, figures, Set.of("sameAs"), Set.of());
    Application same = above.get(text(place, figures, "sameAs"));
    if (same == null) {
      throw new WorkloadException(
          place + ".sameAs: '" + figures.get("sameAs") + "' is no application above this one");
    }
    return same.named(name);
  }

  private static Application application(String place, String name, Map<?, ?> figures)
      throws WorkloadException {
    requireKeys(place, figures, FIGURES, OPTIONAL);
    Map<String, String> assumed = new LinkedHashMap<>();
    if (figures.containsKey("assumed")) {
      Map<?, ?> reasons = mapping(place + ".assumed", figures.get("assumed"));
      for (Object figure : reasons.keySet()) {
        assumed.put(String.valueOf(figure), text(place + ".assumed", reasons, figure));
      }
    }
    long mapOutputBytes = bytes(place, figures, "mapOutput");
    int reducers = count(place, figures, "reducers");
    if (mapOutputBytes > 0 && reducers == 0) {
      throw new WorkloadException(place + ".reducers: is 0, but there is map output to reduce");
    }
    return new Application(
        name,
        text(place, figures, "source"),
        bytes(place, figures, "input"),
        mapOutputBytes,
        bytes(place, figures, "output"),
        count(place, figures, "maps"),
        mapOutputBytes > 0 ? reducers : 0,
        cycles(place, figures, "mapCyclesPerByte"),
        cycles(place, figures, "reduceCyclesPerByte"),
        figures.containsKey("outputReplication") ? count(place, figures, "outputReplication") : 0,
        figures.containsKey("phases") ? phases(place, figures) : PhasePlan.MODEL,
        assumed,
        List.of());
  }

  private static PhasePlan phases(String place, Map<?, ?> figures) throws WorkloadException {
    String plan = text(place, figures, "phases");
    return switch (plan) {
      case "overlapped" -> PhasePlan.OVERLAPPED;
      case "series" -> PhasePlan.SERIES;
      default ->
          throw new WorkloadException(
              place + ".phases: must be overlapped or series, is '" + plan + "'");
    };
  }

  private static Map<?, ?> mapping(String place, Object value) throws WorkloadException {
    if (value instanceof Map<?, ?> map) {
      return map;
    }
    throw new WorkloadException(place + ": must be a mapping, is '" + value + "'");
  }

  private static void requireKeys(
      String place, Map<?, ?> map, Set<String> required, Set<String> optional)
      throws WorkloadException {
    for (Object key : map.keySet()) {
      if (!required.contains(key) && !optional.contains(key)) {
        throw new WorkloadException(
            place + "." + key + ": unknown key; allowed here: " + new TreeSet<>(required));
      }
    }
    for (String key : new TreeSet<>(required)) {
      if (!map.containsKey(key)) {
        throw new WorkloadException(place + "." + key + ": is missing");
      }
    }
  }

  private static String text(String place, Map<?, ?> map, Object key) throws WorkloadException {
    if (map.get(key) instanceof String text && !text.isBlank()) {
      return text;
    }
    throw new WorkloadException(place + "." + key + ": must be a text, is '" + map.get(key) + "'");
  }

  private static long bytes(String place, Map<?, ?> map, String key) throws WorkloadException {
    Matcher size = SIZE.matcher(text(place, map, key));
    if (!size.matches()) {
      throw new WorkloadException(
          place
              + "."
              + key
              + ": must be a whole number and one of B, KiB, MiB, GiB, TiB, is '"
              + map.get(key)
              + "'");
    }
    int power = "BKMGT".indexOf(size.group(2).charAt(0));
    return Long.parseLong(size.group(1)) << (10 * power);
  }

  private static int count(String place, Map<?, ?> map, String key) throws WorkloadException {
    if (map.get(key) instanceof Integer count && count >= 0 && count <= TASKS_MAX) {
      return count;
    }
    throw new WorkloadException(
        place
            + "."
            + key
            + ": must be a whole number from 0 to "
            + TASKS_MAX
            + ", is '"
            + map.get(key)
            + "'");
  }

  private static double cycles(String place, Map<?, ?> map, String key) throws WorkloadException {
    if (map.get(key) instanceof Number cycles
        && cycles.doubleValue() >= 0
        && cycles.doubleValue() <= CYCLES_PER_BYTE_MAX) {
      return cycles.doubleValue();
    }
    throw new WorkloadException(
        place + "." + key + ": must be a number from 0 to 1e9, is '" + map.get(key) + "'");
  }
}
