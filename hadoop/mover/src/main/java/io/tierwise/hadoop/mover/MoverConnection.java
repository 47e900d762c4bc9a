package io.tierwise.hadoop.mover;

import io.tierwise.core.message.OperatorException;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.RecoveryInProgressException;
import org.apache.hadoop.hdfs.protocol.datatransfer.IOStreamPair;
import org.apache.hadoop.hdfs.protocol.datatransfer.TrustedChannelResolver;
import org.apache.hadoop.hdfs.protocol.datatransfer.sasl.DataTransferSaslUtil;
import org.apache.hadoop.hdfs.protocol.datatransfer.sasl.SaslDataTransferClient;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.server.balancer.NameNodeConnector;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.token.Token;

/**
 * The one mover of a cluster, towards its NameNode: the lock, the keys of block tokens, and the
 * questions that are asked. HDFS's Balancer and Mover connect by the same class, so that Kerberos,
 * block tokens and encryption work as they do there.
 *
 * <p>The lock is a file that is held open for writing. It ends with its process: at once when that
 * ends by itself, after HDFS's lease limit of a minute when it is killed. It has no bytes, unlike
 * the Balancer's with its host's name: the disks may be full that a mover is to make room on, and a
 * DataNode may be silent.
 */
final class MoverConnection implements Arrivals.Question, Closeable {
  /** The lock's file. */
  static final Path LOCK = new Path("/system/tierwise-mover.id");

  private static final String NAME = "tierwise mover";

  /**
   * Own: a live DataNode hears of it with a heartbeat and closes one block, which takes seconds.
   */
  private static final long RECOVERY_NANOS_MAX = TimeUnit.SECONDS.toNanos(30);

  private static final long RECOVERY_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final NameNodeConnector connector;
  private final SaslDataTransferClient sasl;
  private final FreshReports reports;

  private MoverConnection(NameNodeConnector connector, Configuration conf) {
    this.connector = connector;
    this.sasl =
        new SaslDataTransferClient(
            conf,
            DataTransferSaslUtil.getSaslPropertiesResolver(conf),
            TrustedChannelResolver.getInstance(conf),
            connector.getFallbackToSimpleAuth());
    this.reports = new FreshReports(connector.getDistributedFileSystem(), conf);
  }

  /**
   * Takes the lock.
   *
   * @throws OperatorException when another mover has it, or when this user is no superuser
   */
  static MoverConnection open(URI nameNode, Configuration given) throws IOException {
    return open(nameNode, given, LockingFileSystem.class);
  }

  /** The same; a test may have one that stands still between two calls. */
  static MoverConnection open(
      URI nameNode, Configuration given, Class<? extends LockingFileSystem> kind)
      throws IOException {
    Configuration conf = new Configuration(given);
    // Locations as the NameNode gives them, and a connection that nobody else closes.
    conf.setClass("fs.hdfs.impl", kind, DistributedFileSystem.class);
    conf.setBoolean("fs.hdfs.impl.disable.cache", true);
    conf.set(LockingFileSystem.ATTEMPT_KEY, UUID.randomUUID().toString());
    // Else Hadoop closes it at Ctrl-C, before the lock is given back.
    conf.setBoolean(CommonConfigurationKeysPublic.FS_AUTOMATIC_CLOSE_KEY, false);
    long end = System.nanoTime() + RECOVERY_NANOS_MAX;
    Optional<MoverConnection> opened = tryOpen(nameNode, conf);
    while (opened.isEmpty()) {
      if (System.nanoTime() > end || Thread.currentThread().isInterrupted()) {
        throw OperatorException.cluster(
            "a mover was killed, and HDFS has yet to close its lock " + LOCK + ": try again", null);
      }
      LockSupport.parkNanos(RECOVERY_LOOK_NANOS);
      opened = tryOpen(nameNode, conf);
    }
    return opened.get();
  }

