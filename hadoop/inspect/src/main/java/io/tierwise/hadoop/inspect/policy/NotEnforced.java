package io.tierwise.hadoop.inspect.policy;

import io.tierwise.core.message.Words;
import io.tierwise.hadoop.hdfs.tiers.ByteLimit;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.hdfs.tiers.TierLimit;
import io.tierwise.hadoop.inspect.cluster.NameNodePlugin;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;

/**
 * The limits of a placement on a path, as far as a few calls can tell. It does not walk what stands
 * below the path: it names in general what may stand there.
 */
public final class NotEnforced {
  private static final Set<String> SPECIAL_POLICIES = Set.of("LAZY_PERSIST", "PROVIDED");

  private final DistributedFileSystem fs;
  private final Path path;
  private final TierConfiguration tiers;
  private final Set<Integer> wanted;
  private final List<Gap> gaps = new ArrayList<>();

  /** The reason of the gap that a mover closes. */
  public static final String STORED_ALREADY = "stored_already";

  /**
   * One thing that the placement does not reach.
   *
   * @param reason a stable word for programs
   * @param text for people
   */
  public record Gap(String reason, String text) {}

  /**
   * @param path as the file system names it, without symbolic links
   * @param tiers the tier table of the NameNode
   */
  public NotEnforced(
      DistributedFileSystem fs, Path path, TierConfiguration tiers, String specification) {
    this.fs = fs;
    this.path = path;
    this.tiers = tiers;
    this.wanted = tiers.tiersNamed(specification);
  }

  public List<Gap> find(NameNodePlugin plugin, NameNodePlugin.Answer active) throws IOException {
    add(STORED_ALREADY, "blocks that are stored already: they stay where they are");
    specialFiles();
    limits();
    return amounts(plugin, active);
  }

  /** Only the limits in bytes and the quotas: a replica falls back where one of them is reached. */
  public List<Gap> amounts(NameNodePlugin plugin, NameNodePlugin.Answer active) {
    byteLimits();
    if (active.runs()) {
      typeQuotas(plugin, active);
    }
    return gaps;
  }

  private void add(String reason, String text) {
    gaps.add(new Gap(reason, text));
  }

  private void specialFiles() throws IOException {
    ErasureCodingPolicy erasureCoding = fs.getErasureCodingPolicy(path);
    if (erasureCoding != null) {
      add(
          "erasure_coding",
          pathText()
              + " is erasure coded ("
              + erasureCoding.getName()
              + "): stock HDFS places its files");
    }
    String storagePolicy = fs.getStoragePolicy(path).getName();
    if (SPECIAL_POLICIES.contains(storagePolicy)) {
      add(
          "storage_policy",
          pathText()
              + " has the storage policy "
              + storagePolicy
              + ": stock HDFS places its files");
    }
    add(
        "files_below",
        "files below it that are erasure coded, or have the storage policy LAZY_PERSIST or"
            + " PROVIDED, or a placement of their own or of a directory between");
  }

  /** The owners of files are not known before they are written: each limit is named. */
  private void limits() {
    for (TierLimit limit : tiers.limits()) {
      Set<Integer> forbidden =
          wanted.stream().filter(tier -> !limit.tiers().contains(tier)).collect(Collectors.toSet());
      if (!forbidden.isEmpty() && limit.mayApplyBelow(pathText())) {
        add(
            "limits",
            "files"
                + names(" of users ", limit.users())
                + names(" of groups ", limit.groups())
                + names(" at ", limit.paths())
                + ": limits in "
                + tiers.source()
                + " do not allow them "
                + tierNames(forbidden)
                + ", so stock HDFS places them");
      }
    }
  }

  private void byteLimits() {
    for (ByteLimit limit : tiers.byteLimits()) {
      boolean isMet =
          isAtOrBelow(limit.path(), pathText()) || isAtOrBelow(pathText(), limit.path());
      if (isMet && wanted.contains(limit.tier())) {
        add(
            "byte_limit",
            "what comes when files below "
                + limit.path()
                + " have "
                + Words.bytes(limit.bytes())
                + " on "
                + tierNames(Set.of(limit.tier()))
                + " (byte-limits in "
                + tiers.source()
                + "): it falls back");
      }
    }
  }

  private static boolean isAtOrBelow(String above, String path) {
    return path.equals(above) || path.startsWith(above.endsWith("/") ? above : above + "/");
  }

  private static String names(String before, List<String> names) {
    return names.isEmpty() ? "" : before + String.join(", ", names);
  }

  private String tierNames(Set<Integer> indexes) {
    return indexes.stream()
        .sorted()
        .map(index -> tiers.table().tiers().get(index).name())
        .collect(Collectors.joining(", "));
  }

  private void typeQuotas(NameNodePlugin plugin, NameNodePlugin.Answer active) {
    Set<StorageType> limited;
    try {
      limited = plugin.typesWithQuota(active, pathText());
    } catch (IOException e) {
      String problem = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
      add(
          "type_quota_unknown",
          "whether a quota of a storage type stands above could not be asked (" + problem + ")");
      return;
    }
    limited.retainAll(typesWanted());
    if (!limited.isEmpty()) {
      String types = limited.stream().map(StorageType::name).collect(Collectors.joining(", "));
      add(
          "type_quota",
          "a quota of "
              + types
              + " stands on "
              + pathText()
              + " or above it: a block gets as many replicas there as its file's storage policy"
              + " is charged for, others fall back");
    }
  }

  /** All types where a wanted tier is matched by something else. */
  private Set<StorageType> typesWanted() {
    Set<StorageType> types = EnumSet.noneOf(StorageType.class);
    for (int tier : wanted) {
      Set<StorageType> ofTier = tiers.matcher().match(tier).storageTypes();
      types.addAll(ofTier.isEmpty() ? EnumSet.allOf(StorageType.class) : ofTier);
    }
    return types;
  }

  private String pathText() {
    return path.toUri().getPath();
  }
}
