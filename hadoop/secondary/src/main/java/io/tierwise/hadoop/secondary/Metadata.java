package io.tierwise.hadoop.secondary;

import io.tierwise.hadoop.hdfs.secondary.SecondaryKeys;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.security.AccessControlException;

/**
 * A file's metadata at one moment. A move reads it at its beginning and right before the step that
 * replaces the file, so that nothing that somebody changes meanwhile is lost.
 */
final class Metadata {
  private final HdfsFileStatus status;
  private final Map<String, byte[]> attributes;

  private Metadata(HdfsFileStatus status, Map<String, byte[]> attributes) {
    this.status = status;
    this.attributes = attributes;
  }

  /**
   * Reads it.
   *
   * @throws IOException when the file is no more, or something else has its place
   */
  static Metadata now(DistributedFileSystem fs, long fileId) throws IOException {
    String path = PrimaryFile.byId(fileId);
    try {
      HdfsFileStatus status = fs.getClient().getFileInfo(path);
      if (status == null || status.getFileId() != fileId) {
        throw gone(null);
      }
      return new Metadata(status, attributesAt(fs, path));
    } catch (FileNotFoundException e) {
      throw gone(e);
    }
  }

  private static Map<String, byte[]> attributesAt(DistributedFileSystem fs, String path)
      throws IOException {
    try {
      return attributes(fs.getXAttrs(new Path(path)));
    } catch (AccessControlException e) {
      // A placeholder, on which only the superuser can set attributes.
      return Map.of();
    }
  }

  static IOException gone(IOException cause) {
    return new IOException("it was deleted or replaced while it was copied", cause);
  }

  /** Those that a file comes back with; the superuser sees trusted ones, too. */
  private static Map<String, byte[]> attributes(Map<String, byte[]> all) {
    Map<String, byte[]> kept = new HashMap<>();
    all.forEach(
        (name, value) -> {
          boolean known =
              name.startsWith("user.")
                  || name.startsWith("trusted.")
                  || name.startsWith("security.");
          if (known && !name.equals(SecondaryKeys.COPY_ATTRIBUTE)) {
            kept.put(name, value == null ? new byte[0] : value);
          }
        });
    return kept;
  }

  HdfsFileStatus status() {
    return status;
  }

  Map<String, byte[]> attributes() {
    return attributes;
  }

  /** The attributes that HDFS shows to its superuser alone. */
  Map<String, byte[]> secret() {
    Map<String, byte[]> secret = new HashMap<>(attributes);
    secret.keySet().removeIf(name -> !isSecret(name));
    return secret;
  }

  /**
   * The attributes for a description in a store, which all read who read the file: secret ones
   * without their values, so that nobody takes a file back who cannot give it those.
   */
  Map<String, byte[]> told() {
    Map<String, byte[]> told = new HashMap<>(attributes);
    told.replaceAll((name, value) -> isSecret(name) ? new byte[0] : value);
    return told;
  }

  static boolean isSecret(String name) {
    return name.startsWith("trusted.");
  }

  /**
   * Refuses when anything was changed since. The time of the last read is not compared: a copy
   * reads the file itself.
   *
   * @throws IOException one line that says what
   */
  void requireStill(Metadata now) throws IOException {
    if (now.status.getLen() != status.getLen()
        || now.status.getModificationTime() != status.getModificationTime()) {
      throw new IOException("it was changed while it was copied: run again");
    }
    List<String> changed = changedTo(now);
    if (!changed.isEmpty()) {
      throw new IOException(
          "somebody changed its "
              + String.join(", ", changed)
              + " while it was copied, which would be lost: run again");
    }
  }

  private List<String> changedTo(Metadata now) {
    List<String> changed = new ArrayList<>();
    note(changed, "owner", status.getOwner(), now.status.getOwner());
    note(changed, "group", status.getGroup(), now.status.getGroup());
    note(changed, "rights", status.getPermission(), now.status.getPermission());
    note(changed, "access control list", status.hasAcl(), now.status.hasAcl());
    note(changed, "replication", status.getReplication(), now.status.getReplication());
    note(changed, "storage policy", status.getStoragePolicy(), now.status.getStoragePolicy());
    boolean same = attributes.keySet().equals(now.attributes.keySet());
    for (Map.Entry<String, byte[]> one : attributes.entrySet()) {
      same = same && Arrays.equals(one.getValue(), now.attributes.get(one.getKey()));
    }
    note(changed, "attributes", true, same);
    return changed;
  }

  private static void note(List<String> changed, String what, Object before, Object now) {
    if (!Objects.equals(before, now)) {
      changed.add(what);
    }
  }
}
