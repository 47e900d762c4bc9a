package io.tierwise.simulator.scenario.yaml;

import io.tierwise.simulator.hardware.DirtyLimits;
import io.tierwise.simulator.hardware.InfiniBand;
import io.tierwise.simulator.scenario.yaml.ValueKind.Count;
import io.tierwise.simulator.scenario.yaml.ValueKind.Curve;
import io.tierwise.simulator.scenario.yaml.ValueKind.Decimal;
import io.tierwise.simulator.scenario.yaml.ValueKind.Flag;
import io.tierwise.simulator.scenario.yaml.ValueKind.ListOf;
import io.tierwise.simulator.scenario.yaml.ValueKind.Measure;
import io.tierwise.simulator.scenario.yaml.ValueKind.Name;
import io.tierwise.simulator.scenario.yaml.ValueKind.Named;
import io.tierwise.simulator.scenario.yaml.ValueKind.Nested;
import io.tierwise.simulator.scenario.yaml.ValueKind.Text;
import io.tierwise.simulator.scenario.yaml.ValueKind.Texts;
import io.tierwise.simulator.scenario.yaml.ValueKind.WordedMeasure;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Every key of a scenario file: what may stand behind it, its default and its meaning. The one
 * place where they are said: reader, reference page and JSON Schema follow it.
 */
final class ScenarioKeys {
  static final String SCENARIO = "scenario";
  static final String CLUSTER = "cluster";
  static final String RACK = "rack";
  static final String GROUP = "node-group";
  static final String NODE = "node-kind";
  static final String VOLUME = "volume";
  static final String DEVICE = "device";
  static final String TIER = "tier";
  static final String POLICIES = "policies";
  static final String MODEL = "model";
  static final String WORKLOAD = "workload";
  static final String DFSIO = "dfsio";
  static final String TRACE = "trace";
  static final String APPLICATIONS = "applications";
  static final String JOBS = "jobs";
  static final String STAGES = "stages";
  static final String ARRIVAL = "arrival";
  static final String FAULT = "fault";
  static final String STORED = "stored-files";
  static final String MOVEMENT = "movement";
  static final String MONITOR = "monitor";
  static final String FLUSH = "flush";
  static final String POPULARITY = "popularity";
  static final String FAST_TIER = "fast-tier";
  static final String SHARE = "share";

  static final int NODES_MAX = 200_000;

  private static final Map<String, List<ScenarioKey>> SECTIONS = new LinkedHashMap<>();
  private static final Map<String, String> INTRODUCTIONS = new LinkedHashMap<>();

  private ScenarioKeys() {}

  /** The keys of a section get more behind them. */
  static void append(String section, List<ScenarioKey> more) {
    List<ScenarioKey> all = new ArrayList<>(of(section));
    all.addAll(more);
    SECTIONS.put(section, List.copyOf(all));
  }

  /** The keys of a section, in the order of the reference. */
  static List<ScenarioKey> of(String section) {
    return SECTIONS.get(section);
  }

  /** All sections' names, in the order of the reference. */
  static List<String> sections() {
    return List.copyOf(SECTIONS.keySet());
  }

  static String introduction(String section) {
    return INTRODUCTIONS.get(section);
  }

  static void section(String name, String introduction, ScenarioKey... keys) {
    SECTIONS.put(name, Arrays.asList(keys));
    INTRODUCTIONS.put(name, introduction);
  }

  /** The latest moment of a scenario, since its start: the clock ends after 106 days. */
  static final String RUN_MAX = "100 d";

  static ScenarioKey required(String name, ValueKind kind, String meaning) {
    return new ScenarioKey(name, kind, null, meaning);
  }

  static ScenarioKey key(String name, ValueKind kind, String fallback, String meaning) {
    return new ScenarioKey(name, kind, fallback, meaning);
  }

  static Measure rate(boolean orNone) {
    return new Measure(Quantity.RATE, "1 kB/s", "10000 GB/s", orNone);
  }

  private static WordedMeasure link() {
    List<String> words = InfiniBand.words();
    return new WordedMeasure(
        rate(false), "`" + String.join("`, `", words) + "`", String.join("|", words));
  }

  static Measure time(String most) {
    return new Measure(Quantity.TIME, "0 s", most, false);
  }

  /** How often something is looked at: what is longer than a run would never be. */
  static Measure window() {
    return new Measure(Quantity.TIME, "1 s", RUN_MAX, false);
  }

  static Measure bytes(String least) {
    return new Measure(Quantity.BYTES, least, "1000 PB", false);
  }

