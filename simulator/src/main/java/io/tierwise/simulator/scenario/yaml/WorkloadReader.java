package io.tierwise.simulator.scenario.yaml;

import io.tierwise.simulator.scenario.ClusterSpec;
import io.tierwise.simulator.scenario.ClusterSpec.NodeGroup;
import io.tierwise.simulator.scenario.ClusterSpec.NodeSpec;
import io.tierwise.simulator.scenario.ClusterSpec.VolumeGroup;
import io.tierwise.simulator.scenario.PhasePlan;
import io.tierwise.simulator.scenario.TaskMemory;
import io.tierwise.simulator.scenario.WorkloadSpec;
import io.tierwise.simulator.scenario.WorkloadSpec.Applications;
import io.tierwise.simulator.scenario.WorkloadSpec.Arrival;
import io.tierwise.simulator.scenario.yaml.YamlValue.Entries;
import io.tierwise.simulator.workload.WorkloadException;
import io.tierwise.simulator.workload.generated.ApplicationTable;
import io.tierwise.simulator.workload.generated.GeneratedJobs;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/** Reads the section {@code workload}. */
final class WorkloadReader {
  private WorkloadReader() {}

  static WorkloadSpec read(Fields fields, ClusterSpec cluster) {
    List<String> given =
        List.of(ScenarioKeys.DFSIO, ScenarioKeys.TRACE, ScenarioKeys.APPLICATIONS).stream()
            .filter(fields::has)
            .toList();
    if (given.size() != 1) {
      throw fields
          .place()
          .error(
              (given.isEmpty() ? "names no workload" : "names " + String.join(" and ", given))
                  + "; give exactly one of dfsio, trace, applications");
    }
    return switch (given.get(0)) {
      case ScenarioKeys.DFSIO -> dfsio(fields.nested(ScenarioKeys.DFSIO, ScenarioKeys.DFSIO));
      case ScenarioKeys.TRACE -> trace(fields.nested(ScenarioKeys.TRACE, ScenarioKeys.TRACE));
      default ->
          applications(
              fields.nested(ScenarioKeys.APPLICATIONS, ScenarioKeys.APPLICATIONS), cluster);
    };
  }

  private static WorkloadSpec dfsio(Fields fields) {
    WorkloadSpec.Dfsio dfsio =
        new WorkloadSpec.Dfsio(
            fields.intCount("tasks"),
            fields.bytes("file"),
            fields.flag("write"),
            fields.flag("read"),
            fields.number("local"));
    if (!dfsio.write() && !dfsio.read()) {
      throw fields.place().error("neither writes nor reads: set write or read to true");
    }
    return dfsio;
  }

  private static WorkloadSpec trace(Fields fields) {
    Path file;
    try {
      file = Path.of(fields.text("file"));
    } catch (InvalidPathException e) {
      throw fields.at("file").wrong("is no path");
    }
    return new WorkloadSpec.Trace(
        fields.choice("format"),
        file,
        fields.isWord("jobs") ? 0 : fields.intCount("jobs"),
        fields.number("time-scale"),
        fields.number("size-scale"),
        fields.number("shuffle-scale"),
        fields.number("output-scale"),
        fields.flag("skip-bad-rows"));
  }

  private static WorkloadSpec applications(Fields fields, ClusterSpec cluster) {
    ApplicationTable known = ApplicationTable.bundled();
    List<Applications.Share> shares = new ArrayList<>();
    for (Place item : fields.items("jobs")) {
      Place place =
          item.isText()
              ? new Place(
                  new Entries(item.value().origin(), Map.of("application", item.value())),
                  item.path())
              : item;
      Fields share = Fields.of(place, ScenarioKeys.JOBS);
      shares.add(
          new Applications.Share(
              share.has("stages")
                  ? Fields.name(share.at("application"))
                  : application(share.at("application"), known, cluster),
              share.intCount("count"),
              share.number("scale"),
              PhasePlan.valueOf(share.choice("phases").toUpperCase(Locale.ROOT)),
              new TaskMemory(
                  memory(share, "map-memory", NodeSpec::mapSlots, cluster),
                  memory(share, "reduce-memory", NodeSpec::reduceSlots, cluster)),
              temporary(share, cluster),
              edges(share),
              StageReader.read(share, cluster)));
    }
    if (shares.isEmpty()) {
      throw fields.at("jobs").error("names no job");
    }
    Applications read = new Applications(arrival(fields.at("arrival")), shares);
    try {
      GeneratedJobs.check(read);
    } catch (WorkloadException e) {
      throw fields.at("jobs").error(e.getMessage());
    }
    return read;
  }

  private static String temporary(Fields share, ClusterSpec cluster) {
    if (!share.has("temporary")) {
      return "";
    }
    Set<String> classes =
        cluster.racks().stream()
            .flatMap(rack -> rack.groups().stream())
            .flatMap(group -> group.node().volumes().stream())
            .filter(VolumeGroup::temporary)
            .map(volumes -> volumes.device().name())
            .collect(Collectors.toCollection(TreeSet::new));
    String named = share.text("temporary");
    if (!classes.contains(named)) {
      throw share
          .at("temporary")
          .wrong(
              "holds temporary data on no node; device classes that do: "
                  + String.join(", ", classes));
    }
    return named;
  }

  private static Applications.Edges edges(Fields share) {
    return new Applications.Edges(
        share.has("name") ? share.name("name") : "",
        share.items("after").stream().map(Place::text).toList(),
        share.has("reads") ? share.text("reads") : "");
  }

  /** The memory of a task, which some node with slots for it has. */
  private static long memory(
      Fields share, String key, ToIntFunction<NodeSpec> slots, ClusterSpec cluster) {
    long bytes = share.bytes(key);
    long most =
        cluster.racks().stream()
            .flatMap(rack -> rack.groups().stream())
            .map(NodeGroup::node)
            .filter(node -> slots.applyAsInt(node) > 0)
            .mapToLong(NodeSpec::taskMemoryBytes)
            .max()
            .orElse(NodeSpec.UNLIMITED);
    if (bytes > most) {
      throw share
          .at(key)
          .wrong(
              "of each task of "
                  + share.text("application")
                  + " fits on no node: the largest task-memory is "
                  + Quantity.BYTES.writeWhole(most));
    }
    return bytes;
  }

  private static String application(Place place, ApplicationTable known, ClusterSpec cluster) {
    try {
      boolean reduces = known.get(place.text()).reduceCount() > 0;
      if (reduces && !StageReader.areAny(NodeSpec::reduceSlots, cluster)) {
        throw place.wrong("has reducers, and no node has slots for them: set reduce-slots above 0");
      }
      return place.text();
    } catch (WorkloadException e) {
      throw place.error(e.getMessage());
    }
  }

  private static Arrival arrival(Place place) {
    if (place.isText()) {
      return switch (place.text()) {
        case "together" -> new Arrival.Together();
        case "one-after-another" -> new Arrival.OneAfterAnother();
        default ->
            throw place.wrong(
                "is no arrival; allowed: together, one-after-another, {poisson: RATE},"
                    + " {clients: N, think: TIME}");
      };
    }
    Fields fields = Fields.of(place, ScenarioKeys.ARRIVAL);
    if (fields.has("poisson") == fields.has("clients")) {
      throw place.error("give either poisson or clients");
    }
    if (fields.has("poisson")) {
      if (fields.has("think")) {
        throw fields.at("think").error("belongs to clients, not to poisson");
      }
      return new Arrival.Poisson(fields.measure("poisson"));
    }
    return new Arrival.ClosedLoop(fields.intCount("clients"), fields.measure("think"));
  }
}
