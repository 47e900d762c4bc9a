package io.tierwise.hadoop.secondary;

import java.io.IOException;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DFSOutputStream;

/**
 * Tells which inode a stream writes: by the time that it is asked for, its path may be another's.
 */
final class CreatedFile {
  private CreatedFile() {}

  /** The id that the NameNode gave in its answer to the call that made the file. */
  static long id(FSDataOutputStream out) throws IOException {
    if (out.getWrappedStream() instanceof DFSOutputStream made) {
      return made.getFileId();
    }
    throw new IOException("HDFS encrypts what is written here, and its copy is in clear");
  }
}
