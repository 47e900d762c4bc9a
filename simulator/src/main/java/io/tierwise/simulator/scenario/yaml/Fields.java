package io.tierwise.simulator.scenario.yaml;

import io.tierwise.core.message.Nearest;
import io.tierwise.simulator.scenario.yaml.ValueKind.Choice;
import io.tierwise.simulator.scenario.yaml.ValueKind.Count;
import io.tierwise.simulator.scenario.yaml.ValueKind.Measure;
import io.tierwise.simulator.scenario.yaml.ValueKind.WordedMeasure;
import io.tierwise.simulator.scenario.yaml.YamlValue.Origin;
import io.tierwise.simulator.scenario.yaml.YamlValue.Scalar;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The values of one mapping, read by the kinds and defaults of its section's keys. */
final class Fields {
  private static final String NONE = "none";

  private final Place place;
  private final String section;
  private final Map<String, YamlValue> given;

  private Fields(Place place, String section, Map<String, YamlValue> given) {
    this.place = place;
    this.section = section;
    this.given = given;
  }

  /** The mapping at {@code place}; a key that the section does not have is an error. */
  static Fields of(Place place, String section) {
    Map<String, YamlValue> given = place.mapping().entries();
    List<String> known = ScenarioKeys.of(section).stream().map(ScenarioKey::name).toList();
    for (Map.Entry<String, YamlValue> entry : given.entrySet()) {
      if (!known.contains(entry.getKey())) {
        throw place
            .child(entry.getKey(), entry.getValue())
            .error("unknown key" + Nearest.hint(entry.getKey(), known));
      }
    }
    return new Fields(place, section, given);
  }

  Place place() {
    return place;
  }

  /** Whether the key is given and not empty. */
  boolean has(String name) {
    YamlValue value = given.get(key(name).name());
    return value != null && !(value instanceof Scalar scalar && scalar.text().isEmpty());
  }

  /** The value of a key, given or its default. */
  Place at(String name) {
    ScenarioKey key = key(name);
    if (has(name)) {
      return place.child(name, given.get(name));
    }
    if (key.fallback() == null) {
      throw place.error("needs the key " + name + ": " + key.kind().plainDescription());
    }
    return place.child(name, new Scalar(new Origin("default", 0), key.fallback()));
  }

  Fields nested(String name, String nestedSection) {
    return of(at(name), nestedSection);
  }

  List<Place> items(String name) {
    return at(name).items();
  }

  String text(String name) {
    return at(name).text();
  }

  /** A name, which reports and paths of other keys may hold. */
  String name(String name) {
    return name(at(name));
  }

  static String name(Place place) {
    String text = place.text();
    if (!isName(text)) {
      throw place.wrong("is no name: use letters, digits, - _ . + and at most 63 of them");
    }
    return text;
  }

  static boolean isName(String text) {
    return text.matches("[A-Za-z0-9][A-Za-z0-9_.+-]{0,62}");
  }

  /** A figure in base units; infinite for {@code none}. */
  double measure(String name) {
    ValueKind kind = key(name).kind();
    Measure measure = kind instanceof WordedMeasure worded ? worded.measure() : (Measure) kind;
    Place at = at(name);
    String text = at.text();
    if (measure.orNone() && text.equals(NONE)) {
      return Double.POSITIVE_INFINITY;
    }
    double value;
    try {
      value = measure.quantity().parse(text);
    } catch (IllegalArgumentException e) {
      throw at.wrong(e.getMessage() + alternative(kind));
    }
    boolean allowed =
        value >= measure.quantity().parse(measure.leastText())
            && value <= measure.quantity().parse(measure.mostText());
    if (!allowed) {
      throw at.wrong("is out of range; allowed: " + kind.plainDescription());
    }
    return value;
  }

  private static String alternative(ValueKind kind) {
    if (kind instanceof WordedMeasure worded) {
      return ", or as " + worded.words().replace("`", "");
    }
    return kind instanceof Measure measure && measure.orNone() ? ", or none" : "";
  }

  /** Whether the key has a word that stands for a figure. */
  boolean isWorded(String name) {
    return text(name).matches(((WordedMeasure) key(name).kind()).pattern());
  }

  /** Whole bytes; the largest number for {@code none}. */
  long bytes(String name) {
    return measure(name) == Double.POSITIVE_INFINITY
        ? Long.MAX_VALUE
        : Quantity.BYTES.parseWhole(text(name));
  }

  long count(String name) {
    return count(at(name), (Count) key(name).kind());
  }

  int intCount(String name) {
    return Math.toIntExact(count(name));
  }

  /** Whether the key has the word that its kind allows instead of a number. */
  boolean isWord(String name) {
    return text(name).equals(((Count) key(name).kind()).word());
  }

  private static long count(Place at, Count kind) {
    String text = at.text();
    try {
      long value = Long.parseLong(text);
      if (value >= kind.least() && value <= kind.most()) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw at.wrong("is no whole number; allowed: " + kind.plainDescription());
    }
    throw at.wrong("is out of range; allowed: " + kind.plainDescription());
  }

  double number(String name) {
    return number(at(name), (ValueKind.Decimal) key(name).kind());
  }

  static double number(Place at, ValueKind.Decimal kind) {
    String text = at.text();
    String allowed = "; allowed: " + kind.plainDescription();
    boolean percent = kind.share() && text.endsWith("%");
    double value;
    try {
      String digits = percent ? text.substring(0, text.length() - 1).strip() : text;
      if (!digits.matches("[+-]?[0-9.]+([eE][+-]?[0-9]+)?")) {
        throw at.wrong("is no number" + allowed);
      }
      value = Double.parseDouble(digits) / (percent ? 100 : 1);
    } catch (NumberFormatException e) {
      throw at.wrong("is no number" + allowed);
    }
    if (!(value >= kind.least() && value <= kind.most())) {
      throw at.wrong("is out of range" + allowed);
    }
    return value;
  }

  boolean flag(String name) {
    String text = text(name).toLowerCase(Locale.ROOT);
    if (text.equals("true") || text.equals("false")) {
      return text.equals("true");
    }
    throw at(name).wrong("is neither true nor false");
  }

  /** One of the kind's words. */
  String choice(String name) {
    List<String> words = ((Choice) key(name).kind()).words();
    String text = text(name).toLowerCase(Locale.ROOT);
    if (words.contains(text)) {
      return text;
    }
    throw at(name).wrong("is not allowed" + Nearest.hint(text, words));
  }

  private ScenarioKey key(String name) {
    return ScenarioKeys.of(section).stream()
        .filter(key -> key.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException(section + " has no key " + name));
  }
}
