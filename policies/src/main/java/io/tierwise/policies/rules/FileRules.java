package io.tierwise.policies.rules;

import io.tierwise.core.message.Nearest;
import io.tierwise.policies.rules.RuleCondition.Comparison;
import io.tierwise.policies.rules.RuleCondition.Measure;
import io.tierwise.policies.text.SpecReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads rules, one a line; what stands behind {@code #} is a remark.
 *
 * <pre>
 * rule      = "path matches" PATTERN { "and" condition } "->" action
 * condition = measure ( "&lt;" | "&lt;=" | "&gt;" | "&gt;=" | "=" ) VALUE
 * measure   = "reads(" TIME ")" | "size" | "age" | "replicas"
 * action    = "replicas" NUMBER | "tier" NAME | "secondary" | "sla" [ "by" HH:MM ]
 * </pre>
 *
 * <p>The first rule that is for a file decides about it. Times are numbers with s, min, h or d;
 * sizes with B, kB, MB, GB, TB, KiB, MiB, GiB or TiB.
 */
public final class FileRules {
  private static final int LINE_LENGTH_MAX = 1_000;
  private static final int RULES_MAX = 1_000;
  private static final int REPLICAS_MAX = 512;

  private static final Pattern RULE = Pattern.compile("path\\s+matches\\s+(\\S+)(.*)->(.*)");
  private static final Pattern CONDITION =
      Pattern.compile(
          "(reads)\\(([^()]*)\\)\\s*(\\S+?)\\s*([0-9.]\\S*)|(\\w+)\\s*(\\S+?)\\s*([0-9.]\\S*)");
  private static final Pattern SLA =
      Pattern.compile("sla(?:\\s+by\\s+([01]?[0-9]|2[0-3]):([0-5][0-9]))?");
  private static final Pattern NUMBER =
      Pattern.compile("([0-9]{1,12}(?:\\.[0-9]{1,6})?)([A-Za-z]*)");

  private static final Map<String, Double> TIMES = units("s 1 min 60 h 3600 d 86400");
  private static final Map<String, Double> SIZES =
      units(
          "B 1 kB 1e3 MB 1e6 GB 1e9 TB 1e12 KiB 1024 MiB 1048576 GiB 1073741824"
              + " TiB 1099511627776");
  private static final Map<String, Double> NONE = units(" 1");

  private final String name;
  private final List<FileRule> rules = new ArrayList<>();

  private FileRules(String name) {
    this.name = name;
  }

  /** Names and how many base units each is. */
  private static Map<String, Double> units(String pairs) {
    Map<String, Double> units = new LinkedHashMap<>();
    String[] words = pairs.split(" ");
    for (int i = 0; i < words.length; i += 2) {
      units.put(words[i], Double.valueOf(words[i + 1]));
    }
    return units;
  }

  /**
   * The rules of a text.
   *
   * @param name of the text, for messages
   * @throws IllegalArgumentException one line that names the line, the bad value and what is
   *     allowed
   */
  public static List<FileRule> parse(String name, List<String> lines) {
    FileRules read = new FileRules(name);
    for (int i = 0; i < lines.size(); i++) {
      String line = i == 0 ? withoutByteOrderMark(lines.get(0)) : lines.get(i);
      int remark = line.indexOf('#');
      String text = (remark < 0 ? line : line.substring(0, remark)).strip();
      if (!text.isEmpty()) {
        read.rules.add(read.rule(i + 1, text));
      }
      if (line.length() > LINE_LENGTH_MAX || read.rules.size() > RULES_MAX) {
        throw read.refusal(
            i + 1,
            "lines of " + LINE_LENGTH_MAX + " characters and " + RULES_MAX + " rules are allowed");
      }
    }
    return List.copyOf(read.rules);
  }

  /** Some editors begin a file with one: nobody sees it, and it would be a part of the rule. */
  private static String withoutByteOrderMark(String line) {
    return line.startsWith("\uFEFF") ? line.substring(1) : line;
  }

  private IllegalArgumentException refusal(int line, String why) {
    return new IllegalArgumentException(name + ":" + line + ": " + why);
  }

  private FileRule rule(int line, String text) {
    Matcher rule = RULE.matcher(text);
    if (!rule.matches()) {
      throw refusal(
          line,
          SpecReader.quoted(text)
              + " is no rule; write: path matches /logs/** and reads(7d) < 3 -> replicas 2");
    }
    List<RuleCondition> conditions = new ArrayList<>();
    String rest = rule.group(2).strip();
    if (!rest.isEmpty()) {
      if (!rest.startsWith("and ")) {
        throw refusal(line, SpecReader.quoted(rest) + " is no condition: each begins with \"and\"");
      }
      for (String each : rest.substring(4).split("\\sand\\s", -1)) {
        conditions.add(condition(line, each.strip()));
      }
    }
    return new FileRule(line, text, rule.group(1), conditions, action(line, rule.group(3).strip()));
  }

  private RuleCondition condition(int line, String text) {
    Matcher parts = CONDITION.matcher(text);
    if (!parts.matches()) {
      throw refusal(
          line,
          SpecReader.quoted(text)
              + " is no condition; write reads(7d) < 3, size > 1GB, age > 30d or replicas = 3");
    }
    boolean reads = parts.group(1) != null;
    Measure measure = reads ? Measure.READS : measure(line, parts.group(5));
    Comparison comparison = comparison(line, parts.group(reads ? 3 : 6));
    String value = parts.group(reads ? 4 : 7);
    Map<String, Double> units =
        switch (measure) {
          case AGE -> TIMES;
          case SIZE -> SIZES;
          default -> NONE;
        };
    double seconds = reads ? number(line, parts.group(2), TIMES) : 0;
    return new RuleCondition(text, measure, seconds, comparison, number(line, value, units));
  }

  private Measure measure(int line, String word) {
    return switch (word) {
      case "size" -> Measure.SIZE;
      case "age" -> Measure.AGE;
      case "replicas" -> Measure.REPLICAS;
      default ->
          throw refusal(
              line,
              "unknown measure "
                  + SpecReader.quoted(word)
                  + Nearest.hint(word, List.of("reads(TIME)", "size", "age", "replicas")));
    };
  }

  private Comparison comparison(int line, String sign) {
    for (Comparison each : Comparison.values()) {
      if (each.sign().equals(sign)) {
        return each;
      }
    }
    throw refusal(line, SpecReader.quoted(sign) + " compares nothing; allowed: <, <=, >, >=, =");
  }

  private double number(int line, String text, Map<String, Double> units) {
    Matcher parts = NUMBER.matcher(text.strip());
    Double factor = parts.matches() ? units.get(parts.group(2)) : null;
    if (factor == null) {
      throw refusal(
          line,
          SpecReader.quoted(text)
              + (units == NONE
                  ? " is no number"
                  : " has no unit of: " + String.join(", ", units.keySet())));
    }
    return Double.parseDouble(parts.group(1)) * factor;
  }

  private RuleAction action(int line, String text) {
    String[] words = text.split("\\s+");
    if (words.length == 1 && words[0].equals("secondary")) {
      return new RuleAction.Secondary();
    }
    if (words[0].equals("sla")) {
      return sla(line, text);
    }
    if (words.length == 2 && words[0].equals("tier")) {
      return new RuleAction.InTier(words[1]);
    }
    if (words.length == 2 && words[0].equals("replicas") && words[1].matches("[0-9]{1,4}")) {
      int count = Integer.parseInt(words[1]);
      if (count >= 1 && count <= REPLICAS_MAX) {
        return new RuleAction.Replicas(count);
      }
    }
    throw refusal(
        line,
        SpecReader.quoted(text)
            + " is no action; write replicas N (1 to "
            + REPLICAS_MAX
            + "), tier NAME, secondary, sla or sla by HH:MM");
  }

  private RuleAction sla(int line, String text) {
    Matcher parts = SLA.matcher(text);
    if (!parts.matches()) {
      throw refusal(line, SpecReader.quoted(text) + " is no action; write sla or sla by 14:00");
    }
    return new RuleAction.Sla(
        parts.group(1) == null
            ? OptionalInt.empty()
            : OptionalInt.of(
                60 * Integer.parseInt(parts.group(1)) + Integer.parseInt(parts.group(2))));
  }
}