  private static Measure power() {
    return new Measure(Quantity.POWER, "0 W", "100 kW", false);
  }

  private static Measure money(String most) {
    return new Measure(Quantity.MONEY, "$0", most, false);
  }

  static Count count(long least, long most) {
    return new Count(least, most, "");
  }

  static Decimal share() {
    return new Decimal(0, 1, true);
  }

  static {
    section(
        SCENARIO,
        "The file itself.",
        key("name", new Text("text"), "", "for reports; default: the file's name"),
        key("seed", count(0, Long.MAX_VALUE), "1", "of every random stream"),
        key(
            "based-on",
            new Texts("a file beside this one or a named cluster"),
            "",
            "what this file says is laid over it: mappings key by key, all else replaced"),
        key("devices", new Named(DEVICE), "", "device classes, beside the built-in ones"),
        key("nodes", new Named(NODE), "", "kinds of node, beside the built-in ones"),
        required("cluster", new Nested(CLUSTER), "machines and what connects them"),
        key(
            "tiers",
            new ListOf(TIER, "a device class's name"),
            "",
            "fastest first; default: each device class that holds data, by its read rate"),
        key("policies", new Nested(POLICIES), "", "which policies decide"),
        key("model", new Nested(MODEL), "", "constants of the execution model"),
        required("workload", new Nested(WORKLOAD), "which jobs arrive"),
        key("faults", new ListOf(FAULT, ""), "", "what breaks"),
        key("stored", new ListOf(STORED, ""), "", "files that are there before the first job"),
        key("movement", new ListOf(MOVEMENT, ""), "", "which of them moves where, and when"),
        key("monitor", new Nested(MONITOR), "", "repairs what is off its layout; default: nobody"),
        key("flush", new ListOf(FLUSH, ""), "", "which tiers are kept from filling up"),
        key("popularity", new Nested(POPULARITY), "", "by which the replicas of input files go"),
        key("fast-tier", new Nested(FAST_TIER), "", "shared out among input and temporary data"),
        key("share", new Nested(SHARE), "", "of a zone, chosen by the use of files"));
    section(
        CLUSTER,
        "Nodes are numbered from 0 in the order written: `node-0`, `node-1`, ...",
        required("racks", new ListOf(RACK, ""), "in order"),
        key("region-uplink", rate(true), "none", "each way between a region and the others"),
        key("latency", time("10 s"), "0.1 ms", "of one transfer between nodes"),
        key("port-price", money("$1000000"), "$0", "of a port of the network; nodes have `ports`"),
        key("kwh-price", money("$1000"), "$0", "of a kilowatt hour (3.6 MJ)"));
    section(
        RACK,
        "One rack, or several equal ones.",
        key("name", new Name(), "", "default: rack-1 and so on; with `count`, a number is added"),
        key("count", count(1, 10_000), "1", "equal racks"),
        key("region", new Name(), "default", "name of its region"),
        key("uplink", rate(true), "none", "each way between the rack and the others"),
        required("nodes", new ListOf(GROUP, "a kind's name"), "its nodes, in order"));
    section(
        GROUP,
        "Equal nodes.",
        required("kind", new Name(), "name of a node kind"),
        key("count", count(1, NODES_MAX), "1", "how many"));
    section(
        NODE,
        "One kind of machine. Power and price are without its devices.",
        key("based-on", new Name(), "", "another kind, for all that is not given"),
        key(
            "published",
            new Text("a server's name"),
            "",
            "gives cores, idle and busy as SPECpower published them; its small disk is in them"),
        key("cores", count(1, 4096), "8", ""),
        key(
            "clock",
            new Measure(Quantity.FREQUENCY, "1 MHz", "100 GHz", false),
            "2.8 GHz",
            "cycles a second of each core"),
        key("page-cache", bytes("0 B"), "4 GiB", "memory that keeps file data"),
        key(
            "write-buffer",
            new WordedMeasure(
                bytes("0 B"), "`linux-` and a kernel's version since 2.6", DirtyLimits.PATTERN),
            "800 MiB",
            "dirty bytes at which writers wait; of a kernel, by its vm.dirty_ratio of `page-cache`"),
        key(
            "write-background",
            new WordedMeasure(bytes("0 B"), "`by write-buffer`", "by write-buffer"),
            "by write-buffer",
            "dirty bytes above which devices write; by write-buffer, half of it or the kernel's"),
        key("memory", rate(false), "3 GB/s", "rate of cached reads and buffered writes, in all"),
        key("map-slots", new Count(0, 4096, "cores"), "cores", "map tasks at a time"),
        key("reduce-slots", count(0, 4096), "2", "reduce tasks at a time"),
        key(
            "task-memory",
            new Measure(Quantity.BYTES, "0 B", "1000 PB", true),
            "none",
            "memory that its tasks share; none: it is not counted"),
        key("link", link(), "10 Gbps", "network, each way; of InfiniBand, the data it carries"),
        key("idle", power(), "100 W", "power when idle"),
        key("busy", power(), "200 W", "power with all cores busy"),
        key("price", money("$10000000"), "$2000", ""),
        key(
            "ports",
            new Decimal(0, 4096, false),
            "1",
            "of the network that it takes; bonded ones may be counted by their bandwidth"),
        required("volumes", new ListOf(VOLUME, "a device class's name"), "its devices"));
    section(
        VOLUME,
        "Equal devices of a node.",
        required("device", new Name(), "name of a device class"),
        key("count", count(1, 1000), "1", "how many"),
        key("capacity", bytes("1 MB"), "500 GB", "of each"),
        key("data", new Flag(), "true", "holds HDFS data"),
        key("temporary", new Flag(), "true", "holds map output"));
    section(
        DEVICE,
        "One class of devices.",
        key("based-on", new Name(), "", "another class, for all that is not given"),
        key(
            "published",
            new Text("a device's name"),
            "",
            "gives read, write, idle and active as far as its data sheet does"),
        required("read", rate(false), "sequential, one reader"),
        required("write", rate(false), "sequential, one writer"),
        key(
            "curve",
            new Curve(),
            "",
            "throughput with n streams as a share of that with one; linear between the counts"
                + " given, constant after the last; default: 1 everywhere. Each read is a stream;"
                + " so is each write of `write-through`, but what buffers write back is one"),
        key("seek", time("10 s"), "0 s", "before the first byte of each transfer"),
        key(
            "readers",
            new Count(1, 4096, "by curve"),
            "by curve",
            "at which throughput peaks: T_r; by curve, where there is none, is the strategy's"
                + " default"),
        key("idle", power(), "0 W", "power when idle"),
        key("active", power(), "0 W", "power while transferring"),
        key("price", money("$100000"), "$0", "of a gigabyte (10^9 bytes)"));
    section(
        TIER,
        "All data volumes of a device class.",
        key("name", new Name(), "", "default: the device class's name"),
        required("device", new Name(), "name of a device class"),
        key(
            "fallback",
            new Texts("a tier's name"),
            "",
            "where blocks go when this tier can take none; default: slower ones, then faster"));
    section(
        POLICIES,
        "The specifications that a live cluster takes; `stock` is HDFS's own (network-aware).",
        key("placement", new Text("placement policy"), "stock", "where blocks are written"),
        key("access", new Text("access strategy"), "stock", "which replica is read"),
        key("replication", count(1, 100), "3", "replicas of each block"),
        key("block", bytes("1 MB"), "128 MiB", "size of every file's blocks"),
        key(
            "scheduler",
            new Text("scheduling policy"),
            "fifo",
            "which waiting job gets a free slot, and where"));
    ModelSection.addKeys();
    WorkloadKeys.add();
    section(
        FAULT,
        "Exactly one of `node`, `rack`, `device`, `link`.",
        required("at", time(RUN_MAX), "since the start"),
        key("until", time(RUN_MAX), "", "when it is well again; default: never"),
        key("node", new Text("`node-3`"), "", ""),
        key("rack", new Text("name"), "", ""),
        key("device", new Text("`node-3/0`"), "", "a node's volume, numbered from 0"),
        key(
            "link",
            new Text("`node-3` or a rack's name"),
            "",
            "network of a node or uplink of a rack"),
        key(
            "slow",
            new Decimal(0.000001, 1, true),
            "",
            "share of its speed left; of a node and a rack, of the link; default: it fails"));
    section(
        STORED,
        "Equal files. A job whose input has the path of one reads it.",
        required("path", new Text("path"), "of the file; of the directory when there are several"),
        key("files", count(1, 1_000_000), "1", "how many: `part-0`, `part-1`, ... below the path"),
        required("size", bytes("1 B"), "of each"),
        key(
            "parts",
            count(1, 1_000_000),
            "1",
            "that the tasks of a job wrote: each is a file for policies; readers see one input"),
        key("placement", new Text("placement policy"), "", "default: that of `policies`"));
    MoverKeys.add();
    PopularityReader.addKeys();
    FastTierReader.addKeys();
    ShareReader.addKeys();
  }
}
