package io.tierwise.hadoop.inspect.cluster;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.hdfs.namenode.PluginStatus;
import io.tierwise.hadoop.hdfs.namenode.RegionNames;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HAUtil;
import org.apache.hadoop.hdfs.NameNodeProxies;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RefreshResponse;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RpcNoSuchProtocolException;
import org.apache.hadoop.ipc.protocolPB.GenericRefreshProtocolClientSideTranslatorPB;
import org.apache.hadoop.ipc.protocolPB.GenericRefreshProtocolPB;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.StringUtils;

/** Asks NameNodes by RPC whether the placement plug-in runs in them, and with which tier table. */
public final class NameNodePlugin {
  private static final String ROUTER = "it is a Router, behind which NameNodes decide";

  private final Configuration conf;
  private final DistributedFileSystem fs;

  public NameNodePlugin(DistributedFileSystem fs, Configuration conf) {
    this.fs = fs;
    this.conf = new Configuration(conf);
    // The principal that the server must have, as Hadoop's own tools name it for this call.
    this.conf.set(
        CommonConfigurationKeys.HADOOP_SECURITY_SERVICE_USER_NAME_KEY,
        conf.get(DFSConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY, ""));
    RPC.setProtocolEngine(this.conf, GenericRefreshProtocolPB.class, ProtobufRpcEngine2.class);
  }

  /** Whether the plug-in runs. */
  public enum State {
    RUNS,
    MISSING,
    /** The NameNode could not be asked. */
    UNKNOWN
  }

  /** A NameNode whose plug-in does not know a question. */
  public static final class OlderPlugin extends IOException {
    private static final long serialVersionUID = 1L;

    public OlderPlugin(String message) {
      super(message);
    }
  }

  /**
   * One NameNode's answer.
   *
   * @param nameNode its address
   * @param status null unless the plug-in runs
   * @param problem why it is not known; empty when it is
   */
  public record Answer(String nameNode, State state, PluginStatus status, String problem) {
    public boolean runs() {
      return state == State.RUNS;
    }

    /**
     * The regions and racks that decisions are made with: the NameNode's own, or else those of this
     * configuration.
     */
    public RegionNames regions(Configuration own) {
      return runs()
          ? new RegionNames(
              status.regionMap(),
              status.nodeGroups().orElseGet(() -> RegionNames.hasNodeGroups(own)))
          : new RegionNames(own);
    }

    /** The reason why the tiers that are shown are not the NameNode's own; empty when they are. */
    public String whyTiersAreNotItsOwn() {
      return switch (state) {
        case RUNS -> "";
        case MISSING -> ": the NameNode " + nameNode + " runs without the plug-in";
        case UNKNOWN -> ": the NameNode " + nameNode + " does not tell its own: " + problem;
      };
    }

    /** Why no placement can be relied on there, for people; said only when it does not run. */
    public String whyNot() {
      return state == State.MISSING
          ? "the NameNode " + nameNode + " runs without the Tierwise plug-in"
          : "the NameNode "
              + nameNode
              + " does not tell whether it runs the Tierwise plug-in ("
              + problem
              + ")";
    }

    /**
     * Refuses a Router of HDFS's federation for what goes by ids of files or by audit logs. Each
     * name service behind it has both for itself, and an id may name another one's file.
     *
     * @throws OperatorException when it is one
     */
    public void requireNameNode() {
      if (ROUTER.equals(problem)) {
        throw OperatorException.cluster(
            nameNode
                + " is a Router, behind which each name service has ids of files and paths of its"
                + " own: nothing was changed; give --fs hdfs://NAMESERVICE, and paths as they are"
                + " there",
            null);
      }
    }

    /** The consequence for existing policies, for people; only when it does not run. */
    public String whyNotObeyed() {
      return "the NameNode "
          + nameNode
          + (state == State.MISSING
              ? " runs without the plug-in: it obeys none of these policies"
              : " does not tell whether it obeys these policies: " + problem);
    }
  }

  /**
   * The tier table that decisions are made with, as far as it is known.
   *
   * @param whose the process that uses it, for people
   * @param nameNodes whether it is known to be the NameNode's
   */
  public record Tiers(TierConfiguration configuration, String whose, boolean nameNodes) {}

