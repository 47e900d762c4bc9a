package io.tierwise.simulator.scenario.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every mistake is one line: file, line, key path, the value, and what is allowed. */
class ScenarioErrorsTest {
  private static final String GOOD =
      """
      cluster:
        racks:
          - {name: r1, nodes: [{kind: disk-node, count: 2}, ssd-node]}
          - {name: r2, nodes: [{kind: disk-node, count: 2}]}
      workload:
        dfsio: {tasks: 4, file: 100 MB}
      """;

  private static String messageOf(String yaml, String... settings) {
    try {
      ScenarioFiles files = ScenarioFiles.parse(yaml, "s.yaml");
      for (String setting : settings) {
        files = files.with(setting, "--set");
      }
      files.scenario();
    } catch (ScenarioException e) {
      assertThat(e.getMessage()).doesNotContain("\n").hasSizeLessThan(500);
      return e.getMessage();
    }
    throw new AssertionError("was accepted");
  }

  @Test
  void stagesThatNoNodeHasSlotsForAreRefused() {
    String yaml =
        """
        nodes: {n: {reduce-slots: %d, volumes: [hdd]}}
        cluster: {racks: [{nodes: [n]}]}
        policies: {replication: 1}
        workload:
          applications:
            jobs: [{application: q, stages: [{name: a, input: 1 GB}, {name: b, after: a}]}]
        """;

    assertThat(messageOf(yaml.formatted(0)))
        .endsWith("jobs[0].stages: run in slots that no node has: set reduce-slots above 0");
    assertThat(ScenarioFiles.parse(yaml.formatted(1), "s.yaml").scenario().name()).isEqualTo("s");
  }

  @Test
  void reducersThatNoNodeHasSlotsForAreRefused() {
    String yaml =
        """
        nodes: {n: {reduce-slots: 0, volumes: [hdd]}}
        cluster: {racks: [{nodes: [n]}]}
        policies: {replication: 1}
        workload: {applications: {jobs: [lsn/%s]}}
        """;

    assertThat(messageOf(yaml.formatted("grep")))
        .endsWith(
            "jobs[0].application: \"lsn/grep\" has reducers, and no node has slots for them: set"
                + " reduce-slots above 0");
    assertThat(ScenarioFiles.parse(yaml.formatted("teragen"), "s.yaml").scenario().name())
        .isEqualTo("s");
  }

  @Test
  void queuesThatNoJobIsInAreRefused() {
    String capacity = "policies.scheduler=capacity:lsn/grep=60,lsn/sort=20";
    String jobs = "workload.applications.jobs=[lsn/grep, lsn/small]";

    assertThat(messageOf(GOOD, jobs, capacity.replace("sort", "smal")))
        .endsWith(
            "names the queue \"lsn/smal\", in which no job is: a job's queue is its application;"
                + " did you mean \"lsn/small\"? known: lsn/grep, lsn/small");
    assertThat(messageOf(GOOD, capacity)).contains("\"lsn/grep\", in which no job is", "dfsio");
    String trace = "workload.trace={format: swim, file: t}";
    assertThat(messageOf(GOOD, trace, capacity)).contains("\"lsn/grep\", in which no job is");
    // Only the jobs of these say what they are, when they arrive.
    ScenarioFiles rumen =
        ScenarioFiles.parse(GOOD, "s.yaml")
            .with(trace.replace("swim", "rumen"), "--set")
            .with(capacity, "--set");
    assertThat(rumen.scenario().policies().scheduler()).startsWith("capacity:");
  }

  @ParameterizedTest
  @CsvSource({"map-memory, 5 GiB, 4 GiB", "reduce-memory, 2.5 GiB, 2 GiB"})
  void aTaskThatFitsOnNoNodeIsNamedWithItsKeyAndItsMemory(String key, String value, String most) {
    String yaml =
        """
        nodes:
          maps: {task-memory: 4 GiB, reduce-slots: 0, volumes: [hdd]}
          reduces: {task-memory: 2 GiB, map-slots: 0, volumes: [hdd]}
        cluster: {racks: [{nodes: [maps, reduces]}]}
        policies: {replication: 1}
        workload: {applications: {jobs: [lsn/grep, {application: lsn/join, %s: %s}]}}
        """;

    assertThat(messageOf(yaml.formatted(key, value)))
        .contains("workload.applications.jobs[1]." + key + ": \"" + value + "\" of each task")
        .contains("of lsn/join fits on no node: the largest task-memory is " + most);
    assertThat(ScenarioFiles.parse(yaml.formatted(key, most), "s.yaml").scenario().name())
        .isEqualTo("s");
  }

