package io.tierwise.policies.text;

import io.tierwise.core.message.Table;
import java.util.List;

/**
 * A policy as a list for people or programs names it.
 *
 * @param name first word of the specification
 * @param specification its form
 * @param description one line
 */
public record PolicyForm(String name, String specification, String description) {
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

  /** The specifications of those that have settings. */
  public static Table specifications(List<PolicyForm> forms) {
    Table table = new Table().text("specification");
    forms.stream()
        .filter(form -> !form.specification().equals(form.name()))
        .forEach(form -> table.row("  " + form.specification()));
    return table;
  }
}
