package io.tierwise.benchmarks.movement;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Does pieces of work at even distances in time, by some threads that wait for each one's turn. */
final class SteadyWork {
  /** A piece of work. */
  @FunctionalInterface
  interface Piece {
    /**
     * @param number from 0
     */
    void make(int number) throws IOException;
  }

  private final AtomicInteger next = new AtomicInteger();
  private final int pieces;
  private final long everyNanos;
  private final Piece piece;
  private final long startNanos = System.nanoTime();

  private SteadyWork(int pieces, double everySeconds, Piece piece) {
    this.pieces = pieces;
    this.everyNanos = (long) (everySeconds * 1e9);
    this.piece = piece;
  }

  /**
   * Begins at once; the answer is there when all pieces are made, or one has failed.
   *
   * @param everySeconds from a piece's start to the next one's
   */
  static CompletableFuture<Void> begin(int threads, int pieces, double everySeconds, Piece piece) {
    SteadyWork work = new SteadyWork(pieces, everySeconds, piece);
    List<CompletableFuture<Void>> ends = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      CompletableFuture<Void> end = new CompletableFuture<>();
      ends.add(end);
      Thread thread = new Thread(() -> work.run(end), "steady-" + i);
      thread.setDaemon(true);
      thread.start();
    }
    return CompletableFuture.allOf(ends.toArray(new CompletableFuture<?>[0]));
  }

  private void run(CompletableFuture<Void> end) {
    try {
      for (int number = next.getAndIncrement(); number < pieces; number = next.getAndIncrement()) {
        long at = startNanos + number * everyNanos;
        for (long left = at - System.nanoTime(); left > 0; left = at - System.nanoTime()) {
          LockSupport.parkNanos(left);
        }
        piece.make(number);
      }
      end.complete(null);
    } catch (IOException | RuntimeException e) {
      end.completeExceptionally(new CompletionException(e));
    }
  }
}
