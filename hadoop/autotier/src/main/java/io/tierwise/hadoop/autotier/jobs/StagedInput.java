package io.tierwise.hadoop.autotier.jobs;

import io.tierwise.hadoop.inspect.cluster.FailureText;
import io.tierwise.history.RunRecord;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Finds out what a job will read, from what its client left in the staging directory: with the
 * rights of the job's user and no others, so that a job cannot have files handled that its user may
 * not read.
 *
 * <p>Where HDFS knows users by Kerberos, it has to let the daemon's user act for them ({@code
 * hadoop.proxyuser}). Not for many threads.
 */
public final class StagedInput {
  private static final String STAGING_KEY = "yarn.app.mapreduce.am.staging-dir";
  private static final String STAGING = "/tmp/hadoop-yarn/staging";
  private static final String FILE = "mapred-site.xml";

  /** In the user's home directory, where Spark's own key says nothing else. */
  private static final String SPARK_STAGING = ".sparkStaging/";

  private static final String SPARK_STAGING_KEY = "spark.yarn.stagingDir";

  /** Own: more than have jobs on a cluster at once. */
  private static final int USERS_MAX = 1_000;

  private final URI nameNode;
  private final Configuration conf;
  private final String staging;

  /**
   * By name. Hadoop takes each object for another user, with a connection to the NameNode and two
   * threads of its own until ten seconds after its last call.
   */
  private final Map<String, UserGroupInformation> users = new HashMap<>();

  /** A file that the job's user may read. */
  public record InputFile(String path, HdfsLocatedFileStatus status) {}

  /**
   * What is known of a job's input.
   *
   * @param reason why it is not known; null when it is
   */
  public record Input(List<InputFile> files, String reason) {
    public Input {
      files = List.copyOf(files);
    }
  }

  public StagedInput(URI nameNode, Configuration conf) {
    this.nameNode = nameNode;
    this.conf = conf;
    staging = staging(conf);
  }

  /** Only MapReduce's own classes read its file from the class path. */
  private static String staging(Configuration conf) {
    Configuration all = new Configuration(conf);
    if (all.get(STAGING_KEY) == null) {
      all.addResource(FILE);
    }
    return all.getTrimmed(STAGING_KEY, STAGING);
  }

  /**
   * Looks it up.
   *
   * @throws IOException when the NameNode is away
   */
  public Input of(SubmittedJob job) throws IOException {
    String user = job.user();
    if (user.isEmpty() || user.contains("/") || user.startsWith(".")) {
      return unknown("its user's name is none");
    }
    try (DistributedFileSystem theirs = as(user)) {
      List<String> paths =
          job.engine() == RunRecord.Engine.SPARK ? named(theirs, job) : split(theirs, job);
      Map<Long, InputFile> found = new LinkedHashMap<>();
      for (String path : paths) {
        // One file may be there by several texts.
        file(theirs, path).ifPresent(file -> found.putIfAbsent(file.status().getFileId(), file));
      }
      List<InputFile> files = List.copyOf(found.values());
      return files.isEmpty()
          ? unknown("none of the files that it would read is there for its user")
          : new Input(files, null);
    } catch (StagedSplits.Unusable e) {
      return unknown(e.getMessage());
    } catch (AccessControlException e) {
      return unknown("HDFS does not let this daemon look with the rights of its user");
    } catch (RemoteException e) {
      if (e.getClassName().endsWith(".AuthorizationException")) {
        return unknown(
            "this daemon may not act for its user: hadoop.proxyuser.USER.hosts and .groups of the"
                + " NameNode say who may");
      }
      throw e;
    }
  }

  private static Input unknown(String reason) {
    return new Input(List.of(), reason);
  }

  /** By its list of splits. */
  private List<String> split(DistributedFileSystem fs, SubmittedJob job)
      throws IOException, StagedSplits.Unusable {
    String id = job.application().replaceFirst("^application_", "job_");
    Path list = new Path(staging + "/" + job.user() + "/.staging/" + id + "/job.split");
    return StagedSplits.files(read(fs, list, "list of splits", STAGING_KEY));
  }

