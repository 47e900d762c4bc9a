package io.tierwise.hadoop.hdfs.namenode;

import java.lang.reflect.Field;
import org.apache.hadoop.hdfs.server.namenode.SerialNumberManager;
import org.apache.hadoop.hdfs.server.namenode.SerialNumberMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether any inode of this NameNode can carry an attribute of that name, known without a lock.
 *
 * <p>A NameNode keeps the names of extended attributes in a table of its own: the first time that
 * one is met (set by a client, read from the image, or from the edits of another NameNode) it gets
 * a number, before the attribute can be seen on any inode. Names never leave the table, so nothing
 * is cached that could become wrong: "none yet" is asked anew each time, "may be" stays. Only
 * values above {@link #VALUE_BYTES_MAX} are kept in another way; such an attribute does not count.
 */
final class AttributeWatch {
  /** From here on a NameNode keeps an attribute outside its table ({@code PACK_THRESHOLD}). */
  static final int VALUE_BYTES_MAX = 1024;

  private static final Logger LOG = LoggerFactory.getLogger(AttributeWatch.class);

  private final String name;
  private final SerialNumberMap<?> table;
  private volatile int looked;
  private volatile boolean seen;

  /**
   * @param name without its namespace prefix
   */
  AttributeWatch(String name) {
    this.name = name;
    table = tableOfNames();
    seen = table == null;
  }

  private static SerialNumberMap<?> tableOfNames() {
    try {
      Field field = SerialNumberManager.class.getDeclaredField("serialMap");
      field.setAccessible(true);
      return (SerialNumberMap<?>) field.get(SerialNumberManager.XATTR);
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.info("Unmanaged files are looked up under the lock, because names of attributes: {}", e);
      return null;
    }
  }

  boolean mayExist() {
    if (seen) {
      return true;
    }
    int size = table.size();
    return size != looked && look(size);
  }

  /** Looks at the names that are new; numbers begin at one and none is left out. */
  private boolean look(int size) {
    try {
      for (int number = looked + 1; number <= size; number++) {
        if (name.equals(table.get(number))) {
          seen = true;
          return true;
        }
      }
    } catch (IllegalStateException e) {
      // A number that is being given out right now.
      return true;
    }
    looked = size;
    return false;
  }
}
