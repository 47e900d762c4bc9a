package io.tierwise.hadoop.hdfs.namenode;

import io.tierwise.policies.movement.RepairBacklog.Outcome;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The calls between a mover and the monitor in a NameNode, by Hadoop's generic refresh call with
 * {@link PluginStatus#IDENTIFIER}. HDFS's superuser alone gets an answer.
 */
public final class RepairCalls {
  /**
   * The argument that asks for blocks to repair. Behind it stand how many at most, for how many
   * seconds nobody else gets them, the mover's {@link State}, the bytes a second that it may use of
   * a node and in all, and the nodes that it yielded at.
   */
  public static final String ASK = "monitor-ask";

  /** The argument that tells results; behind it one {@link Result} each. */
  public static final String TELL = "monitor-tell";

  /** The argument that has the monitor walk at once. */
  public static final String WALK = "monitor-walk";

  /** The argument that asks for a {@link MonitorReport}. */
  public static final String STATUS = "monitor-status";

  private static final String SEPARATOR = " ";

  private RepairCalls() {}

  /** The state of a mover. */
  public enum State {
    /**
     * In an answer: no mover has asked for a long time. In a question: the caller is no mover, and
     * only looks.
     */
    ABSENT,
    /** It has nothing to do. */
    IDLE,
    MOVING,
    /** Another mover, such as a {@code file move}, has the cluster's one lock. */
    LOCKED_OUT;

    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * A block to repair.
   *
   * @param wanted to be told back with the result
   * @param policy the specification that its file is under
   * @param path for people
   */
  public record Work(
      long blockId,
      long fileId,
      int blockIndex,
      int wanted,
      String urgency,
      String policy,
      String path) {
    String format() {
      return String.join(
          SEPARATOR,
          Long.toString(blockId),
          Long.toString(fileId),
          Integer.toString(blockIndex),
          Integer.toString(wanted),
          urgency,
          URLEncoder.encode(policy, StandardCharsets.UTF_8),
          URLEncoder.encode(path, StandardCharsets.UTF_8));
    }

    static Work parse(String line) {
      String[] parts = line.split(SEPARATOR, -1);
      return new Work(
          Long.parseLong(parts[0]),
          Long.parseLong(parts[1]),
          Integer.parseInt(parts[2]),
          Integer.parseInt(parts[3]),
          parts[4],
          URLDecoder.decode(parts[5], StandardCharsets.UTF_8),
          URLDecoder.decode(parts[6], StandardCharsets.UTF_8));
    }
  }

  /** Replicas that were moved, and their bytes. */
  public record Moved(long replicas, long bytes) {
    public static final Moved NONE = new Moved(0, 0);

    public Moved plus(long more) {
      return new Moved(replicas + 1, bytes + more);
    }
  }

  /**
   * The outcome for a block.
   *
   * @param wanted as the block was given out with
   * @param up moved to faster tiers
   * @param down moved to slower tiers
   * @param reason a word; {@code none} unless it failed
   */
  public record Result(
      long blockId, int wanted, Outcome outcome, Moved up, Moved down, String reason) {
    public String format() {
      return String.join(
          SEPARATOR,
          Long.toString(blockId),
          Integer.toString(wanted),
          outcome.name(),
          Long.toString(up.replicas()),
          Long.toString(up.bytes()),
          Long.toString(down.replicas()),
          Long.toString(down.bytes()),
          reason);
    }

    static Result parse(String line) {
      String[] parts = line.split(SEPARATOR, -1);
      return new Result(
          Long.parseLong(parts[0]),
          Integer.parseInt(parts[1]),
          Outcome.valueOf(parts[2]),
          new Moved(Long.parseLong(parts[3]), Long.parseLong(parts[4])),
          new Moved(Long.parseLong(parts[5]), Long.parseLong(parts[6])),
          parts[7]);
    }
  }

  /**
   * A mover's question.
   *
   * @param leaseSeconds for which nobody else gets the blocks
   * @param yieldingNodes that served much else while moves waited at them, in the last batch
   */
  public record Question(
      int blocksMax,
      int leaseSeconds,
      State state,
      long nodeBytesPerSecond,
      long allBytesPerSecond,
      int yieldingNodes) {
    public String[] format() {
      return new String[] {
        ASK,
        Integer.toString(blocksMax),
        Integer.toString(leaseSeconds),
        state.name(),
        Long.toString(nodeBytesPerSecond),
        Long.toString(allBytesPerSecond),
        Integer.toString(yieldingNodes)
      };
    }

    static Question parse(String[] arguments) {
      return new Question(
          Integer.parseInt(arguments[1]),
          Integer.parseInt(arguments[2]),
          State.valueOf(arguments[3]),
          Long.parseLong(arguments[4]),
          Long.parseLong(arguments[5]),
          // A mover of an earlier version does not tell.
          arguments.length > 6 ? Integer.parseInt(arguments[6]) : 0);
    }
  }

  static String format(List<Work> blocks) {
    return blocks.stream().map(Work::format).collect(Collectors.joining("\n"));
  }

  /**
   * Reads an answer to {@link #ASK}.
   *
   * @throws RuntimeException when it is something else
   */
  public static List<Work> parse(String answer) {
    return answer.lines().map(Work::parse).toList();
  }
}
