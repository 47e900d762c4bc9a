package io.tierwise.cli.policy;

import io.tierwise.cli.output.Output;
import io.tierwise.policies.access.AccessStrategies;
import io.tierwise.policies.placement.PlacementPolicies;
import io.tierwise.policies.scheduling.SchedulingPolicies;
import io.tierwise.policies.text.PolicyForm;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Prints the policies of every family with the forms of their specifications. */
@Command(
    name = "list",
    description = "Prints every placement policy, access strategy and scheduling policy.")
final class PolicyListCommand implements Callable<Integer> {
  @Mixin private Output output;

  private record Answer(
      List<PolicyForm> placement, List<PolicyForm> access, List<PolicyForm> scheduling) {}

  @Override
  public Integer call() {
    List<PolicyForm> placements = PolicyForm.of(PlacementPolicies.all());
    List<PolicyForm> accesses = PolicyForm.of(AccessStrategies.all());
    List<PolicyForm> schedulings = PolicyForm.of(SchedulingPolicies.all());
    if (output.json()) {
      output.printJson(new Answer(placements, accesses, schedulings));
    } else {
      print("Placement policies (--placement)", placements);
      output.out().println();
      print("Access strategies (--access, or the key tierwise.access.strategy)", accesses);
      output.out().println();
      print("Scheduling policies (policies.scheduler of a scenario)", schedulings);
    }
    return 0;
  }

  private void print(String title, List<PolicyForm> forms) {
    output.out().println(title);
    output.table(PolicyForm.descriptions(forms));
    output.out().println();
    output.table(PolicyForm.specifications(forms));
  }
}
