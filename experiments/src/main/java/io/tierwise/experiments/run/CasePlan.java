package io.tierwise.experiments.run;

import io.tierwise.core.message.Table;
import io.tierwise.simulator.report.Format;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The plan of a case that is not run.
 *
 * @param firstSkippedRow of its trace; null when no row is skipped
 * @param memoryBytes of one run, about
 */
public record CasePlan(
    String label,
    String scenario,
    long nodes,
    long volumes,
    double capacityBytes,
    List<String> tiers,
    String placement,
    String access,
    long jobs,
    double inputBytes,
    double outputBytes,
    long skippedRows,
    String firstSkippedRow,
    double memoryBytes) {
  /** The plans of cases whose workloads were read. */
  public static List<CasePlan> of(List<CaseSpec> cases, List<WorkloadSize> sizes) {
    return IntStream.range(0, cases.size()).mapToObj(i -> of(cases.get(i), sizes.get(i))).toList();
  }

  /** Plans for people. */
  public static Table table(List<CasePlan> plans) {
    Table table =
        new Table()
            .text("case")
            .number("nodes", "volumes", "capacity")
            .text("tiers")
            .number("jobs", "input", "memory");
    for (CasePlan plan : plans) {
      table.row(
          plan.label(),
          plan.nodes(),
          plan.volumes(),
          Format.BYTES.text(plan.capacityBytes()),
          String.join(" > ", plan.tiers()),
          plan.jobs(),
          Format.BYTES.text(plan.inputBytes()),
          Format.BYTES.text(plan.memoryBytes()));
    }
    return table;
  }

  /** The plan of a case whose workload was read. */
  public static CasePlan of(CaseSpec spec, WorkloadSize size) {
    long nodes = 0;
    long volumes = 0;
    double capacity = 0;
    for (var rack : spec.scenario().cluster().racks()) {
      for (var group : rack.groups()) {
        nodes += group.count();
        for (var volume : group.node().volumes()) {
          if (volume.data()) {
            volumes += (long) group.count() * volume.count();
            capacity += (double) group.count() * volume.count() * volume.capacityBytes();
          }
        }
      }
    }
    return new CasePlan(
        spec.label(),
        spec.scenario().name(),
        nodes,
        volumes,
        capacity,
        spec.scenario().tiers().stream().map(tier -> tier.name()).toList(),
        spec.scenario().policies().placement(),
        spec.scenario().policies().access(),
        size.jobs(),
        size.inputBytes(),
        size.outputBytes(),
        size.skipped().count(),
        size.skipped().count() == 0 ? null : size.skipped().first(),
        MemoryNeed.ofRun(spec.scenario(), size));
  }
}
