package io.tierwise.hadoop.hdfs.namenode;

import java.nio.charset.StandardCharsets;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.XAttrFeature;

/**
 * The value of one extended attribute of an inode. Asked under the FS lock.
 *
 * <p>Hadoop unpacks an inode's attributes anew for each question. The values of some directories
 * are therefore kept, each with the {@link XAttrFeature} that it was read from. A feature never
 * changes: HDFS gives an inode another one with each change of its attributes. So what is kept is
 * never wrong, and nobody has to say that something changed.
 */
final class AttributeValues {
  /** Own: at most so many directories. Two that displace each other still work, only slower. */
  private static final int KEPT_MAX = 256;

  private final String attribute;

  /** Threads may overwrite each other's entries: an entry is immutable and right by itself. */
  private final Entry[] kept = new Entry[KEPT_MAX];

  private record Entry(XAttrFeature feature, String value) {}

  /**
   * @param attribute the name with its namespace prefix
   */
  AttributeValues(String attribute) {
    this.attribute = attribute;
  }

  /** The inode's own value, or null when it has none. */
  String of(INode inode) {
    XAttrFeature feature = inode.getXAttrFeature();
    if (feature == null) {
      return null;
    }
    // Each file has a feature of its own, if any, and is asked for a few times only.
    return inode.isDirectory() ? ofDirectory(feature) : read(feature);
  }

  @SuppressWarnings("ReferenceEquality") // Equal features are compared by unpacking both.
  String ofDirectory(XAttrFeature feature) {
    int slot = System.identityHashCode(feature) & (KEPT_MAX - 1);
    Entry entry = kept[slot];
    if (entry == null || entry.feature != feature) {
      entry = new Entry(feature, read(feature));
      kept[slot] = entry;
    }
    return entry.value;
  }

  private String read(XAttrFeature feature) {
    XAttr found = feature.getXAttr(attribute);
    if (found == null) {
      return null;
    }
    byte[] value = found.getValue();
    return value == null ? "" : new String(value, StandardCharsets.UTF_8);
  }
}
