package io.tierwise.lab.dfsio;

/**
 * One task: writes or reads one file, as TestDFSIO's maps do.
 *
 * @param index from 0
 * @param place where it runs
 * @param path of its file
 * @param bytes of its file
 * @param kind what the file holds
 * @param seed makes the content again
 * @param checksum CRC-32C of the content that a reader must get; 0 before it was written
 */
public record DfsioTask(
    int index,
    BenchPlace place,
    String path,
    long bytes,
    BenchContent.Kind kind,
    long seed,
    long checksum) {
  /** The same file, expected to have that checksum, read or written from another place. */
  public DfsioTask at(BenchPlace otherPlace, long writtenChecksum) {
    return new DfsioTask(index, otherPlace, path, bytes, kind, seed, writtenChecksum);
  }
}
