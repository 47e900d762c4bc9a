package io.tierwise.hadoop.autotier;

import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.autotier.jobs.JobList;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.AccessControlException;

/**
 * Tells NodeManagers on which tier an application's intermediate data goes: a file of the
 * application's id with the tier's name, in a directory of HDFS that all may read and only the
 * daemon may write. An attribute of the file tells later daemons how many bytes were promised.
 */
final class IntermediateTiers {
  private static final FsPermission DIRECTORY = new FsPermission((short) 0755);
  private static final FsPermission FILE = new FsPermission((short) 0644);

  /** The end of a name that no NodeManager asks for. */
  private static final String COMING = ".coming";

  private static final String BYTES_ATTRIBUTE = "user.tierwise.intermediate.bytes";

  /** Fits a {@code long}. */
  private static final Pattern BYTES = Pattern.compile("[0-9]{1,18}");

  /** Own: no tier has a longer name. */
  private static final int NAME_BYTES_MAX = 100;

  private final DistributedFileSystem fs;
  private final Path directory;

  /**
   * What was told of an application.
   *
   * @param bytes that were predicted
   */
  record Told(String tier, long bytes) {}

  IntermediateTiers(DistributedFileSystem fs, Configuration conf) {
    this.fs = fs;
    directory = new Path(Control.directory(conf), "intermediate");
  }

  /**
   * Tells, whole or not at all.
   *
   * @param bytes that were predicted
   */
  void tell(String application, String tier, long bytes) throws IOException {
    try {
      fs.mkdirs(directory);
      fs.setPermission(directory, DIRECTORY);
      // NodeManagers ask for ids of applications alone, so that nobody reads half of a file.
      Path coming = new Path(directory, application + COMING);
      try (OutputStream out = fs.create(coming, true)) {
        out.write(tier.getBytes(StandardCharsets.UTF_8));
      }
      fs.setPermission(coming, FILE);
      fs.setXAttr(coming, BYTES_ATTRIBUTE, Long.toString(bytes).getBytes(StandardCharsets.UTF_8));
      fs.rename(coming, new Path(directory, application), Options.Rename.OVERWRITE);
    } catch (AccessControlException e) {
      throw OperatorException.cluster(
          "no permission to write " + directory + ": NodeManagers are told nothing", e);
    }
  }

  /**
   * A line when directories above keep others out: NodeManagers run as a user of their own, and
   * nobody knows here as which. Empty when all may pass.
   */
  Optional<String> closed() throws IOException {
    for (Path each = directory; each != null; each = each.getParent()) {
      FileStatus status = fs.getFileStatus(each);
      FsPermission rights = status.getPermission();
      if (!rights.getOtherAction().implies(FsAction.EXECUTE)) {
        boolean ofGroup = rights.getGroupAction().implies(FsAction.EXECUTE);
        return Optional.of(
            "NodeManagers hear of no tier for intermediate data unless they run as "
                + status.getOwner()
                + (ofGroup ? " or in the group " + status.getGroup() : "")
                + (status.hasAcl() ? " or by an ACL" : "")
                + ": others may not pass "
                + Words.plain(each.toUri().getPath())
                + " ("
                + rights
                + "); hdfs dfs -chmod o+x it, or name another directory by "
                + Control.DIRECTORY_KEY);
      }
    }
    return Optional.empty();
  }

  /**
   * What this daemon or an earlier one told, by application. A file that is damaged, or that nobody
   * can read, stands for a promise of no bytes: the others count all the same.
   *
   * @param problems is told one line for each such file
   */
  Map<String, Told> told(Consumer<String> problems) throws IOException {
    Map<String, Told> told = new HashMap<>();
    if (!fs.exists(directory)) {
      return told;
    }
    for (FileStatus each : fs.listStatus(directory)) {
      Path file = each.getPath();
      try {
        if (file.getName().endsWith(COMING)) {
          // A daemon was killed before anybody was told. It is kept in mind, to be deleted.
          told.put(file.getName(), new Told("", 0));
        } else if (each.isFile()) {
          told.put(file.getName(), new Told(tier(file), promisedBytes(file, problems)));
        }
      } catch (FileNotFoundException e) {
        // Somebody has just deleted it: NodeManagers are told nothing any more.
      } catch (BlockMissingException e) {
        // NodeManagers cannot read it, either. It is kept in mind, to be deleted in the end.
        told.put(file.getName(), new Told("", 0));
        problems.accept(uncounted(file, "no DataNode has its block: delete it"));
      }
    }
    return told;
  }

  private String tier(Path file) throws IOException {
    try (InputStream in = fs.open(file)) {
      return new String(in.readNBytes(NAME_BYTES_MAX), StandardCharsets.UTF_8);
    }
  }

  /** None for a file that an earlier version wrote, which did not tell. */
  private long promisedBytes(Path file, Consumer<String> problems) throws IOException {
    byte[] value = fs.getXAttrs(file).get(BYTES_ATTRIBUTE);
    if (value == null) {
      return 0;
    }
    String text = new String(value, StandardCharsets.UTF_8);
    if (BYTES.matcher(text).matches()) {
      return Long.parseLong(text);
    }
    // Others than the daemon may have written it, in any length.
    String shown = Words.plain(text.substring(0, Math.min(text.length(), NAME_BYTES_MAX)));
    problems.accept(
        uncounted(file, BYTES_ATTRIBUTE + " is '" + shown + "', no number of bytes: remove it"));
    return 0;
  }

  private static String uncounted(Path file, String why) {
    return "no room is counted for intermediate data of "
        + Words.plain(file.toUri().getPath())
        + ": "
        + why;
  }

  /** Takes back what was told of applications that are over. */
  void keepOnly(JobList notOver) throws IOException {
    if (!fs.exists(directory)) {
      return;
    }
    for (FileStatus each : fs.listStatus(directory)) {
      if (each.isFile() && !notOver.has(each.getPath().getName())) {
        fs.delete(each.getPath(), false);
      }
    }
  }
}
