package io.tierwise.hadoop.hdfs.namenode;

import io.tierwise.core.view.FileView;
import io.tierwise.hadoop.hdfs.OnceLog;
import io.tierwise.hadoop.hdfs.tiers.PathRule;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.policies.placement.PlacementPolicy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockCollection;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeDirectory;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.INodesInPath;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Path policies in the NameNode's own tree: the extended attribute of the file or of the nearest
 * directory above it, else the first path rule that matches, else none. The file is that of the
 * client's call where the call names one (see {@link CalledFile}), else the one at the path.
 *
 * <p>Locks: a decision holds none, so the tree is read under the namesystem's FS read lock, for the
 * few steps from the root to the file. A thread that holds that lock already is not made to take it
 * again; one that holds only the block manager's lock must not take it (the order is FS, then BM)
 * and gets no answer.
 */
final class NamespacePolicies implements PathPolicies {
  /** The extended attribute, with its namespace prefix. */
  static final String ATTRIBUTE = "user.tierwise.placement";

  private static final String RESERVED = "/.reserved/";
  private static final String RAW_PREFIX = "/.reserved/raw";
  private static final String INODE_PREFIX = "/.reserved/.inodes/";
  private static final Logger LOG = LoggerFactory.getLogger(NamespacePolicies.class);

  private final FSNamesystem namesystem;
  private final TierConfiguration configuration;
  private final PolicyCatalog catalog;
  private final PlacementCounters counters;
  private final DataSets dataSets;
  private final TierBytes tierBytes;
  private final OwnerLimits owners;
  private final AttributeWatch attributes =
      new AttributeWatch(ATTRIBUTE.substring("user.".length()));
  private final AttributeValues values = new AttributeValues(ATTRIBUTE);
  private final PathGlance glance;
  private final boolean hasRules;

  /** Whether rules or limits go by the path of a file. */
  private final boolean goesByPath;

  private final OnceLog once = new OnceLog(LOG);
  private final MalformedPolicies malformed = new MalformedPolicies();

  NamespacePolicies(
      FSNamesystem namesystem,
      TierConfiguration configuration,
      PolicyCatalog catalog,
      PlacementCounters counters) {
    this.namesystem = namesystem;
    this.configuration = configuration;
    this.catalog = catalog;
    this.counters = counters;
    this.dataSets = new DataSets(namesystem);
    this.tierBytes = new TierBytes(namesystem, configuration.byteLimits());
    this.owners = new OwnerLimits(configuration);
    this.glance = new PathGlance(namesystem, values);
    this.hasRules = configuration.rules().stream().anyMatch(rule -> rule.placement() != null);
    this.goesByPath =
        hasRules || configuration.limits().stream().anyMatch(limit -> !limit.paths().isEmpty());
  }

  @Override
  public boolean mayManage() {
    return hasRules || attributes.mayExist();
  }

  @Override
  public boolean mayManage(String path) {
    if (hasRules
        && (path.startsWith(RESERVED)
            || configuration.placementRule(path).isPresent()
            || glance.mayHaveMoved(path))) {
      return true;
    }
    return attributes.mayExist() && !glance.isPlain(path);
  }

  TierBytes tierBytes() {
    return tierBytes;
  }

  DataSets dataSets() {
    return dataSets;
  }

  /**
   * Where attributes stand that decisions could not understand lately, and that cannot be
   * understood now either.
   */
  List<String> malformedPaths() {
    List<String> paths = new ArrayList<>();
    TreeLock.lock(namesystem);
    try {
      for (long id : malformed.inodeIds()) {
        INode inode = namesystem.getFSDirectory().getInode(id);
        String attribute = inode == null ? null : values.of(inode);
        if (attribute != null && catalog.get(attribute).problem() != null) {
          paths.add(inode.getFullPathName());
        }
      }
    } finally {
      TreeLock.unlock(namesystem, "tierwiseMalformedPaths");
    }
    return paths;
  }

