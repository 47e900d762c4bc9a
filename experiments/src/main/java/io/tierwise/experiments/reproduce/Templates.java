package io.tierwise.experiments.reproduce;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Sets of names, and texts that stand for one text a member: {@code {apps}} is the member, {@code
 * {apps:value}} what stands behind it in the file.
 */
public record Templates(Map<String, Map<String, String>> sets) {

  public static Templates of(YamlTree tree) {
    Map<String, Map<String, String>> sets = new LinkedHashMap<>();
    tree.entries(java.util.Set.of())
        .forEach(
            (name, members) -> {
              Map<String, String> set = new LinkedHashMap<>();
              if (members.isList()) {
                members.items().forEach(item -> set.put(item.text(), item.text()));
              } else {
                members.entries(java.util.Set.of()).forEach((k, v) -> set.put(k, v.text()));
              }
              sets.put(name, set);
            });
    return new Templates(sets);
  }

  /** The members by name, for formulas. */
  Map<String, List<String>> members() {
    Map<String, List<String>> members = new LinkedHashMap<>();
    sets.forEach((name, set) -> members.put(name, List.copyOf(set.keySet())));
    return members;
  }

  /** One substitution for each combination of members of the sets that the template names. */
  List<UnaryOperator<String>> combinations(String template) {
    List<UnaryOperator<String>> combinations = new ArrayList<>();
    combinations.add(text -> text);
    for (Map.Entry<String, Map<String, String>> set : sets.entrySet()) {
      String name = set.getKey();
      if (template.contains("{" + name + "}")) {
        List<UnaryOperator<String>> more = new ArrayList<>();
        for (UnaryOperator<String> before : combinations) {
          set.getValue()
              .forEach(
                  (member, value) ->
                      more.add(
                          text ->
                              before
                                  .apply(text)
                                  .replace("{" + name + "}", member)
                                  .replace("{" + name + ":value}", value)));
        }
        combinations = more;
      }
    }
    return combinations;
  }
}
