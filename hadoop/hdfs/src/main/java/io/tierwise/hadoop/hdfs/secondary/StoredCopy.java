package io.tierwise.hadoop.hdfs.secondary;

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.AccessControlException;

/**
 * The copy of one file in a store: its bytes as a plain file, and a description beside it.
 *
 * @param data the file with the bytes
 */
public record StoredCopy(SecondaryStore store, Path data) {
  /** The file with the description. */
  public Path meta() {
    return data.suffix(".meta");
  }

  /**
   * Where bytes and description are written before they count.
   *
   * @param attempt its mark, so that two at once do not write one file
   */
  public StoredCopy part(String attempt) {
    return new StoredCopy(store, data.suffix("." + attempt + ".part"));
  }

  /**
   * The name of an older copy, whose own name a new one has taken.
   *
   * @param attempt that took the name
   */
  public StoredCopy older(String attempt) {
    return new StoredCopy(store, data.suffix("." + attempt + ".older"));
  }

  /** The inode id that is its name; parts and older copies have none of their own. */
  public long fileId() {
    return Long.parseLong(data.getName());
  }

  /**
   * Reads the description.
   *
   * @throws FileNotFoundException when there is none
   * @throws IOException when it cannot be read, or is not whole
   */
  public CopyDescription.Checked describe() throws IOException {
    return CopyDescription.parse(readMeta());
  }

  /** Reads the file with the description, and does not look what is in it. */
  public byte[] readMeta() throws IOException {
    FileSystem fs = store.fs();
    FileStatus status = fs.getFileStatus(meta());
    if (status.getLen() > Integer.MAX_VALUE - 8) {
      throw new IOException("its description is damaged");
    }
    byte[] file = new byte[(int) status.getLen()];
    try (FSDataInputStream in = fs.open(meta())) {
      in.readFully(0, file);
    } catch (FileNotFoundException e) {
      if (fs.exists(meta())) {
        // Local file systems say so, too, of a file that this user may not read.
        throw new AccessControlException(meta() + " may not be read by this user");
      }
      throw e;
    }
    return file;
  }

  /** Opens the copy; what is read is checked against the description first. */
  public FSDataInputStream open(CopyDescription.Checked checked, String ofPath) throws IOException {
    return new FSDataInputStream(
        new VerifiedInputStream(store.fs().open(data), this, checked, ofPath));
  }
}
