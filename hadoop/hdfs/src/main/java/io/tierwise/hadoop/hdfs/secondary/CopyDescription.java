package io.tierwise.hadoop.hdfs.secondary;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * Describes a copy: what it was made of, and all that a file needs to be itself again.
 *
 * <p>Its file is a line of JSON, the checksums of the chunks as big-endian integers, and last a
 * CRC-32C of all that. So the store alone is enough to give every file back its name and bytes.
 *
 * @param pool the block pool, by which the NameNode's namespace is known
 * @param fileId of the inode that the copy belongs to when it is written
 * @param path of the file then
 * @param crc32c of all bytes
 * @param mode the file's rights, as a number
 * @param ecPolicy the erasure code's name; null for a replicated file
 * @param storagePolicy the name of HDFS's storage policy that held for it
 * @param attributes extended attributes of users
 * @param time when it was written
 */
public record CopyDescription(
    int v,
    String pool,
    long fileId,
    String path,
    long length,
    String crc32c,
    int chunkBytes,
    long mtime,
    String owner,
    String group,
    short mode,
    short replication,
    long blockBytes,
    String ecPolicy,
    String storagePolicy,
    Map<String, byte[]> attributes,
    String time) {
  public static final int VERSION = 1;

  private static final int CHUNK_BYTES_MAX = 64 << 20;
  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  public CopyDescription {
    attributes = attributes == null ? Map.of() : Map.copyOf(attributes);
  }

  /**
   * A description with the checksums that it came with.
   *
   * @param sums one a chunk
   */
  public record Checked(CopyDescription description, int[] sums) {}

  /** Whether it describes the same bytes, of whatever file. */
  public boolean hasBytesOf(CopyDescription other) {
    return length == other.length && crc32c.equals(other.crc32c);
  }

  /** The contents of its file. */
  public byte[] file(int[] sums) throws IOException {
    byte[] line = (MAPPER.writeValueAsString(this) + "\n").getBytes(StandardCharsets.UTF_8);
    ByteBuffer file = ByteBuffer.allocate(line.length + Integer.BYTES * (sums.length + 1));
    file.put(line);
    for (int sum : sums) {
      file.putInt(sum);
    }
    file.putInt(sumOf(file.array(), file.position()));
    return file.array();
  }

  /**
   * Reads the contents of a description's file.
   *
   * @throws IOException when it is damaged or of a newer version; the message says which
   */
  public static Checked parse(byte[] file) throws IOException {
    int end = file.length - Integer.BYTES;
    if (end < 1 || ByteBuffer.wrap(file).getInt(end) != sumOf(file, end)) {
      throw new IOException("its description is damaged");
    }
    int newline = 0;
    while (newline < end && file[newline] != '\n') {
      newline++;
    }
    CopyDescription read;
    try {
      read = MAPPER.readValue(file, 0, newline, CopyDescription.class);
    } catch (JsonProcessingException e) {
      throw new IOException("its description is not one", e);
    }
    if (read.v > VERSION) {
      throw new IOException(
          "its description is of version " + read.v + ": use the newer tierwise that wrote it");
    }
    int count = (end - newline - 1) / Integer.BYTES;
    if (read.chunkBytes < 1
        || read.chunkBytes > CHUNK_BYTES_MAX
        || count != (read.length + read.chunkBytes - 1) / read.chunkBytes) {
      throw new IOException("its description contradicts itself");
    }
    int[] sums = new int[count];
    ByteBuffer.wrap(file, newline + 1, end - newline - 1).asIntBuffer().get(sums);
    return new Checked(read, sums);
  }

  private static int sumOf(byte[] bytes, int length) {
    CRC32C sum = new CRC32C();
    sum.update(bytes, 0, length);
    return (int) sum.getValue();
  }
}
