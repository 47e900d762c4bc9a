package io.tierwise.simulator.scenario.yaml;

import io.tierwise.simulator.scenario.yaml.YamlValue.Entries;
import io.tierwise.simulator.scenario.yaml.YamlValue.Items;
import io.tierwise.simulator.scenario.yaml.YamlValue.Origin;
import io.tierwise.simulator.scenario.yaml.YamlValue.Scalar;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Turns YAML into values with their lines. Works on the parser's events, so that size, depth and
 * what aliases stand for are bounded before anything is built.
 */
final class YamlText {
  /** Longer texts are refused. */
  static final int CHARACTERS_MAX = 4 << 20;

  static final int DEPTH_MAX = 24;

  static final int KEY_CHARACTERS_MAX = 200;

  /** Values of a document, each alias counted with all that it stands for. */
  static final int VALUES_MAX = 500_000;

  private final String file;
  private final Iterator<Event> events;
  private final Map<Anchor, Counted> anchors = new HashMap<>();

  /** A value and how many values it consists of. */
  private record Counted(YamlValue value, long count) {}

  private YamlText(String file, Iterator<Event> events) {
    this.file = file;
    this.events = events;
  }

  /**
   * Reads one document.
   *
   * @param file for messages
   */
  static YamlValue read(String text, String file) {
    if (text.length() > CHARACTERS_MAX) {
      throw new ScenarioException(
          file + ": has " + text.length() + " characters, at most " + CHARACTERS_MAX + " are read");
    }
    LoadSettings settings =
        LoadSettings.builder()
            .setLabel(file)
            .setCodePointLimit(CHARACTERS_MAX)
            .setParseComments(false)
            .build();
    try {
      return new YamlText(file, new Parse(settings).parseString(text).iterator()).document();
    } catch (MarkedYamlEngineException e) {
      int line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(0);
      String problem = e.getProblem() == null ? e.getMessage() : e.getProblem();
      throw new ScenarioException(
          new Origin(file, line) + ": is not YAML: " + problem.replaceAll("\\s+", " "), e);
    } catch (YamlEngineException e) {
      throw new ScenarioException(
          file + ": is not YAML: " + String.valueOf(e.getMessage()).replaceAll("\\s+", " "), e);
    }
  }

  private YamlValue document() {
    YamlValue document = null;
    while (events.hasNext()) {
      Event event = events.next();
      if (event instanceof NodeEvent) {
        if (document != null) {
          throw new ScenarioException(
              origin(event) + ": a second document begins here; write one scenario a file");
        }
        document = value(event, 0).value();
      }
    }
    return document == null ? new Entries(new Origin(file, 1), Map.of()) : document;
  }

  private Origin origin(Event event) {
    return new Origin(file, event.getStartMark().map(mark -> mark.getLine() + 1).orElse(0));
  }

  private Counted value(Event event, int depth) {
    if (depth > DEPTH_MAX) {
      throw new ScenarioException(
          origin(event) + ": is nested deeper than " + DEPTH_MAX + " levels");
    }
    if (event instanceof AliasEvent alias) {
      Counted target = anchors.get(alias.getAlias());
      if (target == null) {
        throw new ScenarioException(
            origin(event) + ": *" + alias.getAlias() + " stands for nothing defined before it");
      }
      return target;
    }
    Counted value;
    Optional<Anchor> anchor;
    if (event instanceof ScalarEvent scalar) {
      value = new Counted(new Scalar(origin(event), text(scalar)), 1);
      anchor = scalar.getAnchor();
    } else if (event instanceof SequenceStartEvent sequence) {
      value = items(event, depth);
      anchor = sequence.getAnchor();
    } else {
      value = entries(event, depth);
      anchor = ((MappingStartEvent) event).getAnchor();
    }
    anchor.ifPresent(name -> anchors.put(name, value));
    return value;
  }

  private static String text(ScalarEvent scalar) {
    String text = scalar.getValue().strip();
    boolean none = scalar.isPlain() && (text.equals("~") || text.equals("null"));
    return none ? "" : text;
  }

  private Counted items(Event start, int depth) {
    List<YamlValue> items = new ArrayList<>();
    long count = 1;
    for (Event next = events.next(); next.getEventId() != Event.ID.SequenceEnd; ) {
      Counted item = value(next, depth + 1);
      count = bounded(count + item.count(), next);
      items.add(item.value());
      next = events.next();
    }
    return new Counted(new Items(origin(start), items), count);
  }

  private Counted entries(Event start, int depth) {
    Map<String, YamlValue> entries = new LinkedHashMap<>();
    long count = 1;
    for (Event next = events.next(); next.getEventId() != Event.ID.MappingEnd; ) {
      String key = key(next);
      Counted entry = value(events.next(), depth + 1);
      count = bounded(count + entry.count(), next);
      YamlValue before = entries.put(key, entry.value());
      if (before != null) {
        throw new ScenarioException(
            origin(next)
                + ": the key "
                + key
                + " stands twice, first in line "
                + before.origin().line());
      }
      next = events.next();
    }
    return new Counted(new Entries(origin(start), entries), count);
  }

  private long bounded(long count, Event at) {
    if (count > VALUES_MAX) {
      throw new ScenarioException(
          origin(at)
              + ": the document has more than "
              + VALUES_MAX
              + " values, counting what aliases stand for");
    }
    return count;
  }

  private String key(Event event) {
    if (event instanceof ScalarEvent scalar
        && !scalar.getValue().isBlank()
        && scalar.getValue().length() <= KEY_CHARACTERS_MAX) {
      return scalar.getValue().strip();
    }
    throw new ScenarioException(
        origin(event) + ": a key must be a text of 1 to " + KEY_CHARACTERS_MAX + " characters");
  }
}