  /** By the files and directories that it names itself. */
  private static List<String> named(DistributedFileSystem fs, SubmittedJob job)
      throws IOException, StagedSplits.Unusable {
    Path archive =
        new Path(fs.getHomeDirectory(), SPARK_STAGING + job.application() + "/" + StagedConf.NAME);
    NamedFiles named = new NamedFiles(fs, StagedSplits.FILES_MAX);
    for (String path :
        StagedConf.input(read(fs, archive, "archive of settings", SPARK_STAGING_KEY))) {
      named.add(path);
    }
    return named.files();
  }

  private DistributedFileSystem as(String user) throws IOException {
    UserGroupInformation acting = acting(user);
    try {
      return (DistributedFileSystem)
          acting.doAs(
              (PrivilegedExceptionAction<FileSystem>) () -> FileSystem.newInstance(nameNode, conf));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("stopped", e);
    }
  }

  private UserGroupInformation acting(String user) throws IOException {
    UserGroupInformation known = users.get(user);
    if (known != null) {
      return known;
    }
    if (users.size() >= USERS_MAX) {
      users.clear();
    }
    UserGroupInformation acting =
        UserGroupInformation.isSecurityEnabled()
            ? UserGroupInformation.createProxyUser(user, UserGroupInformation.getLoginUser())
            : UserGroupInformation.createRemoteUser(user);
    users.put(user, acting);
    return acting;
  }

  /**
   * @param what the file is, for people
   * @param key which says where it is
   */
  private static byte[] read(DistributedFileSystem fs, Path path, String what, String key)
      throws IOException, StagedSplits.Unusable {
    try (FSDataInputStream in = fs.open(path)) {
      byte[] bytes = in.readNBytes(StagedSplits.BYTES_MAX + 1);
      if (bytes.length > StagedSplits.BYTES_MAX) {
        throw new StagedSplits.Unusable("its " + what + " is larger than anybody reads");
      }
      return bytes;
    } catch (IllegalArgumentException e) {
      throw new StagedSplits.Unusable(
          "its " + what + " is on another file system, at " + path + " (" + key + ")");
    } catch (FileNotFoundException e) {
      throw new StagedSplits.Unusable("it left no " + what + " at " + path + " (" + key + ")");
    } catch (BlockMissingException | ChecksumException e) {
      // Of this job alone: others are looked at all the same.
      throw new StagedSplits.Unusable(
          "its " + what + " cannot be read: " + FailureText.line(FailureText.cause(e)));
    }
  }

  /**
   * Whether the path is the file's own: by its inode, or in a snapshot, nobody would see under
   * which directory the file is, and which policy it has.
   */
  private static boolean isPlain(String path) {
    return !path.startsWith("/.reserved/") && !path.contains("/.snapshot/");
  }

  /** Empty for one on another file system, that is not there, or that its user may not read. */
  private Optional<InputFile> file(DistributedFileSystem fs, String text) throws IOException {
    try {
      // Refuses a path of another file system by the same comparison as all of Hadoop's clients.
      Path path = fs.makeQualified(new Path(text));
      URI uri = path.toUri();
      if (!isPlain(uri.getPath())) {
        return Optional.empty();
      }
      fs.access(path, FsAction.READ);
      HdfsLocatedFileStatus status = fs.getClient().getLocatedFileInfo(uri.getPath(), false);
      return status == null || status.isDirectory() || status.isSymlink()
          ? Optional.empty()
          : Optional.of(new InputFile(uri.getPath(), status));
    } catch (FileNotFoundException | AccessControlException | IllegalArgumentException e) {
      return Optional.empty();
    } catch (RemoteException e) {
      if (FailureText.cause(e) instanceof AccessControlException
          || e.getClassName().endsWith(".InvalidPathException")) {
        return Optional.empty();
      }
      throw e;
    }
  }
}
