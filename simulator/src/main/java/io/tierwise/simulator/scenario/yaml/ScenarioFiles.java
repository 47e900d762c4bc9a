package io.tierwise.simulator.scenario.yaml;

import io.tierwise.core.message.Nearest;
import io.tierwise.simulator.scenario.Scenario;
import io.tierwise.simulator.scenario.yaml.YamlValue.Entries;
import io.tierwise.simulator.scenario.yaml.YamlValue.Origin;
import io.tierwise.simulator.scenario.yaml.YamlValue.Scalar;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A scenario file with everything that it is based on, before it is read: settings can be laid over
 * it. Start here: {@code ScenarioFiles.load("my.yaml").scenario()}.
 */
public final class ScenarioFiles {
  /** Named clusters that a file can be based on. */
  static final List<String> NAMED =
      List.of("hats-testbed", "osu-a", "osu-b", "osu-c", "hdfs-h", "lsn-20", "lsn-5");

  private static final String LIBRARY = "library";
  private static final String BASED_ON = "based-on";
  private static final int CHAIN_MAX = 8;
  private static final int BASES_MAX = 64;

  private final String name;
  private final YamlValue document;

  private ScenarioFiles(String name, YamlValue document) {
    this.name = name;
    this.document = document;
  }

  /** The named clusters that a file can be based on. */
  public static List<String> named() {
    return NAMED;
  }

  /**
   * Reads a file and what it is based on.
   *
   * @param fileOrName a path, or a named cluster
   * @throws ScenarioException when it cannot be read or is no YAML
   */
  public static ScenarioFiles load(String fileOrName) {
    YamlValue own =
        complete(fileOrName, Path.of(""), new Origin("scenario", 0), 0, new HashMap<>());
    return new ScenarioFiles(baseName(fileOrName), onLibrary(own));
  }

  /** As {@link #load}, of a text that is in no file. */
  public static ScenarioFiles parse(String yaml, String label) {
    YamlValue own = onBases(read(yaml, label), Path.of(""), 0, new HashMap<>());
    return new ScenarioFiles(baseName(label), onLibrary(own));
  }

  private static YamlValue onLibrary(YamlValue own) {
    return Overlay.merge(read(resource(LIBRARY), LIBRARY), own);
  }

  /**
   * The same with one setting laid over it.
   *
   * @param setting {@code key=value}
   * @param option what the user wrote it behind, for messages
   */
  public ScenarioFiles with(String setting, String option) {
    return with(setting, option, option + " " + setting);
  }

  /**
   * As above, where the user wrote something else.
   *
   * @param shown what, with the option
   */
  public ScenarioFiles with(String setting, String option, String shown) {
    return new ScenarioFiles(name, Overlay.set(document, setting, option, shown));
  }

  /**
   * The scenario.
   *
   * @throws ScenarioException one line with file, line, key path, value and what is allowed
   */
  public Scenario scenario() {
    return ScenarioReader.read(document, name);
  }

  private static YamlValue read(String yaml, String label) {
    return KeySpelling.of(YamlText.read(yaml, label));
  }

  private static String baseName(String file) {
    String last = file.substring(file.lastIndexOf('/') + 1);
    int dot = last.lastIndexOf('.');
    return dot > 0 ? last.substring(0, dot) : last;
  }

  /**
   * Reads a file and what it is based on.
   *
   * @param known what was read already, by path: a file that many name is read once
   */
  private static YamlValue complete(
      String fileOrName, Path folder, Origin from, int depth, Map<String, YamlValue> known) {
    if (depth > CHAIN_MAX) {
      throw new ScenarioException(
          from + ": based-on: \"" + fileOrName + "\" is based on itself, or on too long a chain");
    }
    Path path;
    try {
      path = folder.resolve(fileOrName);
    } catch (InvalidPathException e) {
      throw new ScenarioException(from + ": \"" + fileOrName + "\" is no path", e);
    }
    if (NAMED.contains(fileOrName) && !Files.exists(path)) {
      return onBases(read(resource(fileOrName), fileOrName), Path.of(""), depth, known);
    }
    if (!Files.exists(path)) {
      throw new ScenarioException(
          from
              + ": \""
              + path
              + "\" does not exist"
              + Nearest.hint(fileOrName, NAMED).replace("known:", "named clusters:"));
    }
    YamlValue before = known.get(path.toString());
    if (before != null) {
      return before;
    }
    YamlValue own = read(text(path), path.toString());
    Path parent = path.getParent() == null ? Path.of("") : path.getParent();
    YamlValue whole = onBases(withTracePath(own, parent), parent, depth, known);
    known.put(path.toString(), whole);
    return whole;
  }

  private static YamlValue onBases(
      YamlValue own, Path folder, int depth, Map<String, YamlValue> known) {
    if (!(own instanceof Entries entries)) {
      throw new Place(own, "").error("must be a mapping of keys, is " + own.shown());
    }
    YamlValue bases = entries.entries().get(BASED_ON);
    if (bases == null) {
      return own;
    }
    List<Place> items = new Place(bases, BASED_ON).items();
    if (items.size() > BASES_MAX) {
      throw new Place(bases, BASED_ON).error("names " + items.size() + ", at most " + BASES_MAX);
    }
    YamlValue below = new Entries(own.origin(), Map.of());
    for (Place base : items) {
      YamlValue whole = complete(base.text(), folder, base.value().origin(), depth + 1, known);
      below = Overlay.merge(below, whole);
    }
    // A name is a file's own: what is based on it is something else.
    YamlValue unnamed = below instanceof Entries base ? base.without("name") : below;
    return Overlay.merge(unnamed, entries.without(BASED_ON));
  }

  /** A trace's path is meant from the file that names it. */
  private static YamlValue withTracePath(YamlValue own, Path folder) {
    if (own instanceof Entries root
        && root.entries().get("workload") instanceof Entries workload
        && workload.entries().get("trace") instanceof Entries trace
        && trace.entries().get("file") instanceof Scalar file
        && !file.text().isEmpty()) {
      String path;
      try {
        path = folder.resolve(file.text()).toString();
      } catch (InvalidPathException e) {
        throw new Place(file, "workload.trace.file").wrong("is no path");
      }
      return root.with(
          "workload", workload.with("trace", trace.with("file", new Scalar(file.origin(), path))));
    }
    return own;
  }

  private static String text(Path path) {
    try {
      if (!Files.isRegularFile(path)) {
        throw new ScenarioException(path + ": is no file");
      }
      if (Files.size(path) > 4L * YamlText.CHARACTERS_MAX) {
        throw new ScenarioException(path + ": is too large for a scenario");
      }
      byte[] bytes = Files.readAllBytes(path);
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new ScenarioException(path + ": is no text in UTF-8", e);
    } catch (IOException e) {
      throw new ScenarioException(path + ": cannot be read: " + e.getMessage(), e);
    }
  }

  static String resource(String name) {
    try (InputStream stream = ScenarioFiles.class.getResourceAsStream(name + ".yaml")) {
      if (stream == null) {
        throw new IllegalStateException("the resource " + name + ".yaml is missing");
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
