package io.tierwise.simulator.scenario.yaml;

import io.tierwise.simulator.scenario.yaml.YamlValue.Entries;
import io.tierwise.simulator.scenario.yaml.YamlValue.Items;
import io.tierwise.simulator.scenario.yaml.YamlValue.Origin;
import io.tierwise.simulator.scenario.yaml.YamlValue.Scalar;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Lays one document, or one setting, over another. */
final class Overlay {
  /** Mappings of which exactly one key may be given: another one replaces it. */
  private static final Set<String> ALTERNATIVES =
      Set.of(ScenarioKeys.WORKLOAD, ScenarioKeys.WORKLOAD + ".applications.arrival");

  private static final Pattern STEP = Pattern.compile("([^.\\[\\]]+)|\\[([0-9]{1,6})]");

  private Overlay() {}

  /** {@code top} over {@code base}: mappings key by key, anything else replaces what was there. */
  static YamlValue merge(YamlValue base, YamlValue top) {
    return merge(base, top, "");
  }

  private static YamlValue merge(YamlValue base, YamlValue top, String path) {
    if (!(base instanceof Entries below) || !(top instanceof Entries above)) {
      return top;
    }
    if (ALTERNATIVES.contains(path)
        && !below.entries().keySet().containsAll(above.entries().keySet())) {
      return top;
    }
    Entries merged = new Entries(top.origin(), below.entries());
    for (Map.Entry<String, YamlValue> entry : above.entries().entrySet()) {
      YamlValue old = below.entries().get(entry.getKey());
      String child = path.isEmpty() ? entry.getKey() : path + "." + entry.getKey();
      merged =
          merged.with(
              entry.getKey(), old == null ? entry.getValue() : merge(old, entry.getValue(), child));
    }
    return merged;
  }

  /**
   * Sets one value.
   *
   * @param setting {@code key=value}; the key is a path like {@code cluster.racks[0].uplink} or
   *     {@code cluster.racks.0.uplink}; the value is YAML
   * @param option what the user wrote it behind, for messages
   * @param shown option and what the user wrote
   */
  static YamlValue set(YamlValue document, String setting, String option, String shown) {
    int equals = setting.indexOf('=');
    if (equals < 1) {
      throw new ScenarioException(shown + ": write " + option + " KEY=VALUE");
    }
    Origin origin = new Origin(shown, 0);
    List<String> steps = steps(setting.substring(0, equals).strip(), shown);
    String text = setting.substring(equals + 1).strip();
    YamlValue value =
        text.isEmpty()
            ? new Scalar(origin, "")
            : atOption(KeySpelling.of(YamlText.read(text, shown), steps), origin);
    return replaced(document, steps, 0, value, origin);
  }

  private static List<String> steps(String path, String shown) {
    List<String> steps = new ArrayList<>();
    Matcher matcher = STEP.matcher(path);
    int end = 0;
    while (matcher.find()) {
      String between = path.substring(end, matcher.start());
      boolean joined =
          between.equals(".") || (between.isEmpty() && (end == 0 || matcher.group(2) != null));
      if (!joined) {
        break;
      }
      steps.add(matcher.group(2) != null ? matcher.group(2) : matcher.group(1));
      end = matcher.end();
    }
    if (end != path.length() || steps.size() > YamlText.DEPTH_MAX) {
      throw new ScenarioException(
          shown + ": \"" + path + "\" is no path; write for example cluster.racks[0].uplink");
    }
    return KeySpelling.canonical(steps);
  }

  private static YamlValue replaced(
      YamlValue at, List<String> steps, int depth, YamlValue value, Origin origin) {
    if (depth == steps.size()) {
      return value;
    }
    String step = steps.get(depth);
    if (at instanceof Items list) {
      int index = index(list, step, steps, origin);
      List<YamlValue> items = new ArrayList<>(list.items());
      items.set(index, replaced(items.get(index), steps, depth + 1, value, origin));
      return new Items(list.origin(), items);
    }
    Entries entries = at instanceof Entries mapping ? mapping : new Entries(origin, Map.of());
    YamlValue old = entries.entries().getOrDefault(step, new Scalar(origin, ""));
    String path = String.join(".", steps.subList(0, depth));
    Entries kept =
        ALTERNATIVES.contains(path) && !entries.entries().containsKey(step)
            ? new Entries(origin, Map.of())
            : entries;
    return kept.with(step, replaced(old, steps, depth + 1, value, origin));
  }

  private static int index(Items list, String step, List<String> steps, Origin origin) {
    int count = list.items().size();
    if (step.matches("[0-9]{1,6}") && Integer.parseInt(step) < count) {
      return Integer.parseInt(step);
    }
    throw new ScenarioException(
        origin
            + ": "
            + String.join(".", steps)
            + ": \""
            + step
            + "\" is no place in a list of "
            + count
            + (count == 0 ? "" : "; allowed: 0 to " + (count - 1)));
  }

  /** The same value, standing on the command line. */
  private static YamlValue atOption(YamlValue value, Origin origin) {
    if (value instanceof Scalar scalar) {
      return new Scalar(origin, scalar.text());
    }
    if (value instanceof Items list) {
      return new Items(origin, list.items().stream().map(item -> atOption(item, origin)).toList());
    }
    Entries moved = new Entries(origin, Map.of());
    for (Map.Entry<String, YamlValue> entry : ((Entries) value).entries().entrySet()) {
      moved = moved.with(entry.getKey(), atOption(entry.getValue(), origin));
    }
    return moved;
  }
}
