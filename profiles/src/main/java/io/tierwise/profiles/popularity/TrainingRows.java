package io.tierwise.profiles.popularity;

import io.tierwise.policies.popularity.UseFeatures;
import java.util.Arrays;

/**
 * The latest rows to learn from, as far as they fit: what was known of a file at the end of a
 * window, whether it was read in the next one, and how many files the row stands for.
 */
final class TrainingRows {
  private static final int WIDTH = UseFeatures.count();

  private final int capacity;
  private float[] features = new float[0];
  private float[] answers = new float[0];
  private float[] weights = new float[0];
  private long added;
  private long read;

  TrainingRows(int capacity) {
    this.capacity = capacity;
  }

  /**
   * Adds a row, in the place of the oldest one where there is no room.
   *
   * @param from holds the row
   * @param at where it begins
   */
  void add(float[] from, int at, boolean isRead, float weight) {
    int place = (int) (added++ % capacity);
    if (place == answers.length) {
      int length = Math.min(capacity, Math.max(1024, 2 * place));
      features = Arrays.copyOf(features, length * WIDTH);
      answers = Arrays.copyOf(answers, length);
      weights = Arrays.copyOf(weights, length);
    }
    System.arraycopy(from, at, features, place * WIDTH, WIDTH);
    answers[place] = isRead ? 1 : 0;
    weights[place] = weight;
    read += isRead ? 1 : 0;
  }

  /** Rows that are kept. */
  int count() {
    return (int) Math.min(added, capacity);
  }

  /** Rows that were ever added. */
  long added() {
    return added;
  }

  /** Whether files were read and files were not: else there is nothing to tell apart. */
  boolean differ() {
    return read > 0 && read < added;
  }

  /** The features of the rows that are kept, one row after the other. */
  float[] features() {
    return Arrays.copyOf(features, count() * WIDTH);
  }

  float[] answers() {
    return Arrays.copyOf(answers, count());
  }

  float[] weights() {
    return Arrays.copyOf(weights, count());
  }
}
