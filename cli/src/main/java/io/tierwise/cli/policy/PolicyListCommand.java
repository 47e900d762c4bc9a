package io.tierwise.cli.policy;

import io.tierwise.cli.output.Output;
import io.tierwise.policies.Policies;
import io.tierwise.policies.text.PolicyFamily;
import io.tierwise.policies.text.PolicyForm;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Prints the policies of every family with the forms of their specifications. */
@Command(
    name = "list",
    description = {
      "Prints every placement policy, access strategy, scheduling policy and popularity predictor.",
      "In brackets stands what may be left out, with its default.",
      "Simulations and 'bench' also take 'stock': HDFS's own placement or order of replicas."
    },
    footer = "  tierwise policy list")
final class PolicyListCommand implements Callable<Integer> {
  @Mixin private Output output;

  @Override
  public Integer call() {
    List<PolicyFamily> families = Policies.families();
    families.forEach(
        family -> family.problems().forEach(problem -> output.say("not loaded: " + problem)));
    if (output.json()) {
      Map<String, List<PolicyForm>> answer = new LinkedHashMap<>();
      families.forEach(family -> answer.put(family.name(), family.policies()));
      output.printJson(answer);
      return 0;
    }
    String gap = "";
    for (PolicyFamily family : families) {
      output.out().print(gap);
      output.out().println(family.title());
      output.table(PolicyForm.descriptions(family.policies()));
      output.out().println();
      output.line("specification");
      PolicyForm.specifications(family.policies()).forEach(output::line);
      gap = System.lineSeparator();
    }
    return 0;
  }
}
