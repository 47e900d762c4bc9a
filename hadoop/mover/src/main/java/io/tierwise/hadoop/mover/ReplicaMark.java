package io.tierwise.hadoop.mover;

import io.tierwise.hadoop.inspect.policy.PathPolicy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * The mark on a file that the daemon of {@code autotier} changed: every daemon of the cluster then
 * knows whose number of replicas it has, and since when, whatever journal it has.
 *
 * <p>It is written before the number changes. Ended in between, it names both numbers.
 *
 * @param fileId of the file: one that was copied with its attributes has another
 * @param before the number that it had; 0 when that was somebody's choice
 * @param after the number that it gets; 0 when that is somebody's choice again
 * @param millis when, since 1970
 * @param takenBack whether an undo did it, which daemons heed for a while
 */
public record ReplicaMark(long fileId, int before, int after, long millis, boolean takenBack) {
  /** Name of the attribute. */
  public static final String ATTRIBUTE = PathPolicy.ATTRIBUTE_PREFIX + "autotier";

  /** How the journal calls runs of the daemon. */
  public static final String COMMAND = "autotier run";

  private static final Pattern TEXT =
      Pattern.compile("1 ([0-9]{1,19}) ([0-9]{1,5}) ([0-9]{1,5}) ([0-9]{1,15})( undone)?");

  /** The mark among the attributes of a file; empty when there is none that this version reads. */
  public static Optional<ReplicaMark> of(long fileId, Map<String, byte[]> attributes) {
    byte[] value = attributes.get(ATTRIBUTE);
    if (value == null) {
      return Optional.empty();
    }
    Matcher text = TEXT.matcher(new String(value, StandardCharsets.UTF_8));
    if (!text.matches() || !text.group(1).equals(String.valueOf(fileId))) {
      return Optional.empty();
    }
    return Optional.of(
        new ReplicaMark(
            fileId,
            Integer.parseInt(text.group(2)),
            Integer.parseInt(text.group(3)),
            Long.parseLong(text.group(4)),
            text.group(5) != null));
  }

  /** Leaves it on the file, whatever name that has by now. */
  public void write(DistributedFileSystem fs) throws IOException {
    fs.getClient()
        .setXAttr(
            InodePath.of(fileId),
            ATTRIBUTE,
            text().getBytes(StandardCharsets.UTF_8),
            EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
  }

  private String text() {
    return "1 " + fileId + " " + before + " " + after + " " + millis + (takenBack ? " undone" : "");
  }

  /** Whether the daemon gave the file that number. */
  public boolean owns(int replicas) {
    return replicas == before || replicas == after;
  }

  /** When, in seconds since 1970. */
  public double seconds() {
    return millis / 1e3;
  }
}
