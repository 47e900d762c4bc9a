package io.tierwise.hadoop.hdfs.client;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.fs.ByteBufferPositionedReadable;
import org.apache.hadoop.fs.ByteBufferReadable;
import org.apache.hadoop.fs.CanSetDropBehind;
import org.apache.hadoop.fs.CanSetReadahead;
import org.apache.hadoop.fs.CanUnbuffer;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.HasEnhancedByteBufferAccess;
import org.apache.hadoop.fs.PositionedReadable;
import org.apache.hadoop.fs.ReadOption;
import org.apache.hadoop.fs.Seekable;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.io.ByteBufferPool;

/**
 * Measures how long a stream's reads take, and is otherwise the stream. Used only under a strategy
 * that learns, or leaves slow replicas.
 *
 * @param <S> all that Hadoop's plain and decrypting streams have in common
 */
final class TimedStream<
        S extends
            InputStream & Seekable & PositionedReadable & ByteBufferReadable & CanSetDropBehind
                & CanSetReadahead & HasEnhancedByteBufferAccess & CanUnbuffer & StreamCapabilities
                & ByteBufferPositionedReadable>
    extends FSInputStream
    implements ByteBufferReadable,
        CanSetDropBehind,
        CanSetReadahead,
        HasEnhancedByteBufferAccess,
        CanUnbuffer,
        StreamCapabilities,
        ByteBufferPositionedReadable {
  private final S stream;
  private final StreamReads reads;
  private final BooleanSupplier leaves;

  /**
   * @param reads told when a read begins and ends
   * @param leaves asked after a sequential read: whether the stream should choose a replica anew
   */
  TimedStream(S stream, StreamReads reads, BooleanSupplier leaves) {
    this.stream = stream;
    this.reads = reads;
    this.leaves = leaves;
  }

  /**
   * The next read chooses a replica, as any read does that follows a seek out of the block. So that
   * read also handles whatever goes wrong with the new one, as always.
   */
  private void leaveIfSlow() throws IOException {
    if (leaves.getAsBoolean()) {
      long position = stream.getPos();
      stream.seek(Math.max(0, position - 1));
      stream.seek(position);
    }
  }

  @Override
  public int read() throws IOException {
    int value;
    reads.begin();
    try {
      value = stream.read();
    } finally {
      reads.end();
    }
    leaveIfSlow();
    return value;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    int count;
    reads.begin();
    try {
      count = stream.read(buffer, offset, length);
    } finally {
      reads.end();
    }
    leaveIfSlow();
    return count;
  }

  @Override
  public int read(ByteBuffer buffer) throws IOException {
    int count;
    reads.begin();
    try {
      count = stream.read(buffer);
    } finally {
      reads.end();
    }
    leaveIfSlow();
    return count;
  }

  @Override
  public int read(long position, byte[] buffer, int offset, int length) throws IOException {
    reads.begin();
    try {
      return stream.read(position, buffer, offset, length);
    } finally {
      reads.end();
    }
  }

  @Override
  public int read(long position, ByteBuffer buffer) throws IOException {
    reads.begin();
    try {
      return stream.read(position, buffer);
    } finally {
      reads.end();
    }
  }

  @Override
  public void readFully(long position, ByteBuffer buffer) throws IOException {
    reads.begin();
    try {
      stream.readFully(position, buffer);
    } finally {
      reads.end();
    }
  }

  @Override
  public ByteBuffer read(ByteBufferPool pool, int lengthMax, EnumSet<ReadOption> options)
      throws IOException {
    reads.begin();
    try {
      return stream.read(pool, lengthMax, options);
    } finally {
      reads.end();
    }
  }

  @Override
  public void releaseBuffer(ByteBuffer buffer) {
    stream.releaseBuffer(buffer);
  }

  @Override
  public long skip(long count) throws IOException {
    return stream.skip(count);
  }

  @Override
  public int available() throws IOException {
    return stream.available();
  }

  @Override
  public void seek(long position) throws IOException {
    stream.seek(position);
  }

  @Override
  public long getPos() throws IOException {
    return stream.getPos();
  }

  @Override
  public boolean seekToNewSource(long position) throws IOException {
    return stream.seekToNewSource(position);
  }

  @Override
  public void setReadahead(Long readahead) throws IOException {
    stream.setReadahead(readahead);
  }

  @Override
  public void setDropBehind(Boolean dropBehind) throws IOException {
    stream.setDropBehind(dropBehind);
  }

  @Override
  public void unbuffer() {
    stream.unbuffer();
  }

  @Override
  public boolean hasCapability(String capability) {
    return stream.hasCapability(capability);
  }

  @Override
  public void close() throws IOException {
    stream.close();
  }

  @Override
  public String toString() {
    return stream.toString();
  }
}
