package io.tierwise.benchmarks.simulator;

import io.tierwise.benchmarks.FigureRanges;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Prints tables of how fast the simulator is beside others, and as its last line one JSON object.
 *
 * <p>All rates are per second of processor time of the thread or process that simulates; reading
 * input and compiling bytecode are left out for us, reading input for the others. Medians, from
 * slowest to fastest in brackets.
 */
public final class SimulatorBench {
  private static final String HOLD_ON_SIMPY = "benchmarks/simulator/simpy/hold.py";

  private SimulatorBench() {}

  /**
   * Exit code 1 when a figure is out of its range.
   *
   * @param args the file with the ranges; then, for peers that are installed, {@code simgrid=} and
   *     the program built for it, {@code simpy=} and the Python that has it, {@code cloudsimplus=}
   *     and the class path of the program compiled for it; {@code trace=} and the trace FB-2010
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    FigureRanges ranges = FigureRanges.read(Path.of(args[0]));
    Optional<SimGrid> simGrid = peer(args, "simgrid=").map(SimGrid::new);
    Optional<PeerProgram> simPy =
        peer(args, "simpy=").map(python -> new PeerProgram(python, HOLD_ON_SIMPY));
    Optional<PeerProgram> cloudSimPlus = peer(args, "cloudsimplus=").map(SimulatorBench::javaPeer);
    Figures figures = new Figures();
    Optional<String> trace = peer(args, "trace=");
    for (Section section :
        List.of(
            new EventSection(simPy, cloudSimPlus),
            new FlowSection(simGrid),
            new DecisionSection(),
            new BacklogSection(),
            new FacebookSection(trace))) {
      section.measure(figures);
    }
    List<String> misses = ranges.misses(figures.measured());
    misses.forEach(System.out::println);
    System.out.println(figures.json());
    System.exit(misses.isEmpty() ? 0 : 1);
  }

  private static PeerProgram javaPeer(String classPath) {
    String java = System.getProperty("java.home") + "/bin/java";
    return new PeerProgram(java, "-Xmx2g", "-XX:+UseSerialGC", "-cp", classPath, "Hold");
  }

  private static Optional<String> peer(String[] args, String key) {
    return Arrays.stream(args)
        .filter(arg -> arg.startsWith(key))
        .map(arg -> arg.substring(key.length()))
        .findFirst();
  }
}
