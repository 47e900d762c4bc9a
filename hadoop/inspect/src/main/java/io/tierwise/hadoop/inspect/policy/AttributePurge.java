package io.tierwise.hadoop.inspect.policy;

import io.tierwise.core.message.Words;
import io.tierwise.hadoop.inspect.cluster.NamespaceWalk;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.security.AccessControlException;

/** Looks at each path of a walk for attributes of ours, and removes them when it may. */
public final class AttributePurge implements NamespaceWalk.Visitor {
  private final DistributedFileSystem fs;
  private final boolean remove;
  private final Listener listener;
  private final Map<String, Long> attributesFound = new TreeMap<>();
  private long pathsSeen;
  private long pathsFound;
  private long notRemoved;
  private long unreadable;

  /**
   * A path with attributes of ours, as data.
   *
   * @param problem why they stay; null when they do not, or were only looked for
   */
  public record Found(
      String kind, String path, List<String> attributes, boolean removed, String problem) {}

  /** The sums. */
  public record Total(
      String kind,
      String path,
      boolean removed,
      long pathsSeen,
      long pathsFound,
      Map<String, Long> attributes,
      long notRemoved,
      long unreadable) {}

  /** Told what is found, as it is found. */
  public interface Listener {
    /** Every path that is looked at. */
    void seen();

    /** A path with attributes of ours. */
    void found(Found found);

    /** A path that this user may not read or change. */
    void refused(String line);
  }

  /**
   * @param remove whether to remove them; else they are only looked for
   */
  public AttributePurge(DistributedFileSystem fs, boolean remove, Listener listener) {
    this.fs = fs;
    this.remove = remove;
    this.listener = listener;
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
    listener.refused("no permission to read " + at + (directory ? ": not looked below it" : ""));
  }

  private void look(String at, Map<String, byte[]> attributes) throws IOException {
    pathsSeen++;
    listener.seen();
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
    String problem = remove ? removed(at, ours) : null;
    listener.found(new Found("path", at, ours, remove && problem == null, problem));
  }

  /** The failure, or null. */
  private String removed(String at, List<String> names) throws IOException {
    try {
      for (String name : names) {
        fs.removeXAttr(new Path(at), name);
      }
      return null;
    } catch (AccessControlException e) {
      notRemoved++;
      listener.refused("no permission to change " + at + ": its attributes stay");
      return "no permission";
    } catch (FileNotFoundException e) {
      return null;
    }
  }

  /** The sums as data. */
  public Total total(String path) {
    return new Total(
        "total", path, remove, pathsSeen, pathsFound, attributesFound, notRemoved, unreadable);
  }

  /** The sums for people. */
  public String totalText() {
    long count = attributesFound.values().stream().mapToLong(Long::longValue).sum();
    return (remove ? "removed " : "would remove ")
        + (remove && notRemoved > 0 ? "what is ours" : Words.count(count, "attribute"))
        + " of "
        + Words.count(pathsFound - notRemoved, "path")
        + "; looked at "
        + pathsSeen;
  }

  /** The rest that is to be done, a line each; empty when nothing is. */
  public List<String> remarks() {
    List<String> remarks = new ArrayList<>();
    if (!isComplete()) {
      remarks.add(
          Words.count(notRemoved, "path")
              + " could not be changed and "
              + unreadable
              + " not be read: run again as HDFS's superuser");
    }
    if (!remove && pathsFound > 0) {
      remarks.add("nothing was changed: give --yes to remove them");
    }
    return remarks;
  }

  /** Whether every path could be read, and changed where that was asked. */
  public boolean isComplete() {
    return notRemoved + unreadable == 0;
  }
}