  /** Empty while HDFS closes the lock of a mover that was killed, which the first try begins. */
  private static Optional<MoverConnection> tryOpen(URI nameNode, Configuration conf)
      throws IOException {
    boolean opened = false;
    try {
      Optional<MoverConnection> connection = connect(nameNode, conf);
      opened = connection.isPresent();
      return connection;
    } catch (RemoteException e) {
      IOException cause = e.unwrapRemoteException();
      if (cause instanceof RecoveryInProgressException
          || cause instanceof FileAlreadyExistsException) {
        return Optional.empty();
      }
      if (cause instanceof AccessControlException) {
        throw notAllowed(e);
      }
      throw e;
    } catch (AccessControlException e) {
      throw notAllowed(e);
    } catch (FileAlreadyExistsException | FileNotFoundException e) {
      return Optional.empty(); // Another mover has taken it, or given it back, since the look.
    } catch (IOException e) {
      if (String.valueOf(e.getMessage()).startsWith("Another " + NAME)) {
        throw OperatorException.cluster(
            "another mover runs on this cluster, or one was killed less than a minute ago ("
                + LOCK
                + " is held): wait for its end",
            e);
      }
      throw e;
    } finally {
      LockingFileSystem.ended(conf.get(LockingFileSystem.ATTEMPT_KEY), opened);
    }
  }

  private static Optional<MoverConnection> connect(URI nameNode, Configuration conf)
      throws IOException {
    NameNodeConnector.setWrite2IdFile(false);
    NameNodeConnector connector =
        new NameNodeConnector(NAME, nameNode, LOCK, List.of(), conf, Integer.MAX_VALUE);
    boolean opened = false;
    try {
      if (!((LockingFileSystem) connector.getDistributedFileSystem()).holds()) {
        return Optional.empty(); // It stood still for so long that another mover has it.
      }
      connector.getKeyManager().startBlockKeyUpdater();
      MoverConnection connection = new MoverConnection(connector, conf);
      opened = true;
      return Optional.of(connection);
    } finally {
      if (!opened) {
        connector.close();
      }
    }
  }

  private static OperatorException notAllowed(IOException cause) {
    return OperatorException.cluster(
        "moving replicas needs HDFS's superuser: HDFS gives the keys of block tokens and the list"
            + " of volumes to nobody else (see dfs.permissions.superusergroup)",
        cause);
  }

  /** Whether a mover has the lock, or one was killed a moment ago. */
  static boolean isLocked(DistributedFileSystem fs) throws IOException {
    try {
      return !fs.isFileClosed(LOCK);
    } catch (FileNotFoundException e) {
      return false;
    }
  }

  /** Whether nobody else has taken the lock. */
  boolean holds() throws IOException {
    return ((LockingFileSystem) connector.getDistributedFileSystem()).holds();
  }

  /** What tells its name service from others, whatever name it is called by. */
  String blockPoolId() {
    return connector.getBlockpoolID();
  }

  DistributedFileSystem fs() {
    return connector.getDistributedFileSystem();
  }

  DatanodeStorageReport[] volumes() throws IOException {
    return connector.getLiveDatanodeStorageReport();
  }

  /** The DataNodes that live, with the transfers that they told of. */
  List<DatanodeInfo> liveNodes() throws IOException {
    return List.of(fs().getClient().datanodeReport(DatanodeReportType.LIVE));
  }

  /**
   * A file with its blocks' locations. Not by the call that readers make: that one would change the
   * file's access time.
   *
   * @throws FileNotFoundException when it is gone, or something else has its place
   */
  @Override
  public HdfsLocatedFileStatus locate(FileToMove file) throws IOException {
    HdfsLocatedFileStatus found = fs().getClient().getLocatedFileInfo(file.lastingPath(), false);
    if (found == null || found.getLocatedBlocks() == null) {
      throw new FileNotFoundException(file.path());
    }
    return found;
  }

  @Override
  public void late(LocatedBlock block) {
    reports.late(block);
  }

  Token<BlockTokenIdentifier> token(ExtendedBlock block, StorageType type, String storageId)
      throws IOException {
    return connector
        .getKeyManager()
        .getAccessToken(block, new StorageType[] {type}, new String[] {storageId});
  }

  /** The streams to a DataNode, with its protection agreed on. */
  IOStreamPair streams(Socket socket, DatanodeInfo node, Token<BlockTokenIdentifier> token)
      throws IOException {
    return sasl.socketSend(
        socket,
        socket.getOutputStream(),
        socket.getInputStream(),
        connector.getKeyManager(),
        token,
        node);
  }

  @Override
  public void close() {
    reports.close();
    connector.close();
  }
}
