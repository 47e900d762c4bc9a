package io.tierwise.cli.policy;

import io.tierwise.cli.ExitCode;
import io.tierwise.cli.cluster.ClusterOptions;
import io.tierwise.cli.output.Output;
import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.inspect.cluster.ClusterConnection;
import io.tierwise.hadoop.inspect.cluster.NamespaceWalk;
import io.tierwise.hadoop.inspect.policy.PathPolicy;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.security.AccessControlException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Finds and removes all attributes of Tierwise. */
@Command(
    name = "purge",
    description = {
      "Finds all attributes of Tierwise (user.tierwise.*) on PATH and below it, and with --yes"
          + " removes them. No replica is moved.",
      "Stopped half-way it is simply run again: what is removed is removed. Attributes that a"
          + " snapshot keeps go with the snapshot.",
      "Exit code 3 when some could not be read or removed; the rest is done then."
    },
    mixinStandardHelpOptions = true)
final class PolicyPurgeCommand implements Callable<Integer> {
  private static final int NAMED_MAX = 20;

  @Mixin private ClusterOptions cluster;
  @Mixin private Output output;

  @Parameters(paramLabel = "PATH", description = "A directory or file; / for the whole cluster.")
  private String path;

  @Option(names = "--dry-run", description = "Say what would be removed. This is the default.")
  private boolean dryRun;

  @Option(names = "--yes", description = "Remove them.")
  private boolean yes;

  /** One line of the answer with {@code --json}. */
  private record Found(
      String kind, String path, List<String> attributes, boolean removed, String problem) {}

  private record Total(
      String kind,
      String path,
      boolean removed,
      long pathsSeen,
      long pathsFound,
      Map<String, Long> attributes,
      long notRemoved,
      long unreadable) {}

  @Override
  public Integer call() throws IOException {
    if (yes && dryRun) {
      throw OperatorException.badInput("--dry-run and --yes exclude each other: give one");
    }
    try (ClusterConnection.Place place = cluster.connect(cluster.configuration(), path)) {
      Purge purge = new Purge(place.fs());
      try (NamespaceWalk walk = new NamespaceWalk(place.fs(), false, purge)) {
        walk.walk(place.plain());
      } finally {
        purge.progress.clear();
        // Also when it ends early: what was done so far is done.
        purge.printTotal();
      }
      return purge.unreadable + purge.notRemoved > 0 ? ExitCode.CLUSTER : 0;
    }
  }

  /** Looks at each path and removes what is ours. */
  private final class Purge implements NamespaceWalk.Visitor {
    private final DistributedFileSystem fs;
    private final Progress progress = Progress.of(output);
    private final Map<String, Long> attributesFound = new TreeMap<>();
    private long pathsFound;
    private long notRemoved;
    private long unreadable;
    private int named;

    Purge(DistributedFileSystem fs) {
      this.fs = fs;
    }

    @Override
    public void enter(String at, Map<String, byte[]> attributes) throws IOException {
      look(at, attributes);
    }

    @Override
    public void file(String at, HdfsFileStatus status, Map<String, byte[]> attributes)
        throws IOException {
      look(at, attributes);
    }

    @Override
    public void leave(String at) {
      // All was done when it was entered.
    }

    @Override
    public void unreadable(String at, boolean directory) {
      unreadable++;
      name("no permission to read " + at + (directory ? ": not looked below it" : ""));
    }

    private void look(String at, Map<String, byte[]> attributes) throws IOException {
      progress.add();
      List<String> ours =
          attributes.keySet().stream()
              .filter(name -> name.startsWith(PathPolicy.ATTRIBUTE_PREFIX))
              .sorted()
              .toList();
      if (ours.isEmpty()) {
        return;
      }
      pathsFound++;
      ours.forEach(name -> attributesFound.merge(name, 1L, Long::sum));
      progress.clear();
      String problem = yes ? remove(at, ours) : null;
      boolean removed = yes && problem == null;
      if (output.json()) {
        output.printJsonLine(new Found("path", at, ours, removed, problem));
      } else if (problem == null) {
        output.out().println(Words.plain((yes ? "removed " : "would remove ") + at + ": " + ours));
      }
    }

    /** What went wrong, or null. */
    private String remove(String at, List<String> names) throws IOException {
      try {
        for (String name : names) {
          fs.removeXAttr(new Path(at), name);
        }
        return null;
      } catch (AccessControlException e) {
        notRemoved++;
        name("no permission to change " + at + ": its attributes stay");
        return "no permission";
      } catch (FileNotFoundException e) {
        return null;
      }
    }

    private void name(String problem) {
      if (named++ < NAMED_MAX) {
        progress.clear();
        output.say(problem);
      }
    }

    private void printTotal() {
      if (output.json()) {
        output.printJsonLine(
            new Total(
                "total",
                path,
                yes,
                progress.paths(),
                pathsFound,
                attributesFound,
                notRemoved,
                unreadable));
        return;
      }
      long count = attributesFound.values().stream().mapToLong(Long::longValue).sum();
      output
          .out()
          .println(
              (yes ? "removed " : "would remove ")
                  + (yes && notRemoved > 0 ? "what is ours" : Words.count(count, "attribute"))
                  + " of "
                  + Words.count(pathsFound - notRemoved, "path")
                  + "; looked at "
                  + progress.paths());
      if (notRemoved + unreadable > 0) {
        output.say(
            Words.count(notRemoved, "path")
                + " could not be changed and "
                + unreadable
                + " not be read: run again as HDFS's superuser");
      }
      if (!yes && pathsFound > 0) {
        output.say("nothing was changed: give --yes to remove them");
      }
    }
  }
}
