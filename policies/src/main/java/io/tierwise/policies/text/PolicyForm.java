package io.tierwise.policies.text;

import io.tierwise.core.message.Table;
import io.tierwise.core.message.TextTable;
import java.util.ArrayList;
import java.util.List;

/**
 * A policy as a list for people or programs names it.
 *
 * @param name first word of the specification
 * @param specification its form
 * @param description one line
 */
public record PolicyForm(String name, String specification, String description) {
  private static final String FIRST_INDENT = "  ";
  private static final String NEXT_INDENT = "      ";
  private static final String BEFORE_A_SETTING = "(?=\\[)|(?<= )(?=[|+])";

  /** The forms of a family, in its order. */
  public static List<PolicyForm> of(List<? extends PolicyProvider<?, ?>> policies) {
    return policies.stream()
        .map(policy -> new PolicyForm(policy.name(), policy.usage(), policy.summary()))
        .toList();
  }

  /** The effect of each of them. */
  public static Table descriptions(List<PolicyForm> forms) {
    Table table = new Table().text("name", "what it does");
    forms.forEach(form -> table.row(form.name(), form.description()));
    return table;
  }

  /**
   * The specifications of those that have settings, for people. None is cut: whoever writes a
   * policy by it needs all of it. What is too long for a line goes on in the next one, at a
   * setting.
   */
  public static List<String> specifications(List<PolicyForm> forms) {
    List<String> lines = new ArrayList<>();
    for (PolicyForm form : forms) {
      if (!form.specification().equals(form.name())) {
        String line = FIRST_INDENT;
        for (String part : form.specification().split(BEFORE_A_SETTING)) {
          if (line.length() + part.stripTrailing().length() > TextTable.WIDTH) {
            lines.add(line.stripTrailing());
            line = NEXT_INDENT;
          }
          line += part;
        }
        lines.add(line.stripTrailing());
      }
    }
    return lines;
  }
}