  @Override
  public ManagedFile resolve(String path, Occasion occasion) {
    boolean held = TreeLock.isHeld(namesystem);
    if (TreeLock.isForbidden(namesystem)) {
      counters.stock(StockReason.LOCK_ORDER);
      once.warn("lock", "A decision under the block lock alone is left to stock HDFS");
      return null;
    }
    Found found;
    if (held) {
      found = find(path, occasion);
    } else {
      TreeLock.lock(namesystem);
      try {
        found = find(path, occasion);
      } finally {
        TreeLock.unlock(namesystem, "tierwisePlacement");
      }
    }
    PolicyCatalog.Entry entry = found == null ? null : entryOf(found);
    PlacementPolicy policy = entry == null ? null : entry.policy();
    if (policy == null || !ownerMayUse(found, entry)) {
      return null;
    }
    if (found.fileId == 0 && occasion.kind() != DecisionKind.GATEWAY) {
      // A block's tier depends on its file and index: a guess would send all to one.
      counters.stock(StockReason.FILE_UNKNOWN);
      return null;
    }
    FileView file = fileView(found, policy, occasion, held);
    return new ManagedFile(
        policy, file, path, found.limitedTypes, found.byteLimits, found.sources, found.waiting);
  }

  @Override
  public ManagedFile resolve(BlockCollection blocks) {
    if (!(blocks instanceof INodeFile file) || file.isStriped()) {
      return null;
    }
    INode carrier = carrierAbove(file);
    if (carrier == null && !hasRules) {
      return null;
    }
    Found found = new Found();
    if (carrier != null) {
      found.attribute = values.of(carrier);
      found.attributeOf = carrier.getId();
    }
    found.path = file.getFullPathName();
    found.setFile(file);
    // Limits are not asked for: a group look-up may take long, and the write lock is held. At worst
    // a file that stock HDFS placed is thinned out by its owner's wish.
    PolicyCatalog.Entry entry = entryOf(found);
    return entry == null || entry.policy() == null
        ? null
        : new ManagedFile(entry.policy(), new FileView(found.fileId, 0), found.path, List.of());
  }

  /** The nearest inode with our attribute, the file itself first; null for most files. */
  private INode carrierAbove(INode file) {
    INode inode = file;
    while (inode != null && values.of(inode) == null) {
      inode = inode.getParent();
    }
    return inode;
  }

  /** The finds of one look under the lock; plain values, so that nothing leaks out of the lock. */
  private static final class Found {
    private String path;
    private String attribute;
    private long attributeOf;
    private INodeDirectory dataSet;

    /** Null where no limit goes by it: HDFS looks it up in a table that all threads share. */
    private String owner;

    private long fileId;
    private int blockCount;
    private int replicaCount;
    private Set<StorageType> limitedTypes = Set.of();
    private List<TierBytes.Use> byteLimits = List.of();
    private List<DatanodeStorageInfo> sources = List.of();
    private List<DatanodeStorageInfo> waiting = List.of();

    /** The attribute or rule that gets one line in the log, however many files are under it. */
    private String source(String specification) {
      return (attribute == null ? "rule" : attributeOf) + " " + specification;
    }

    private void setFile(INodeFile file) {
      fileId = file.getId();
      blockCount = file.numBlocks();
      replicaCount = file.getFileReplication();
    }
  }

  private Found find(String src, Occasion occasion) {
    Found found = new Found();
    INode[] inodes;
    try {
      inodes = inodesOf(src, found);
    } catch (IOException e) {
      return null;
    }
    for (int i = inodes.length - 1; i >= 0 && found.attribute == null; i--) {
      if (inodes[i] != null) {
        found.attribute = values.of(inodes[i]);
        found.attributeOf = inodes[i].getId();
        if (found.attribute != null && inodes[i].isDirectory()) {
          found.dataSet = inodes[i].asDirectory();
        }
      }
    }
    found.limitedTypes = TypeQuotas.above(inodes);
    found.byteLimits = tierBytes.above(inodes);
    INode last = inodes[inodes.length - 1];
    if (last != null && last.isFile()) {
      INodeFile file = last.asFile();
      if (file.isStriped()) {
        return null;
      }
      found.setFile(file);
      if (occasion.source() != null) {
        found.sources = CopySources.of(file, occasion.source(), occasion.blockBytes());
      }
      found.waiting = CopySources.waiting(file, occasion);
    }
    found.owner = owners.exist() ? ownerOfNearest(inodes) : null;
    return found;
  }

