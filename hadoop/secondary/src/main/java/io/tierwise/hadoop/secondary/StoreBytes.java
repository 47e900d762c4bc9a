package io.tierwise.hadoop.secondary;

import io.tierwise.hadoop.hdfs.secondary.SecondaryStore;
import java.io.IOException;
import java.util.function.LongUnaryOperator;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicyInfo;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcErrorCodeProto;

/**
 * Bytes that a copy takes in a store, with all replicas or with its parity: 3 for each byte on an
 * HDFS as it is by default, 5/3 under RS-3-2, 1 on any other file system, whose own protection
 * nobody tells. A copy under an erasure code that is shorter than a stripe takes more: its parity
 * is as long as its first cell.
 */
final class StoreBytes {
  private StoreBytes() {}

  /** Asks the store, where it is HDFS. */
  static LongUnaryOperator of(SecondaryStore store) throws IOException {
    if (!(store.fs() instanceof DistributedFileSystem hdfs)) {
      return LongUnaryOperator.identity();
    }
    ErasureCodingPolicy code = code(hdfs, store.root());
    if (code == null) {
      int replicas = hdfs.getDefaultReplication(store.root());
      return bytes -> bytes * replicas;
    }
    return bytes -> coded(bytes, code);
  }

  /** Null without one; an HDFS of before Hadoop 3 does not know the question, and has none. */
  private static ErasureCodingPolicy code(DistributedFileSystem hdfs, Path root)
      throws IOException {
    try {
      return hdfs.getErasureCodingPolicy(root);
    } catch (RemoteException e) {
      if (e.getErrorCode() == RpcErrorCodeProto.ERROR_NO_SUCH_METHOD) {
        return null;
      }
      throw e;
    }
  }

  /** What a file takes in HDFS when it is back, by what its copy says of it. */
  static long inHdfs(SecondaryTier tier, PrimaryFile file) throws IOException {
    String code = tier.stores().find(file.soughtCopy()).checked().description().ecPolicy();
    for (ErasureCodingPolicyInfo each : tier.fs().getClient().getErasureCodingPolicies()) {
      if (each.getPolicy().getName().equals(code)) {
        return coded(file.knownBytes(), each.getPolicy());
      }
    }
    return file.knownBytes() * file.status().getReplication();
  }

  private static long coded(long bytes, ErasureCodingPolicy code) {
    int firstParity = code.getNumDataUnits();
    return bytes
        + code.getNumParityUnits()
            * StripedBlockUtil.getInternalBlockLength(bytes, code, firstParity);
  }
}
