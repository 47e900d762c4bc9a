package io.tierwise.cli.policy;

import io.tierwise.cli.output.Output;
import io.tierwise.core.message.Table;
import io.tierwise.policies.access.AccessStrategies;
import io.tierwise.policies.placement.PlacementPolicies;
import io.tierwise.policies.scheduling.SchedulingPolicies;
import io.tierwise.policies.text.PolicyProvider;
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

  private record Row(String name, String specification, String description) {}

  private record Answer(List<Row> placement, List<Row> access, List<Row> scheduling) {}

  @Override
  public Integer call() {
    List<Row> placements = rows(PlacementPolicies.all());
    List<Row> accesses = rows(AccessStrategies.all());
    List<Row> schedulings = rows(SchedulingPolicies.all());
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

  private static List<Row> rows(List<? extends PolicyProvider<?, ?>> policies) {
    return policies.stream().map(p -> new Row(p.name(), p.usage(), p.summary())).toList();
  }

  private void print(String title, List<Row> rows) {
    output.out().println(title);
    Table table = new Table().text("name", "what it does");
    rows.forEach(row -> table.row(row.name(), row.description()));
    output.table(table);
    output.out().println();
    Table forms = new Table().text("specification");
    rows.stream()
        .filter(row -> !row.specification().equals(row.name()))
        .forEach(row -> forms.row("  " + row.specification()));
    output.table(forms);
  }
}
