package io.tierwise.hadoop.hdfs.secondary;

import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.security.UserGroupInformation;

/** The stores of a configuration. A copy is looked for in no other place. */
public final class SecondaryStores implements Closeable {
  private final List<SecondaryStore> stores;

  private SecondaryStores(List<SecondaryStore> stores) {
    this.stores = List.copyOf(stores);
  }

  /**
   * The stores that the configuration names, as this user reaches them; nothing is contacted.
   *
   * @throws IllegalArgumentException one line that names the key and the bad value
   */
  public static SecondaryStores of(Configuration conf) throws IOException {
    List<SecondaryStore> stores = new ArrayList<>();
    UserGroupInformation user = UserGroupInformation.getCurrentUser();
    for (String text : conf.getTrimmedStrings(SecondaryKeys.STORES)) {
      stores.add(new SecondaryStore(uri(text), conf, user));
    }
    return new SecondaryStores(stores);
  }

  private static URI uri(String text) {
    requireNoPassword(text);
    URI uri;
    try {
      uri = URI.create(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          SecondaryKeys.STORES + " names \"" + text + "\", which is no URI", e);
    }
    if (uri.getScheme() == null || uri.getPath() == null || uri.getPath().length() < 2) {
      throw new IllegalArgumentException(
          SecondaryKeys.STORES
              + " names \""
              + text
              + "\": give a directory with its file system, for example"
              + " hdfs://archive:8020/tierwise or file:///mnt/nas/tierwise");
    }
    return uri;
  }

  /**
   * In the text itself: of keys with a slash, and of some buckets, an URI tells no user. Of some
   * file systems the part before @ is a container: those have no password there.
   */
  private static void requireNoPassword(String text) {
    int user = text.indexOf("://") + "://".length();
    int at = text.lastIndexOf('@');
    String before = user >= "://".length() && at > user ? text.substring(user, at) : "";
    boolean isHostAndPort = before.matches("[^/:]*:\\d+/.*");
    if (before.matches(".*(:|%3[Aa]).*") && !isHostAndPort) {
      throw new IllegalArgumentException(
          SecondaryKeys.STORES
              + " names a store of "
              + text.substring(at + 1)
              + " with a password, which messages would show: take it out, and give keys by"
              + " hadoop.security.credential.provider.path");
    }
  }

  /** All of them; new copies go to the first. */
  public List<SecondaryStore> all() {
    return stores;
  }

  /**
   * A copy that was found.
   *
   * @param checked its description
   */
  public record Found(StoredCopy copy, CopyDescription.Checked checked) {}

  /**
   * Looks for the copy of a placeholder.
   *
   * @throws IOException one line: no store has it, a store cannot be read, or more than one may
   *     have it
   */
  public Found find(SoughtCopy sought) throws IOException {
    return new CopySearch(sought).in(stores);
  }

  /** Opens the copy of a placeholder. */
  public FSDataInputStream open(SoughtCopy sought) throws IOException {
    Found found = find(sought);
    try {
      return found.copy().open(found.checked(), sought.path());
    } catch (IOException e) {
      throw unreadable(sought.path(), found.copy().store(), e);
    }
  }

  /** The error of a store that does not answer as it should. */
  static IOException unreadable(String path, SecondaryStore store, IOException cause) {
    return new IOException(
        path
            + " is in the secondary store "
            + store
            + ", which cannot be read ("
            + cause.getClass().getSimpleName()
            + ": "
            + cause.getMessage()
            + "): see whether the store is up, mounted, and named rightly in "
            + SecondaryKeys.STORES,
        cause);
  }

  @Override
  public void close() throws IOException {
    for (SecondaryStore store : stores) {
      store.close();
    }
  }
}
