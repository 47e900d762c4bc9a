package io.tierwise.hadoop.inspect.explain;

import io.tierwise.core.message.Table;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.inspect.policy.NotEnforced;
import io.tierwise.hadoop.inspect.policy.PathPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * All that is known of a file's replicas; null where nobody knows.
 *
 * @param beingWritten whether the file is open for writing
 * @param storagePolicy HDFS's own
 * @param placement the policy that the path is under now, and where it stands; null without one
 * @param placedBy who places its blocks now
 * @param placedByReason why that is so
 * @param malformed what is wrong with specifications that stand there and are ignored
 * @param namenodePlugin whether the active NameNode runs the plug-in: runs, missing or unknown
 * @param tierTable whose tier table the tiers and the policy were read with
 * @param policySince when the policy was set; null when that is not known
 * @param replicasOnTier replicas that are where the policy wants one; null without a policy
 * @param replicasOffTier the others; null without a policy
 * @param amountLimits quotas and limits in bytes that may be why replicas are off their tier; asked
 *     only where some are
 * @param access the strategy that a client with this configuration reads by, and where it stands
 * @param moverWouldMove replicas whose storage type the storage policy does not ask for: HDFS's
 *     Mover knows no other policy and would move them
 * @param reader where the reader is taken to be; null for this machine
 */
public record Explanation(
    String path,
    long lengthBytes,
    int replication,
    long blockBytes,
    boolean beingWritten,
    boolean erasureCoded,
    String storagePolicy,
    PathPolicy placement,
    PlacedBy placedBy,
    String placedByReason,
    List<String> malformed,
    String namenodePlugin,
    String tierTable,
    String policySince,
    Integer replicasOnTier,
    Integer replicasOffTier,
    List<NotEnforced.Gap> amountLimits,
    PathPolicy access,
    int moverWouldMove,
    String reader,
    List<Block> blocks) {

  /** The class that places new blocks of a file. */
  public enum PlacedBy {
    POLICY,
    STOCK_HDFS,
    NOT_KNOWN
  }

  /** When a block was allocated, beside the policy that its path is under now. */
  public enum Written {
    BEFORE_THE_POLICY,
    AFTER_THE_POLICY,
    NOT_KNOWN,
    /** The path is under no policy. */
    NO_POLICY
  }

  /** The state that people expect of a replica. */
  public static final String IN_SERVICE = "in service";

  /**
   * One block.
   *
   * @param written beside the policy in force now
   * @param reason why the first replica would be read first
   * @param replicas in the order in which they would be asked
   */
  public record Block(
      long index,
      String name,
      long lengthBytes,
      boolean corrupt,
      boolean beingWritten,
      Written written,
      String reason,
      List<Replica> replicas) {
    /**
     * The state of a replica, as people read it.
     *
     * @param replica null where the block has none
     */
    public String stateText(Replica replica) {
      if (corrupt) {
        return "corrupt";
      }
      if (replica == null) {
        return "missing";
      }
      return beingWritten ? "being written" : replica.state().replace('_', ' ');
    }

    /** When it was allocated, as people read it. */
    public String writtenText() {
      return switch (written) {
        case BEFORE_THE_POLICY -> "before";
        case AFTER_THE_POLICY -> "after";
        case NOT_KNOWN -> "not known";
        case NO_POLICY -> "-";
      };
    }
  }

  /**
   * One replica.
   *
   * @param tier null where no tier matches
   * @param wanted what the policy wants it to be, such as {@code fast} or {@code any in east}; null
   *     where no policy says, and on a node that is decommissioned
   * @param onTier whether it is that; null likewise
   * @param distance hops from the reader: 0 same node, 2 same rack, 4 other rack, 6 other region;
   *     null where the reader's rack is not known
   */
  public record Replica(
      String tier,
      String wanted,
      Boolean onTier,
      String node,
      String address,
      String rack,
      String region,
      String storageType,
      String storageId,
      String state,
      Integer distance) {
    /** The wish, as people read it; marked where the replica does not fulfil it. */
    public String wantedText() {
      if (wanted() == null) {
        return state().startsWith("decommission") ? "leaves" : "not told";
      }
      return Boolean.TRUE.equals(onTier()) ? wanted() : wanted() + " !";
    }

    /** How far the reader is. */
    public String distanceText() {
      if (distance == null) {
        return "not known";
      }
      return switch (distance) {
        case 0 -> "local";
        case 2 -> "rack";
        case 4 -> "remote";
        default -> distance + " hops";
      };
    }
  }

  /** Blocks that are so old, or so new. */
  public long count(Written written) {
    return blocks.stream().filter(block -> block.written() == written).count();
  }

  /** Facts about the file as a whole, a sentence each. */
  public List<String> sentences() {
    List<String> lines = new ArrayList<>();
    String head =
        String.format(
            Locale.ROOT,
            "%s: %s, replication %d, block size %s, storage policy %s%s",
            path(),
            Words.bytes(lengthBytes()),
            replication(),
            Words.bytes(blockBytes()),
            storagePolicy(),
            beingWritten() ? ", being written" : "");
    lines.add(head);
    if (placement() != null) {
      lines.add("policy now: " + placement().specification() + " (" + placement().origin() + ")");
    }
    lines.add(
        path().contains("/.snapshot/")
            ? "in a snapshot: nothing new is written; a lost replica is restored by the policy of"
                + " the file while that lives, under any name, else by stock HDFS"
            : "new blocks placed by: " + placer() + " (" + placedByReason() + ")");
    lines.add("tiers by: " + tierTable());
    if (replicasOnTier() != null) {
      lines.addAll(compliance());
    }
    lines.add("read by: " + access().specification() + " (" + access().origin() + ")");
    lines.add("reader: " + (reader() == null ? "this machine" + placeOfThisMachine() : reader()));
    if (moverWouldMove() > 0 && placement() != null) {
      lines.add(
          "note: HDFS's Mover obeys the storage policy "
              + storagePolicy()
              + " and would move "
              + moverWouldMove()
              + " of these replicas: keep it off this path");
    }
    return lines;
  }

  /** Blocks and replicas, for people. */
  public Table table() {
    return ExplanationTable.of(this);
  }

  private String placeOfThisMachine() {
    boolean known =
        blocks.stream()
            .flatMap(block -> block.replicas().stream())
            .allMatch(replica -> replica.distance() != null);
    return known
        ? ""
        : ", whose rack is not known here: give --reader RACK/HOST, or see"
            + " tierwise.client.location";
  }

  private String placer() {
    return switch (placedBy) {
      case POLICY -> placement().specification();
      case STOCK_HDFS -> "stock HDFS";
      case NOT_KNOWN -> "not known";
    };
  }

  private List<String> compliance() {
    List<String> lines = new ArrayList<>();
    int all = replicasOnTier() + replicasOffTier();
    String marked = replicasOffTier() > 0 ? "; the others are marked with !" : "";
    lines.add("replicas where the policy wants them: " + replicasOnTier() + " of " + all + marked);
    for (NotEnforced.Gap limit : amountLimits()) {
      lines.add("may be why some are elsewhere: " + limit.text());
    }
    if (policySince() == null) {
      lines.add(
          "written before the policy: not known (nobody kept when the policy came into force)");
      return lines;
    }
    long unknown = count(Written.NOT_KNOWN);
    lines.add(
        "written before the policy: "
            + count(Written.BEFORE_THE_POLICY)
            + " of "
            + blocks().size()
            + " blocks"
            + (unknown > 0 ? ", not known of " + unknown : "")
            + " (set "
            + policySince()
            + ")");
    return lines;
  }
}
