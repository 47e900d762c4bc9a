package io.tierwise.lab.demo;

import java.io.IOException;
import java.util.Locale;
import java.util.SplittableRandom;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * The files of the movement demo, whose bytes follow from their place.
 *
 * @param directory above them
 * @param files how many
 */
record MovementData(String directory, int files) {
  static final int BLOCK_BYTES = 1 << 20;
  static final int BLOCKS_PER_FILE = 4;
  static final short REPLICAS = 3;

  String path(int file) {
    return String.format(Locale.ROOT, "%s/part-%03d", directory, file);
  }

  int blocks() {
    return files * BLOCKS_PER_FILE;
  }

  static byte[] block(int file, int index) {
    byte[] bytes = new byte[BLOCK_BYTES];
    new SplittableRandom(31L * file + index).nextBytes(bytes);
    return bytes;
  }

  void write(FileSystem fs) throws IOException {
    for (int file = 0; file < files; file++) {
      try (FSDataOutputStream out =
          fs.create(new Path(path(file)), true, 4096, REPLICAS, BLOCK_BYTES)) {
        for (int index = 0; index < BLOCKS_PER_FILE; index++) {
          out.write(block(file, index));
        }
      }
    }
  }
}
