package io.tierwise.policies.popularity;

import java.util.Arrays;
import java.util.Optional;

/**
 * How files were used in one window of time. Files are small numbers from 0 that the host gives; a
 * file keeps its number while it exists.
 *
 * <p>Some 17 bytes a file, in arrays. Filled by one thread: first which files there are, then the
 * reads in order of time. It can be {@link #begin begun} again for another window.
 */
public final class UseWindow {
  private static final byte ABSENT = 0;
  private static final byte KEPT = 1;
  private static final byte CREATED = 2;

  private final int fileCount;
  private final byte[] presence;
  private final int[] blocks;
  private final int[] reads;
  private final int[] readersMax;
  private final float[] firstSeconds;
  private final float[] lastSeconds;
  private double startSeconds;
  private double endSeconds;
  private UseWindow next;

  /**
   * An empty window.
   *
   * @param fileCount file numbers are below
   */
  public UseWindow(int fileCount) {
    this.fileCount = fileCount;
    presence = new byte[fileCount];
    blocks = new int[fileCount];
    reads = new int[fileCount];
    readersMax = new int[fileCount];
    firstSeconds = new float[fileCount];
    lastSeconds = new float[fileCount];
  }

  /** The same window, in arrays of its own: the host's feed uses this one's again. */
  public UseWindow copy() {
    UseWindow copy = new UseWindow(fileCount);
    copy.begin(startSeconds, endSeconds);
    System.arraycopy(presence, 0, copy.presence, 0, fileCount);
    System.arraycopy(blocks, 0, copy.blocks, 0, fileCount);
    System.arraycopy(reads, 0, copy.reads, 0, fileCount);
    System.arraycopy(readersMax, 0, copy.readersMax, 0, fileCount);
    System.arraycopy(firstSeconds, 0, copy.firstSeconds, 0, fileCount);
    System.arraycopy(lastSeconds, 0, copy.lastSeconds, 0, fileCount);
    copy.next = next;
    return copy;
  }

  /** Forgets everything and begins a window of that time. */
  public void begin(double startSeconds, double endSeconds) {
    if (!(endSeconds > startSeconds)) {
      throw new IllegalArgumentException(
          "a window from " + startSeconds + " to " + endSeconds + " s has no length");
    }
    this.startSeconds = startSeconds;
    this.endSeconds = endSeconds;
    next = null;
    Arrays.fill(presence, ABSENT);
    Arrays.fill(reads, 0);
    Arrays.fill(readersMax, 0);
  }

  /** No file exists any more, as far as is known; reads stay counted. */
  public void forgetFiles() {
    Arrays.fill(presence, ABSENT);
  }

  /** The number stands for another file from now on, which was not read yet. */
  public void renew(int file) {
    presence[file] = ABSENT;
    reads[file] = 0;
    readersMax[file] = 0;
  }

  /** The file exists at the window's end and is older than the window, as far as is known. */
  public void keep(int file, int blocks) {
    presence[file] = KEPT;
    this.blocks[file] = Math.max(1, blocks);
  }

  /** The file exists at the window's end and was created in this window. */
  public void create(int file, int blocks) {
    keep(file, blocks);
    presence[file] = CREATED;
  }

  /**
   * The file was read at that time.
   *
   * @param readers how many read it then, this one included
   */
  public void read(int file, double seconds, int readers) {
    float sinceStart = (float) (seconds - startSeconds);
    if (reads[file]++ == 0) {
      firstSeconds[file] = sinceStart;
    }
    lastSeconds[file] = sinceStart;
    readersMax[file] = Math.max(readersMax[file], readers);
  }

  /** Tells what will be: for hosts that replay a trace, and predictors that are a bound. */
  public void foresee(UseWindow next) {
    this.next = next;
  }

  /** The next window, where the host knows it. */
  public Optional<UseWindow> next() {
    return Optional.ofNullable(next);
  }

  /** File numbers are below. */
  public int fileCount() {
    return fileCount;
  }

  /** Whether the file exists at the window's end. */
  public boolean exists(int file) {
    return presence[file] != ABSENT;
  }

  /** Whether the file exists at the window's end and was created in this window. */
  public boolean isCreated(int file) {
    return presence[file] == CREATED;
  }

  /** At least 1; meaningless for a file that does not exist. */
  public int blocks(int file) {
    return blocks[file];
  }

  /** How often the file was read. */
  public int reads(int file) {
    return reads[file];
  }

  /** The most that read the file at one time. */
  public int readersMax(int file) {
    return readersMax[file];
  }

  /** When the file was read first in this window; meaningless for one that was not. */
  public double firstReadSeconds(int file) {
    return startSeconds + firstSeconds[file];
  }

  /** When the file was read last in this window; meaningless for one that was not. */
  public double lastReadSeconds(int file) {
    return startSeconds + lastSeconds[file];
  }

  /** When the window began. */
  public double startSeconds() {
    return startSeconds;
  }

  /** When it ended. */
  public double endSeconds() {
    return endSeconds;
  }
}