  @Test
  void theScenarioThatTheMistakesAreMadeInIsRight() {
    assertThat(ScenarioFiles.parse(GOOD, "s.yaml").scenario().name()).isEqualTo("s");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          movement=[{at: 101 d, path: /a, placement: random}] | movement[0].at: "101 d" is out of range; allowed: time, 0 s to 100 d
          monitor={until: 101 d}                | monitor.until: "101 d" is out of range; allowed: time, 0 s to 100 d
          faults=[{at: 101 d, node: node-1}]    | faults[0].at: "101 d" is out of range; allowed: time, 0 s to 100 d
          faults=[{at: 1 s, node: node-1, until: 200 d}] | faults[0].until: "200 d" is out of range; allowed: time, 0 s to 100 d
          cluster.rack=[]                       | cluster.rack: unknown key; did you mean "racks"?
          sed=2                                 | sed: unknown key; did you mean "seed"?
          cluster.latency=5 parsecs             | cluster.latency: "5 parsecs" has the unknown unit "parsecs"; allowed: ns, us, ms, s, min, h, d
          cluster.latency=5                     | cluster.latency: "5" has no unit; allowed: ns
          cluster.latency=fast                  | cluster.latency: "fast" is no time; write it as "3 h"
          cluster.latency=-1 s                  | cluster.latency: "-1 s" is out of range; allowed: time, 0 s to 10 s
          cluster.racks[0].uplink=10 Gpbs       | cluster.racks[0].uplink: "10 Gpbs" has the unknown unit "Gpbs"
          cluster.racks[0].count=0              | cluster.racks[0].count: "0" is out of range; allowed: whole number, 1 to 10000
          cluster.racks[0].count=2.5            | cluster.racks[0].count: "2.5" is no whole number
          cluster.racks[0].nodes[0].count=999999| cluster.racks[0].nodes[0].count: "999999" is out of range
          cluster.racks[0].nodes[0].kind=dsk-node | "dsk-node" is no kind of node; did you mean "disk-node"?
          cluster.racks[1].name=r1              | cluster.racks[1].name: two racks are named "r1"
          cluster.racks=[]                      | cluster.racks: names no rack
          cluster.racks[0].nodes=[]             | cluster.racks[0].nodes: names no node
          cluster.racks[9].name=x               | "9" is no place in a list of 2; allowed: 0 to 1
          nodes.disk-node.volumes=[hddd]        | nodes.disk-node.volumes[0].device: "hddd" is no device class; did you mean "hdd"?
          nodes.disk-node.busy=1 W              | nodes.disk-node.busy: "1 W" is less than idle
          nodes.disk-node.link=infiniband-hdr   | nodes.disk-node.link: "infiniband-hdr" is no rate; write it as "61 MB/s", or as infiniband-sdr, infiniband-ddr,
          nodes.disk-node.link=0 Gbps           | nodes.disk-node.link: "0 Gbps" is out of range; allowed: rate, 1 kB/s to 10000 GB/s, or infiniband-sdr
          nodes.disk-node.write-buffer=linux-2.4.18 | nodes.disk-node.write-buffer: "linux-2.4.18" is no size; write it as "64 MB", or as linux- and a kernel's version since 2.6
          nodes.disk-node.write-buffer=linux    | nodes.disk-node.write-buffer: "linux" is no size
          nodes.disk-node.write-background=1 GiB | nodes.disk-node.write-background: "1 GiB" is more than write-buffer: devices begin before writers have to wait
          nodes.disk-node.price=-$5             | nodes.disk-node.price: "-$5" is out of range
          nodes.x.based-on=y                    | nodes.x.based-on: "y" is not defined
          nodes.x.based-on=x                    | nodes.x.based-on: "x" is based on itself
          devices.x.published=Intel DC P3701    | "Intel DC P3701" is no published device; did you mean "Intel DC P3700"?
          devices.x.published=DRAM on the same platform | devices.x: needs the key read
          nodes.x.published=Intel DC P3700      | "Intel DC P3700" is no published server; simulate --list names them
          nodes.x.cores=2                       | nodes.x: needs the key volumes
          devices.hdd.read=0 MB/s               | devices.hdd.read: "0 MB/s" is out of range; allowed: rate, 1 kB/s to 10000 GB/s
          devices.hdd.active=1 W                | devices.hdd.active: "1 W" is less than idle: a device that transfers draws at least as much
          devices.hdd.curve={0: 1}              | devices.hdd.curve.0: is no number of streams
          devices.hdd.curve={2: -1}             | devices.hdd.curve.2: "-1" is out of range
          tiers=[hdd, nvme-p3700]               | tiers[1].device: "nvme-p3700" holds data on no node: a tier needs a device
          tiers=[hdd]                           | the device class sata-ssd holds data but is in no tier
          tiers=[hdd, hdd, sata-ssd]            | tiers[1].device: two tiers are named "hdd"
          stored=[{path: w, size: 1 MB}]        | stored[0].path: "w" is no path: write it from the root, for example /warehouse
          stored=[{path: /w, size: 900 TB}]     | stored[0].size: "900 TB" is too much: what is stored needs 2700000.0 GB with 3 replicas
          stored=[{path: /w, size: 1 MB}, {path: /w/, size: 1 MB}] | stored[1].path: "/w/" is stored already: name each path once
          stored=[{path: /w, files: 2, size: 1 MB}, {path: /w/part-1, size: 1 MB}] | stored[1].path: "/w/part-1" is stored already
          stored=[{path: /w/part-1, size: 1 MB}, {path: /w, files: 2, size: 1 MB}] | stored[1].path: "/w" is stored already
          stored=[{path: /w}]                   | stored[0]: needs the key size
          movement=[{path: /w, placement: 3 x tape}] | movement[0].placement: unknown tier "tape"
          movement=[{path: /w, placement: hybrd}] | movement[0].placement: unknown
          movement=[{path: /w, placement: 3 x hdd, keep-free: 100%}] | movement[0].keep-free: "100%" leaves no room for anything
          movement=[{placement: 3 x hdd}]       | movement[0]: needs the key path
          tiers=[hdd, {name: b, device: hdd}]   | tiers[1].device: "hdd" is in two tiers
          tiers=[{device: sata-ssd, fallback: [hd]}, hdd] | tiers[0].fallback[0]: "hd" is no other tier, each once; did you mean "hdd"?
          policies.placement=hybird             | policies.placement: unknown placement policy "hybird"
          policies.placement=zone-ratio:1.5     | policies.placement: "1.5"
          share={}                              | share: needs a share to choose: policies.placement is network-aware
          share={hold: -1}                      | share.hold: "-1" is out of range; allowed: whole number, 0 to 1000
          share={gain: 2}                       | share.gain: "2" is out of range; allowed: share
          policies.placement=region-aware       | policies.placement: "region-aware" needs regions, but all racks are in one
          policies.access=greedier              | policies.access: unknown access strategy "greedier"
          policies.replication=9                | policies.replication: "9" replicas need as many nodes that hold data; there are 5
          policies.block=600 GB                 | policies.block: "600 GB" fits on no volume; the largest holds 0.5 TB
          policies.scheduler=fiar               | policies.scheduler: unknown scheduling policy "fiar"; did you mean "fair"? known: fifo, fair, capacity, smallest-first
          policies.scheduler=capacity:etl=0     | policies.scheduler: scheduling policy "capacity": queue "etl" has 0/100 percent
          model.speculative=maybe               | model.speculative: "maybe" is neither true nor false
          model.slow-start=120%                 | model.slow-start: "120%" is out of range; allowed: share
          model={drop-caches: true, warm-input: 0.5} | model.warm-input: "0.5" has no effect with drop-caches
          model.warm-input=1.5                  | model.warm-input: "1.5" is out of range; allowed: share
          model.warm-input=-0.1                 | model.warm-input: "-0.1" is out of range; allowed: share
          model.phases=serial                   | model.phases: "serial" is not allowed; did you mean "series"?
          model.send-cycles=-1                  | model.send-cycles: "-1" is out of range; allowed: number, 0.0 to 1000000.0
          model.receive-cycles=fast             | model.receive-cycles: "fast" is no number; allowed: number
          model.spills=later                    | model.spills: "later" is not allowed
          model.merge-read=fast                 | model.merge-read: "fast" is no size; write it as "64 MB", or none
          model.merge-read=1 B                  | model.merge-read: "1 B" is out of range; allowed: size, 4 KiB to 1000 PB, or none
          model.stragglers=some                 | model.stragglers: "some" is no number
          workload={}                           | workload: names no workload; give exactly one of dfsio, trace, applications
          workload.dfsio.file=10 TB             | workload.dfsio.file: "10 TB" files need 120000.0 GB with 3 replicas, the cluster holds 2628.0 GB
          workload.dfsio={tasks: 1, write: false, read: false} | workload.dfsio: neither writes nor reads
          workload.trace={format: swimm, file: x} | "swimm" is not allowed; did you mean "swim"?
          workload.trace.format=swim            | workload.trace: needs the key file
          workload.applications.jobs=[lsn/grepp] | workload.applications.jobs[0].application: application 'lsn/grepp' is not known; do you mean 'lsn/grep'?
          workload.applications.jobs=[{application: lsn/grep, phases: serial}] | workload.applications.jobs[0].phases: "serial" is not allowed; did you mean "series"?
          workload.applications.jobs=[{application: lsn/grep, name: a, after: a}] | workload.applications.jobs: jobs wait for themselves: 'a' after 'a'; remove one of these from after or reads
          workload.applications.jobs=[lsn/grep, {application: lsn/grep, name: a, after: c}, {application: lsn/grep, name: b, after: a}, {application: lsn/grep, name: c, after: b}] | jobs wait for themselves: 'a' after 'c' after 'b' after 'a'
          workload.applications.jobs=[{application: lsn/grep, name: load}, {application: lsn/grep, after: laod}] | after names 'laod', which is the name of no job; did you mean "load"?
          workload.applications.jobs=[{application: lsn/grep, name: a}, {application: lsn/grep, name: a, after: a}] | two jobs have the name 'a': name each once
          workload.applications.jobs=[{application: lsn/small, name: a}, {application: lsn/grep, reads: a}] | lsn/grep reads 'a', which writes 10240 bytes, and needs 10737418240: make its scale smaller
          workload.applications.jobs=[{application: lsn/teragen, name: a, count: 2}, {application: lsn/grep, reads: a}] | lsn/grep reads 'a', which is the name of several jobs: give these the count 1
          workload.applications.jobs=[{application: lsn/grep, name: a}, {application: lsn/teragen, reads: a}] | lsn/teragen reads 'a', but has no input: write after in the place of reads
          workload.applications.jobs=[{application: lsn/grep, name: a b}] | workload.applications.jobs[0].name: "a b" is no name
          workload.applications={arrival: {poisson: 3 /min}, jobs: [{application: lsn/grep, name: a}, {application: lsn/grep, after: a}]} | set arrival to together, or remove after and reads
          workload.applications.jobs=[{application: lsn/grep, temporary: nvme}] | workload.applications.jobs[0].temporary: "nvme" holds temporary data on no node; device classes that do: hdd
          workload.applications.jobs=[{application: q, stages: [{name: a, after: c}, {name: b, after: a}, {name: c, after: b}]}] | workload.applications.jobs[0].stages: stages wait for themselves: 'a' after 'c' after 'b' after 'a'; remove one of these from after or one-to-one
          workload.applications.jobs=[{application: q, stages: [{name: a, one-to-one: a}]}] | stages wait for themselves: 'a' after 'a'
          workload.applications.jobs=[{application: q, stages: [{name: scan, input: 1 GB}, {name: b, after: scna}]}] | stage 'b': after names 'scna', which is the name of no stage; did you mean "scan"?
          workload.applications.jobs=[{application: q, stages: [{name: a}, {name: a}]}] | two stages have the name 'a': name each once
          workload.applications.jobs=[{application: q, stages: [{name: a}, {name: b, after: a, one-to-one: a}]}] | stage 'b': one-to-one names 'a' a second time: name each stage once
          workload.applications.jobs=[{application: q, stages: [{name: a, tasks: 3}, {name: b, tasks: 4, one-to-one: a}]}] | stage 'b' takes the output of 'a' task by task, and has 4 tasks, the other one 3 tasks: give both the same number of tasks
          workload.applications.jobs=[{application: q, stages: [{name: a, input: 1 GB, between: 1 GB}]}] | stage 'a' hands on 1000000000 bytes, and no stage comes after it: write output in the place of between
          workload.applications.jobs=[{application: q, stages: [{name: a, output: 1 GB}, {name: b, after: a}]}] | stage 'a' writes 1000000000 bytes of output, and other stages come after it
          workload.applications.jobs=[{application: q, stages: [{name: a, cycles: 5}]}] | stage 'a' computes on no bytes: give it input, or remove its cycles
          workload.applications.jobs=[{application: q, stages: [{name: a, task: 5}]}] | workload.applications.jobs[0].stages[0].task: unknown key; did you mean "tasks"?
          workload.applications.jobs=[{application: q, stages: [{tasks: 5}]}] | workload.applications.jobs[0].stages[0]: needs the key name
          workload.applications.jobs=[{application: lsn/teragen, name: g}, {application: q, reads: g, stages: [{name: a, input: 1 GB}]}] | q reads 'g', but its stages say what they read: write after in the place of reads
          workload.applications.jobs=[{application: q, name: g, stages: [{name: a, output: 9 GB}, {name: b, output: 9 GB}]}, {application: lsn/grep, reads: g}] | lsn/grep reads 'g', of which 2 stages write output: let one stage write all of it
          workload.applications={arrival: {poisson: 3 per minute}, jobs: [lsn/grep]} | workload.applications.arrival.poisson: "3 per minute" has the unknown unit
          workload.applications={arrival: soon, jobs: [lsn/grep]} | workload.applications.arrival: "soon" is no arrival
          faults=[{at: 1 s}]                    | faults[0]: give exactly one of node, rack, device, link
          faults=[{at: 1 s, node: node-5}]      | faults[0].node: "node-5" does not exist; known: node-0 to node-4
          faults=[{at: 1 s, device: node-0/7}]  | faults[0].device: "node-0/7" does not exist
          faults=[{at: 1 s, rack: r3}]          | faults[0].rack: "r3" does not exist; racks: r1, r2
          faults=[{at: 9 s, until: 3 s, node: node-0}] | faults[0].until: "3 s" is not after at
          faults=[{at: 9 s, link: r1, slow: 50%}] | faults[0].link: "r1" has no uplink that could be slower: give the rack an uplink
          faults=[{at: 9 s, node: node-0, slow: 0}] | faults[0].slow: "0" is out of range; allowed: share, 0.000001 to 1 or 0.0001% to 100%
          share={gain: 1}                       | share.gain: "1" is out of range; allowed: share, 0 to 0.99 or 0% to 99%
          devices.hdd.curve={1: 2000}           | devices.hdd.curve.1: "2000" is out of range; allowed: share, 0.001 to 1000 or 0.1% to 100000%
          fast-tier={tier: sata-ssd, predictor: oracle} | fast-tier.predictor: popularity predictor "oracle" looks into the future
          a..b=1                                | "a..b" is no path
          seed=-1                               | seed: "-1" is out of range
          """)
  void aWrongValueIsNamedWithItsPathAndWhatIsAllowed(String setting, String message) {
    assertThat(messageOf(GOOD, setting)).startsWith("--set " + setting).contains(message);
  }

  @Test
  void aLinkWhoseNameIsANodesAndARacksIsRefused() {
    String both = GOOD.replace("name: r1", "name: node-3");
    assertThat(messageOf(both, "faults=[{at: 1 s, link: node-3}]"))
        .endsWith(
            "faults[0].link: \"node-3\" is a node and a rack: write node: or rack: instead of"
                + " link:, which means the same");
    assertThat(
            ScenarioFiles.parse(both, "s.yaml")
                .with("faults=[{at: 1 s, node: node-3}, {at: 2 s, rack: node-3}]", "--set")
                .scenario()
                .faults())
        .hasSize(2);
  }

  @Test
  void aValueOfAFileIsNamedWithItsLine() {
    assertThat(messageOf(GOOD.replace("100 MB", "100 MBB")))
        .isEqualTo(
            "s.yaml:6: workload.dfsio.file: \"100 MBB\" has the unknown unit \"MBB\"; allowed: B,"
                + " kB, MB, GB, TB, PB, KiB, MiB, GiB, TiB, PiB");
  }

  @Test
  void aKeyThatIsMissingOrStandsTwiceIsNamed() {
    assertThat(messageOf("workload: {dfsio: {tasks: 1}}"))
        .contains("needs the key cluster: cluster")
        .doesNotContain("[");
    assertThat(messageOf(GOOD + "workload: {dfsio: {tasks: 1}}\n"))
        .isEqualTo("s.yaml:7: the key workload stands twice, first in line 6");
  }

  @Test
  void whatIsNoYamlIsSaidWithItsLine() {
    assertThat(messageOf("cluster: [1, 2\nworkload: {")).startsWith("s.yaml:2: is not YAML");
    assertThat(messageOf("- a\n- b\n")).contains("must be a mapping of keys, is a list");
    assertThat(messageOf("just text")).contains("must be a mapping of keys, is \"just text\"");
    assertThat(messageOf("a: \u0000")).contains("is not YAML");
    assertThat(messageOf("--- {}\n--- {}\n")).contains("a second document begins here");
    assertThat(messageOf("a: *b")).contains("*b stands for nothing");
  }

  @Test
  void aHostileDocumentIsRefusedAtOnce() {
    assertThat(messageOf("a: " + "[".repeat(100_000))).contains("nested deeper than");
    StringBuilder bomb = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 12; i++) {
      String alias = "*a" + (i - 1);
      bomb.append("a%d: &a%d [%s]\n".formatted(i, i, (alias + ", ").repeat(9) + alias));
    }
    assertThat(messageOf(bomb.toString())).contains("counting what aliases stand for");
    assertThat(messageOf("x".repeat(YamlText.CHARACTERS_MAX + 1))).contains("at most");
    assertThat(messageOf("? " + "k".repeat(300) + "\n: 1\n")).contains("a key must be a text");
    assertThat(messageOf(GOOD, "seed=1e999999999")).contains("is no whole number");
    assertThat(messageOf(GOOD, "cluster.latency=1e999 s")).contains("out of range");
  }

  @Test
  void aFileThatIsMissingOrBinaryOrBasedOnItselfIsNamed(@TempDir Path folder) throws Exception {
    assertThatThrownBy(() -> ScenarioFiles.load(folder + "/gone.yaml"))
        .hasMessageContaining("gone.yaml\" does not exist");
    assertThatThrownBy(() -> ScenarioFiles.load("hats-testbd"))
        .hasMessageContaining("did you mean \"hats-testbed\"?");
    assertThatThrownBy(() -> ScenarioFiles.load(folder.toString()))
        .hasMessageContaining("is no file");
    Path binary = Files.write(folder.resolve("b.yaml"), new byte[] {(byte) 0xff, (byte) 0xfe, 3});
    assertThatThrownBy(() -> ScenarioFiles.load(binary.toString()))
        .hasMessageContaining("is no text in UTF-8");
    Path loop = Files.writeString(folder.resolve("l.yaml"), "based-on: l.yaml\n");
    assertThatThrownBy(() -> ScenarioFiles.load(loop.toString()))
        .hasMessageContaining("based on itself");
    Path wrong = Files.writeString(folder.resolve("w.yaml"), "seed: 1\nbased-on: lsn-21\n");
    assertThatThrownBy(() -> ScenarioFiles.load(wrong.toString()))
        .hasMessageContaining("w.yaml:2")
        .hasMessageContaining("did you mean \"lsn-20\"?");
  }

  /** 20 to the power of 7 readings, if each were done. */
  @Test
  void filesThatNameEachOtherOftenAreReadOnce(@TempDir Path folder) throws Exception {
    Files.writeString(folder.resolve("7.yaml"), GOOD);
    for (int i = 6; i >= 0; i--) {
      String bases = String.join(", ", Collections.nCopies(20, (i + 1) + ".yaml"));
      Files.writeString(folder.resolve(i + ".yaml"), "based-on: [" + bases + "]\n");
    }
    assertThat(ScenarioFiles.load(folder.resolve("0.yaml").toString()).scenario().name())
        .isEqualTo("0");
    Path many = folder.resolve("many.yaml");
    Files.writeString(many, "based-on: [" + "7.yaml, ".repeat(65) + "]\n");
    assertThatThrownBy(() -> ScenarioFiles.load(many.toString()))
        .hasMessageContaining("based-on: names 65, at most 64");
  }
}