  private INode[] inodesOf(String src, Found found) throws IOException {
    FSDirectory directory = namesystem.getFSDirectory();
    if (CalledFile.id() != CalledFile.NONE) {
      INode inode = directory.getInode(CalledFile.id());
      if (inode == null) {
        throw new IOException("no inode " + CalledFile.id());
      }
      // Else the path stands in messages only: there the client's own name for it will do.
      found.path = goesByPath ? inode.getFullPathName() : src;
      return fromRoot(inode);
    }
    if (src.startsWith(INODE_PREFIX)) {
      String id = src.substring(INODE_PREFIX.length());
      INode inode = directory.getInode(Long.parseLong(id.split("/", 2)[0]));
      if (inode == null) {
        throw new IOException("no inode " + id);
      }
      String rest = id.indexOf('/') < 0 ? "" : id.substring(id.indexOf('/'));
      found.path = inode.getFullPathName() + rest;
    } else {
      found.path = src.startsWith(RAW_PREFIX + "/") ? src.substring(RAW_PREFIX.length()) : src;
    }
    INodesInPath path = directory.getINodesInPath(found.path, FSDirectory.DirOp.READ_LINK);
    return path.getINodesArray();
  }

  private static INode[] fromRoot(INode last) {
    int depth = 0;
    for (INode inode = last; inode != null; inode = inode.getParent()) {
      depth++;
    }
    INode[] inodes = new INode[depth];
    for (INode inode = last; inode != null; inode = inode.getParent()) {
      inodes[--depth] = inode;
    }
    return inodes;
  }

  private static String ownerOfNearest(INode[] inodes) {
    for (int i = inodes.length - 1; i >= 0; i--) {
      if (inodes[i] != null) {
        return inodes[i].getUserName();
      }
    }
    return "";
  }

  /** The policy of the attribute or the rule; null when there is neither or it is bad. */
  private PolicyCatalog.Entry entryOf(Found found) {
    String specification = found.attribute;
    if (specification == null) {
      specification =
          !hasRules
              ? null
              : configuration.placementRule(found.path).map(PathRule::placement).orElse(null);
      if (specification == null) {
        return null;
      }
    }
    PolicyCatalog.Entry entry = catalog.get(specification);
    if (entry.problem() != null) {
      counters.stock(StockReason.BAD_SPECIFICATION);
      if (found.attribute != null) {
        malformed.met(found.attributeOf);
      }
      once.warn(
          "spec " + found.source(specification),
          found.path
              + ": its policy cannot be understood, so stock HDFS places it and other files under"
              + " that policy: "
              + entry.problem());
      return null;
    }
    return entry;
  }

  /** Asks for the owner's groups, hence never under the namesystem's locks. */
  private boolean ownerMayUse(Found found, PolicyCatalog.Entry entry) {
    OwnerLimits.Answer answer = owners.ask(found.owner, found.path, entry);
    if (answer == OwnerLimits.Answer.ALLOWED) {
      return true;
    }
    if (answer == OwnerLimits.Answer.GROUPS_UNKNOWN) {
      counters.stock(StockReason.GROUPS_UNKNOWN);
      once.warn(
          "groups of " + found.owner,
          found.path
              + ": stock HDFS places it, and others of "
              + found.owner
              + " under a policy, because nobody tells this NameNode that user's groups"
              + " (hadoop.security.group.mapping) and "
              + configuration.source()
              + " limits files by group");
      return false;
    }
    counters.stock(StockReason.LIMITED);
    once.warn(
        "limit " + found.owner + " " + found.source(entry.policy().name()),
        found.path
            + ": stock HDFS places it, and others of that owner, because "
            + entry.policy().name()
            + " uses a tier that files of "
            + found.owner
            + " may not use there (limits in "
            + configuration.source()
            + ")");
    return false;
  }

  private FileView fileView(Found found, PlacementPolicy policy, Occasion occasion, boolean held) {
    if (occasion.kind() == DecisionKind.RECONSTRUCTION) {
      String source = occasion.source() == null ? "" : occasion.source().getDatanodeUuid();
      return FileView.ofCopy(found.fileId, found.replicaCount, source, occasion.blockBytes());
    }
    long blockIndex = blockIndex(found, policy, occasion, held);
    return new FileView(found.fileId, blockIndex, found.replicaCount);
  }

  private long blockIndex(Found found, PlacementPolicy policy, Occasion occasion, boolean held) {
    if (occasion.kind() != DecisionKind.NEW_BLOCK) {
      return Math.max(0, found.blockCount - 1);
    }
    boolean overDirectory = policy.countsOverDirectory();
    // Under a lock that the caller holds nothing may be counted: counting takes the lock in turns.
    return overDirectory && found.dataSet != null && found.fileId != 0 && !held
        ? dataSets.nextIndex(found.dataSet, found.fileId, found.blockCount)
        : found.blockCount;
  }
}
