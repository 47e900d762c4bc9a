package io.tierwise.lab.embedded.device;

import java.io.File;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.ref.WeakReference;
import java.net.InetAddress;
import java.nio.channels.FileChannel;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.net.SocketOutputStream;

/**
 * A DataNode's file operations, with the time that block data takes on the volume's {@link
 * EmulatedDevice} and on the way to or from whom the DataNode serves. Covers clients,
 * re-replication and every other stream alike.
 */
final class EmulatedFileIo extends FileIoProvider {
  private final Map<StorageType, EmulatedDevice> devices;
  private final InetAddress address;

  /** A thread serves one stream at a time. */
  private static final ThreadLocal<Transfer> TRANSFERS = new ThreadLocal<>();

  /**
   * @param devices one a storage type that the node has; other volumes cost no time
   * @param address the node's own
   */
  EmulatedFileIo(
      Configuration conf,
      DataNode node,
      Map<StorageType, EmulatedDevice> devices,
      InetAddress address) {
    super(conf, node);
    this.devices = Map.copyOf(devices);
    this.address = address;
  }

  private EmulatedDevice deviceOf(FsVolumeSpi volume) {
    return volume == null ? null : devices.get(volume.getStorageType());
  }

  @Override
  public void transferToSocketFully(
      FsVolumeSpi volume,
      SocketOutputStream socket,
      FileChannel channel,
      long position,
      int count,
      LongWritable waitTime,
      LongWritable transferTime)
      throws IOException {
    EmulatedDevice device = deviceOf(volume);
    if (device != null) {
      transferOf(device, channel).read(count);
    }
    super.transferToSocketFully(volume, socket, channel, position, count, waitTime, transferTime);
  }

  @Override
  public FileInputStream openAndSeek(FsVolumeSpi volume, File file, long offset)
      throws IOException {
    return open(volume, file, offset);
  }

  @Override
  public FileInputStream getShareDeleteFileInputStream(FsVolumeSpi volume, File file, long offset)
      throws IOException {
    return open(volume, file, offset);
  }

  private FileInputStream open(FsVolumeSpi volume, File file, long offset) throws IOException {
    EmulatedDevice device = deviceOf(volume);
    if (device == null) {
      return super.openAndSeek(volume, file, offset);
    }
    RandomAccessFile opened = new RandomAccessFile(file, "r");
    try {
      opened.seek(offset);
      return new TimedInput(opened.getFD(), new DeviceStream(device, address));
    } catch (IOException e) {
      opened.close();
      throw e;
    }
  }

  @Override
  public FileOutputStream getFileOutputStream(FsVolumeSpi volume, FileDescriptor descriptor) {
    EmulatedDevice device = deviceOf(volume);
    return device == null
        ? super.getFileOutputStream(volume, descriptor)
        : new TimedOutput(descriptor, new DeviceStream(device, address));
  }

  /** The stream of a channel that is copied without passing through this process. */
  private DeviceStream transferOf(EmulatedDevice device, FileChannel channel) {
    Transfer transfer = TRANSFERS.get();
    if (transfer == null || transfer.channel().get() != channel) {
      transfer = new Transfer(new WeakReference<>(channel), new DeviceStream(device, address));
      TRANSFERS.set(transfer);
    }
    return transfer.stream();
  }

  private record Transfer(WeakReference<FileChannel> channel, DeviceStream stream) {}

  private static final class TimedInput extends FileInputStream {
    private final DeviceStream stream;

    TimedInput(FileDescriptor descriptor, DeviceStream stream) {
      super(descriptor);
      this.stream = stream;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      int count = super.read(buffer, offset, length);
      if (count > 0) {
        stream.read(count);
      }
      return count;
    }

    @Override
    public int read(byte[] buffer) throws IOException {
      return read(buffer, 0, buffer.length);
    }
  }

  private static final class TimedOutput extends FileOutputStream {
    private final DeviceStream stream;

    TimedOutput(FileDescriptor descriptor, DeviceStream stream) {
      super(descriptor);
      this.stream = stream;
    }

    @Override
    public void write(byte[] buffer, int offset, int length) throws IOException {
      stream.write(length);
      super.write(buffer, offset, length);
    }

    @Override
    public void write(byte[] buffer) throws IOException {
      write(buffer, 0, buffer.length);
    }
  }
}
