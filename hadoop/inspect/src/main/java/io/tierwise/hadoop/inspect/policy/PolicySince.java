package io.tierwise.hadoop.inspect.policy;

import io.tierwise.hadoop.hdfs.namenode.PluginStatus;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;

/**
 * When a policy was put on a path, so that it can be told later which blocks are older.
 *
 * <p>HDFS keeps no time of an attribute, and a file's time says nothing of its blocks. Block ids
 * only grow, in the edit log and hence in every NameNode: a block whose id is not above the one
 * that was given out last when the policy was set is older than the policy. Stands in an attribute
 * beside the policy's own and names the policy it belongs to; one that belongs to another policy,
 * or comes from another cluster, says nothing.
 *
 * @param time the NameNode's clock when the policy was set; for people
 * @param lastBlockId the last block id that had been given out
 * @param blockPool whose ids they are
 * @param specification checksum of the policy's text
 */
public record PolicySince(Instant time, long lastBlockId, String blockPool, String specification) {
  /** Attribute that holds it. */
  public static final String ATTRIBUTE = PathPolicy.PLACEMENT_ATTRIBUTE + ".since";

  private static final Pattern TEXT =
      Pattern.compile("(\\S+) last-block=(-?\\d{1,19}) pool=(\\S+) policy=([0-9a-f]{1,8})");

  /** The moment at which the NameNode answered. */
  public static PolicySince of(PluginStatus status, String specification) {
    return new PolicySince(
        Instant.ofEpochMilli(status.timeMillis()).truncatedTo(ChronoUnit.MILLIS),
        status.lastBlockId(),
        status.blockPool(),
        checksum(specification));
  }

  /** Reads an attribute's value; empty when it is malformed or belongs to another policy. */
  public static Optional<PolicySince> parse(byte[] value, String specification) {
    Matcher matcher = TEXT.matcher(new String(value, StandardCharsets.UTF_8));
    if (!matcher.matches() || !matcher.group(4).equals(checksum(specification))) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new PolicySince(
              Instant.parse(matcher.group(1)),
              Long.parseLong(matcher.group(2)),
              matcher.group(3),
              matcher.group(4)));
    } catch (DateTimeParseException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  public byte[] value() {
    String text =
        time + " last-block=" + lastBlockId + " pool=" + blockPool + " policy=" + specification;
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Whether the block was allocated before the policy was set; empty for another cluster's. */
  public Optional<Boolean> isOlder(ExtendedBlock block) {
    return block.getBlockPoolId().equals(blockPool)
        ? Optional.of(block.getBlockId() <= lastBlockId)
        : Optional.empty();
  }

  private static String checksum(String specification) {
    CRC32 crc = new CRC32();
    crc.update(specification.getBytes(StandardCharsets.UTF_8));
    return Long.toHexString(crc.getValue());
  }
}