  /**
   * The NameNode that decides, and its tiers.
   *
   * @param own the tier table of the configuration that was used to ask
   */
  public record InForce(NameNodePlugin plugin, Answer active, Tiers tiers, TierConfiguration own) {
    public TierConfiguration table() {
      return tiers.configuration();
    }
  }

  /**
   * Whether a Router of HDFS's federation answers there: it is no NameNode, although it answers as
   * one. A protocol that only NameNodes serve, beside the clients' own, tells them apart.
   */
  public static boolean isRouter(InetSocketAddress address, Configuration conf) {
    try {
      new NameNodePlugin(null, conf).call(address);
      return false;
    } catch (RemoteException e) {
      return isOfRouter(e);
    } catch (IOException | IllegalArgumentException e) {
      return false;
    }
  }

  private static boolean isOfRouter(RemoteException e) {
    return RpcNoSuchProtocolException.class.getName().equals(e.getClassName());
  }

  /** The active NameNode's answer. */
  public Answer ofActive() throws IOException {
    InetSocketAddress active = HAUtil.getAddressOfActive(fs);
    if (active == null) {
      return new Answer(
          fs.getUri().getAuthority(), State.UNKNOWN, null, "no NameNode says that it is active");
    }
    return ask(active);
  }

  /** The answers of the other NameNodes of the same namespace: standbys and observers. */
  public List<Answer> ofOthers(Answer active) {
    return others(active).stream().map(this::ask).toList();
  }

  /**
   * The NameNodes of the same namespace that serve reads beside the active one, as observers. One
   * that does not answer may be an observer, and is named with that remark.
   */
  public List<String> observers(Answer active) {
    List<String> observers = new ArrayList<>();
    for (InetSocketAddress address : others(active)) {
      try {
        if (state(address) == HAServiceState.OBSERVER) {
          observers.add(name(address));
        }
      } catch (IOException e) {
        observers.add(name(address) + " (does not answer)");
      }
    }
    return observers;
  }

  private List<InetSocketAddress> others(Answer active) {
    String nameservice = fs.getUri().getHost();
    return HAUtil.isHAEnabled(conf, nameservice)
        ? DFSUtil.getRpcAddressesForNameserviceId(conf, nameservice, null).values().stream()
            .filter(address -> !name(address).equals(active.nameNode()))
            .toList()
        : List.of();
  }

  private HAServiceState state(InetSocketAddress address) throws IOException {
    ClientProtocol nameNode =
        NameNodeProxies.createNonHAProxy(
                conf, address, ClientProtocol.class, UserGroupInformation.getCurrentUser(), false)
            .getProxy();
    try {
      return nameNode.getHAServiceState();
    } finally {
      RPC.stopProxy(nameNode);
    }
  }

  /**
   * The active NameNode of {@code fs}, and the tier table that decisions are made with: its own, or
   * else that of this configuration.
   */
  public static InForce inForce(DistributedFileSystem fs, Configuration conf) throws IOException {
    TierConfiguration own = TierConfiguration.load(conf);
    NameNodePlugin plugin = new NameNodePlugin(fs, conf);
    Answer active = plugin.ofActive();
    return new InForce(plugin, active, plugin.tiersInForce(active, own), own);
  }

  /** The NameNode's own tier table with the tiers that count there, or else this process's. */
  public Tiers tiersInForce(Answer active, TierConfiguration own) throws IOException {
    if (!active.runs()) {
      return new Tiers(own, own.source() + " of this command", false);
    }
    Tiers table = tableInForce(active, own);
    return new Tiers(
        table.configuration().counting(active.status().countedTiers()), table.whose(), true);
  }

  private Tiers tableInForce(Answer active, TierConfiguration own) throws IOException {
    String source = active.status().tiersSource();
    if (active.status().tiersDigest().equals(own.digest())) {
      return new Tiers(own, source + " of the NameNode, the same as here", true);
    }
    PluginStatus status =
        parse(call(NetUtils.createSocketAddr(active.nameNode()), PluginStatus.WITH_TIERS));
    TierConfiguration theirs =
        status.tiersYaml().isEmpty()
            ? TierConfiguration.byStorageType()
            : TierConfiguration.parse(status.tiersYaml(), source + " of the NameNode");
    return new Tiers(theirs, source + " of the NameNode, which differs from the one here", true);
  }

