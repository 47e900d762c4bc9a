package io.tierwise.simulator.scenario;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The jobs that arrive. */
public sealed interface WorkloadSpec {
  /** The applications of its jobs; empty where nobody knows before they arrive. */
  Optional<List<String>> applicationNames();

  /**
   * TestDFSIO: {@code taskCount} tasks at once, each writing, then (in a second job) reading one
   * file.
   *
   * @param localityShare share of the reading tasks that run where their file's first block is, the
   *     others in a rack that holds it; 0: anywhere, as TestDFSIO itself places them
   */
  record Dfsio(int taskCount, long fileBytes, boolean write, boolean read, double localityShare)
      implements WorkloadSpec {
    /** Name of the job that writes. */
    public static final String WRITE_JOB = "dfsio-write";

    /** Name of the job that reads. */
    public static final String READ_JOB = "dfsio-read";

    /** The application of both. */
    public static final String APPLICATION = "dfsio";

    /** TestDFSIO whose tasks run anywhere. */
    public Dfsio(int taskCount, long fileBytes, boolean write, boolean read) {
      this(taskCount, fileBytes, write, read, 0);
    }

    @Override
    public Optional<List<String>> applicationNames() {
      return Optional.of(List.of(APPLICATION));
    }
  }

  /**
   * A trace.
   *
   * @param format one of {@code swim}, {@code rumen}, {@code jhist}, {@code spark}, {@code jobs}
   * @param jobCountMax 0: all
   * @param timeScale submit times are multiplied by it
   * @param sizeScale bytes are multiplied by it
   * @param shuffleScale bytes that stages hand on are multiplied by it, too
   * @param outputScale bytes of output are multiplied by it, too
   * @param skipBadRows whether a bad row is skipped and counted instead of ending the run
   */
  record Trace(
      String format,
      Path file,
      int jobCountMax,
      double timeScale,
      double sizeScale,
      double shuffleScale,
      double outputScale,
      boolean skipBadRows)
      implements WorkloadSpec {
    /** Formats that do not say which application a job is of. */
    private static final Set<String> NAMELESS = Set.of("swim", "jobs");

    /** A trace whose bytes all have one factor. */
    public Trace(
        String format,
        Path file,
        int jobCountMax,
        double timeScale,
        double sizeScale,
        boolean skipBadRows) {
      this(format, file, jobCountMax, timeScale, sizeScale, 1, 1, skipBadRows);
    }

    /** The same in another place. */
    public Trace withFile(Path other) {
      return new Trace(
          format, other, jobCountMax, timeScale, sizeScale, shuffleScale, outputScale, skipBadRows);
    }

    @Override
    public Optional<List<String>> applicationNames() {
      return NAMELESS.contains(format) ? Optional.of(List.of()) : Optional.empty();
    }
  }

  /** Jobs of known applications. */
  record Applications(Arrival arrival, List<Share> shares) implements WorkloadSpec {
    public Applications {
      shares = List.copyOf(shares);
    }

    @Override
    public Optional<List<String>> applicationNames() {
      return Optional.of(shares.stream().map(Share::application).distinct().toList());
    }

    /**
     * {@code count} jobs of one application.
     *
     * @param application its name in {@code applications.yaml}, or, with stages, any other
     * @param sizeScale bytes and task counts are multiplied by it
     * @param phases of their tasks, in the place of the application's own plan
     * @param memory that their tasks hold
     * @param temporaryDevice class of the devices that their tasks spill to; empty: any
     * @param edges to jobs that have to be over before
     * @param stages of an application that the scenario describes; empty for one of the table
     */
    public record Share(
        String application,
        int count,
        double sizeScale,
        PhasePlan phases,
        TaskMemory memory,
        String temporaryDevice,
        Edges edges,
        List<StageSpec> stages) {
      public Share {
        stages = List.copyOf(stages);
      }

      /** Jobs of an application of the table. */
      public Share(
          String application,
          int count,
          double sizeScale,
          PhasePlan phases,
          TaskMemory memory,
          String temporaryDevice,
          Edges edges) {
        this(application, count, sizeScale, phases, memory, temporaryDevice, edges, List.of());
      }

      /** Jobs whose tasks have the application's own phases, and no memory that is counted. */
      public Share(String application, int count, double sizeScale) {
        this(application, count, sizeScale, PhasePlan.MODEL, TaskMemory.NONE, "", Edges.NONE);
      }
    }

    /**
     * How jobs hang together.
     *
     * @param name by which others name them; empty: nobody does
     * @param after names of jobs that are all over before these arrive
     * @param reads name of the job whose output is their input, after which they come, too; empty:
     *     they have an input of their own
     */
    public record Edges(String name, List<String> after, String reads) {
      /** Jobs that wait for no others. */
      public static final Edges NONE = new Edges("", List.of(), "");

      public Edges {
        after = List.copyOf(after);
      }

      /** Whether they wait for others. */
      public boolean areAny() {
        return !after.isEmpty() || !reads.isEmpty();
      }
    }
  }

  /** When jobs arrive. */
  sealed interface Arrival {
    /** All at once. */
    record Together() implements Arrival {}

    /** In the order given, each when the one before is over: closed loop with one customer. */
    record OneAfterAnother() implements Arrival {}

    /** At random, independently, {@code jobsPerSecond} on average; in random order. */
    record Poisson(double jobsPerSecond) implements Arrival {}

    /** {@code clients} jobs at a time; a new one {@code thinkSeconds} after one is over. */
    record ClosedLoop(int clients, double thinkSeconds) implements Arrival {}
  }
}
