package io.tierwise.cli.process;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;

/**
 * A reader of a file that both DataNodes of a cluster hold. First one of them writes much at once,
 * then the other; the reader prints each time how many blocks came from the idle one.
 *
 * <p>The nodes are equally near, so HDFS itself asks either of them first, by the toss of a coin
 * for each block.
 */
final class BusyNodeReads {
  private static final int WRITERS = 12;
  private static final int BUSIER_BY = WRITERS / 2;
  private static final int WRITTEN_BLOCK_BYTES = 1 << 20;

  private BusyNodeReads() {}

  /** Reads the file of that path by the configuration on the class path. */
  public static void main(String[] path) throws Exception {
    try (FileSystem fs = FileSystem.newInstance(new HdfsConfiguration())) {
      read((DistributedFileSystem) fs, new Path(path[0]));
    }
  }

  /** What {@link #read} prints, of a file with so many blocks of which all come from idle nodes. */
  static String[] all(int blocks) {
    String line = blocks + " of " + blocks + " blocks from the idle node";
    return new String[] {line, line};
  }

  static void read(DistributedFileSystem fs, Path file) throws Exception {
    int turn = 0;
    for (DatanodeInfo busy : fs.getDataNodeStats()) {
      List<FSDataOutputStream> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        writers.add(writer(fs, new Path("/busy/" + turn + "-" + i), busy));
      }
      awaitBusy(fs, busy);
      System.out.println(idleBlocks(fs, file, busy));
      for (FSDataOutputStream writer : writers) {
        writer.close();
      }
      turn++;
    }
  }

  /** A file on that node alone that is being written. */
  private static FSDataOutputStream writer(DistributedFileSystem fs, Path file, DatanodeInfo node)
      throws IOException {
    InetSocketAddress[] there = {new InetSocketAddress(node.getIpAddr(), node.getXferPort())};
    FSDataOutputStream out =
        fs.create(
            file,
            FsPermission.getFileDefault(),
            true,
            4096,
            (short) 1,
            WRITTEN_BLOCK_BYTES,
            null,
            there);
    out.write(1);
    out.hflush();
    return out;
  }

  /** DataNodes tell the NameNode with each heartbeat how much they do. */
  private static void awaitBusy(DistributedFileSystem fs, DatanodeInfo busy) throws Exception {
    long deadline = System.nanoTime() + JavaProcesses.PATIENCE.toNanos();
    while (true) {
      int most = 0;
      int otherMost = 0;
      for (DatanodeInfo node : fs.getDataNodeStats()) {
        if (node.getDatanodeUuid().equals(busy.getDatanodeUuid())) {
          most = node.getXceiverCount();
        } else {
          otherMost = Math.max(otherMost, node.getXceiverCount());
        }
      }
      if (most >= otherMost + BUSIER_BY) {
        return;
      }
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(busy + " does " + most + ", another " + otherMost);
      }
      Thread.sleep(200);
    }
  }

  private static String idleBlocks(DistributedFileSystem fs, Path file, DatanodeInfo busy)
      throws IOException {
    int blockBytes = (int) fs.getFileStatus(file).getBlockSize();
    int blocks = (int) (fs.getFileStatus(file).getLen() / blockBytes);
    int idle = 0;
    try (FSDataInputStream in = fs.open(file)) {
      for (int block = 0; block < blocks; block++) {
        in.readFully(new byte[blockBytes]);
        DatanodeInfo served = ((HdfsDataInputStream) in).getCurrentDatanode();
        idle += served.getDatanodeUuid().equals(busy.getDatanodeUuid()) ? 0 : 1;
      }
    }
    return idle + " of " + blocks + " blocks from the idle node";
  }
}