  /**
   * The storage types that have a quota of their own on the path or on a directory above it.
   *
   * @param active a NameNode in which the plug-in runs
   */
  public Set<StorageType> typesWithQuota(Answer active, String path) throws IOException {
    Set<StorageType> types = EnumSet.noneOf(StorageType.class);
    String names = answer(active, PluginStatus.TYPE_QUOTAS_OF, path);
    for (String name : StringUtils.getTrimmedStrings(names)) {
      types.add(StorageType.parseStorageType(name));
    }
    return types;
  }

  /**
   * The number of blocks of those files that have a replica which HDFS has chosen to drop and still
   * tells clients of. Files that this user may not see count as if they had none.
   *
   * @param active a NameNode in which the plug-in runs
   * @param files at most {@link PluginStatus#FILES_MAX}; none for all files
   */
  public long blocksWithExcess(Answer active, List<String> files) throws IOException {
    List<String> arguments = new ArrayList<>(List.of(PluginStatus.EXCESS_OF));
    arguments.addAll(files);
    return Long.parseLong(answer(active, arguments.toArray(new String[0])));
  }

  /**
   * The paths whose policy the NameNode's decisions could not understand lately, at most a few.
   *
   * @param active a NameNode in which the plug-in runs
   */
  public List<String> malformedPaths(Answer active) throws IOException {
    return PluginStatus.split(answer(active, PluginStatus.MALFORMED_PATHS));
  }

  /**
   * Asks a question of the plug-in.
   *
   * @param active a NameNode in which it runs
   * @throws OlderPlugin when it does not know the question
   * @throws IOException when it does not answer, with its reason
   */
  public String answer(Answer active, String... arguments) throws IOException {
    Collection<RefreshResponse> responses =
        call(NetUtils.createSocketAddr(active.nameNode()), arguments);
    for (RefreshResponse response : responses) {
      if (response.getReturnCode() == 0) {
        if (PluginStatus.isStatus(response.getMessage())) {
          throw new OlderPlugin(
              active.nameNode()
                  + " runs an older plug-in, which does not know the question '"
                  + arguments[0]
                  + "': give it the jar of this version");
        }
        return response.getMessage();
      }
    }
    throw new IOException(
        responses.stream().map(RefreshResponse::getMessage).findFirst().orElse("no answer"));
  }

  private Answer ask(InetSocketAddress address) {
    try {
      PluginStatus status = parse(call(address));
      return status == null
          ? new Answer(name(address), State.MISSING, null, "")
          : new Answer(name(address), State.RUNS, status, "");
    } catch (RemoteException e) {
      // Hadoop's registry answers so when nobody has registered for the identifier.
      boolean missing = IllegalArgumentException.class.getName().equals(e.getClassName());
      if (missing) {
        return new Answer(name(address), State.MISSING, null, "");
      }
      return isOfRouter(e)
          ? new Answer(name(address), State.UNKNOWN, null, ROUTER)
          : unknown(address, e.unwrapRemoteException());
    } catch (IOException | IllegalArgumentException e) {
      return unknown(address, e);
    }
  }

  private static Answer unknown(InetSocketAddress address, Exception e) {
    String problem = KerberosText.of(e).orElseGet(() -> FailureText.firstLine(e.getMessage()));
    return new Answer(name(address), State.UNKNOWN, null, problem);
  }

  private static PluginStatus parse(Collection<RefreshResponse> responses) {
    for (RefreshResponse response : responses) {
      if (response.getReturnCode() == 0) {
        return PluginStatus.parse(response.getMessage());
      }
    }
    return null;
  }

  private Collection<RefreshResponse> call(InetSocketAddress address, String... arguments)
      throws IOException {
    GenericRefreshProtocolPB proxy =
        RPC.getProxy(
            GenericRefreshProtocolPB.class,
            RPC.getProtocolVersion(GenericRefreshProtocolPB.class),
            address,
            UserGroupInformation.getCurrentUser(),
            conf,
            NetUtils.getDefaultSocketFactory(conf));
    try (GenericRefreshProtocolClientSideTranslatorPB translator =
        new GenericRefreshProtocolClientSideTranslatorPB(proxy)) {
      return translator.refresh(PluginStatus.IDENTIFIER, arguments);
    }
  }

  private static String name(InetSocketAddress address) {
    return NetUtils.getHostPortString(address);
  }
}
