package io.tierwise.experiments.run;

import static io.tierwise.simulator.scenario.yaml.ScenarioWriter.quoted;

import io.tierwise.core.message.OperatorException;
import io.tierwise.policies.access.AccessStrategies;
import io.tierwise.policies.placement.PlacementPolicies;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import java.util.ArrayList;
import java.util.List;

/**
 * A placement policy and an access strategy to compare with others.
 *
 * @param label as the user wrote it
 * @param placement null: the scenario's own
 * @param access null: the scenario's own
 */
public record PolicyPair(String label, String placement, String access) {
  private static final String STOCK = "stock";

  /**
   * The pairs that the options name; one that changes nothing when they name none.
   *
   * @param policies names separated by commas: each with the access strategy of the same name, if
   *     there is one
   * @param compare PLACEMENT/ACCESS each
   */
  public static List<PolicyPair> of(List<String> policies, List<String> compare) {
    List<PolicyPair> pairs = new ArrayList<>();
    for (String list : policies) {
      for (String policy : split(list)) {
        boolean alsoAccess = policy.equals(STOCK) || AccessStrategies.names().contains(policy);
        pairs.add(new PolicyPair(policy, policy, alsoAccess ? policy : null));
      }
    }
    for (String pair : compare) {
      int slash = pair.lastIndexOf('/');
      if (slash < 1 || slash == pair.length() - 1) {
        throw OperatorException.badInput(
            "--compare " + pair + ": write PLACEMENT/ACCESS, for example hybrid/dld");
      }
      pairs.add(new PolicyPair(pair, pair.substring(0, slash), pair.substring(slash + 1)));
    }
    return pairs.isEmpty() ? List.of(new PolicyPair("", null, null)) : pairs;
  }

  /** A case each scenario and pair that the options name. */
  public static List<CaseSpec> cases(
      List<ScenarioFiles> scenarios, List<String> policies, List<String> compare) {
    List<PolicyPair> pairs = of(policies, compare);
    String option = policies.isEmpty() ? "--compare" : "--policies";
    List<CaseSpec> cases = new ArrayList<>();
    for (ScenarioFiles scenario : scenarios) {
      for (PolicyPair pair : pairs) {
        CaseSpec spec = new CaseSpec("", pair.laidOver(scenario, option).scenario());
        String name = spec.scenario().name();
        boolean both = scenarios.size() > 1 && !pair.label().isEmpty();
        String label = pair.label().isEmpty() ? name : pair.label();
        cases.add(new CaseSpec(both ? name + ": " + label : label, spec.scenario()));
      }
    }
    return cases;
  }

  /** At commas behind which a policy's name begins: specifications hold commas of their own. */
  private static List<String> split(String list) {
    List<String> parts = new ArrayList<>();
    for (String part : list.split(",", -1)) {
      String text = part.strip();
      if (text.isEmpty()) {
        throw OperatorException.badInput(
            "--policies \"" + list + "\" names an empty policy: write names between commas");
      }
      if (parts.isEmpty() || startsWithName(text)) {
        parts.add(text);
      } else {
        parts.add(parts.remove(parts.size() - 1) + "," + text);
      }
    }
    return parts;
  }

  private static boolean startsWithName(String text) {
    String name = text.indexOf(':') < 0 ? text : text.substring(0, text.indexOf(':'));
    return text.indexOf('=') < 0
        || name.equals(STOCK)
        || PlacementPolicies.all().stream().anyMatch(policy -> policy.name().equals(name));
  }

  /** The scenario with these policies. */
  ScenarioFiles laidOver(ScenarioFiles scenario, String option) {
    ScenarioFiles changed = scenario;
    if (placement != null) {
      changed =
          changed.with("policies.placement=" + quoted(placement), option, option + " " + label);
    }
    if (access != null) {
      changed = changed.with("policies.access=" + quoted(access), option, option + " " + label);
    }
    return changed;
  }
}
