package io.tierwise.hadoop.autotier.jobs;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.io.Text;

/**
 * The files in a job's list of splits, {@code job.split}, which its client writes beside {@code
 * job.xml} before it submits the job. Anybody may have written it: nothing in it is run, no class
 * that it names is loaded, and all lengths are bounded.
 *
 * <p>Source: Apache Hadoop 3.5.0, {@code JobSplitWriter} and {@code FileSplit.write}: a header,
 * then for each split the name of its class, a path, an offset and a length.
 */
final class StagedSplits {
  /** Own: a hundred thousand maps. */
  static final int BYTES_MAX = 16 << 20;

  /** Own: what is asked of the NameNode for one job. */
  static final int FILES_MAX = 10_000;

  private static final int NAME_BYTES_MAX = 300;

  /** As long as HDFS allows a path to be, and what comes before it in a URI. */
  private static final int PATH_BYTES_MAX = 9_000;

  private static final Set<String> OF_FILES =
      Set.of(
          "org.apache.hadoop.mapreduce.lib.input.FileSplit", "org.apache.hadoop.mapred.FileSplit");

  private static final byte[] HEADER = {'S', 'P', 'L'};

  private StagedSplits() {}

  /** The list says nothing of use. */
  static final class Unusable extends Exception {
    private static final long serialVersionUID = 1L;

    Unusable(String message) {
      super(message);
    }
  }

  /** The paths, each once. */
  static List<String> files(byte[] list) throws Unusable {
    Set<String> paths = new LinkedHashSet<>();
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(list))) {
      if (!Arrays.equals(in.readNBytes(HEADER.length), HEADER) || in.readInt() != 1) {
        throw new Unusable("its list of splits is none");
      }
      while (in.available() > 0) {
        String kind = Text.readString(in, NAME_BYTES_MAX);
        if (!OF_FILES.contains(kind)) {
          throw new Unusable("its splits are no plain parts of files");
        }
        paths.add(Text.readString(in, PATH_BYTES_MAX));
        in.readLong();
        in.readLong();
        if (paths.size() > FILES_MAX) {
          throw new Unusable("it reads more than " + FILES_MAX + " files");
        }
      }
    } catch (IOException | RuntimeException e) {
      throw new Unusable("its list of splits is damaged");
    }
    return new ArrayList<>(paths);
  }
}
