package io.tierwise.hadoop.mover;

import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Another name service, asked whether a mover moves on nodes that it shares with ours. It is asked
 * by a thread of its own, one call at a time, so that one that hangs delays nobody's news.
 */
final class OtherNameService {
  private static final Logger LOG = LoggerFactory.getLogger(OtherNameService.class);

  /** Own: a NameNode that works answers within a second, and a question is a few calls. */
  static final long CALL_NANOS_MAX = TimeUnit.SECONDS.toNanos(10);

  private final URI uri;
  private final Question question;
  private final KnownNameService known;
  private final LongSupplier nanos;
  private boolean asking;
  private long begunNanos;
  private boolean overdue;
  private boolean closed;
  private Silent silent;

  /** What may take long, or for ever. */
  interface Question extends Closeable {
    Answer ask() throws IOException;
  }

  /**
   * @param shares a DataNode with our name service
   * @param nodes on which its mover may move now
   */
  record Answer(boolean shares, Set<String> nodes) {}

  /**
   * One that could not always be asked.
   *
   * @param why in a few words
   */
  record Silent(URI service, String why) {}

  /**
   * @param known which may know from a mover before that it does not answer
   */
  OtherNameService(URI uri, Question question, KnownNameService known, LongSupplier nanos) {
    this.uri = uri;
    this.question = question;
    this.known = known;
    this.nanos = nanos;
    if (known.failure() != null) {
      unseen(known.failure());
    }
  }

  /** Has it asked if its time has come; the call that has begun. */
  synchronized Optional<CompletableFuture<Void>> look(Executor calls) {
    long now = nanos.getAsLong();
    if (asking) {
      if (!overdue && now - begunNanos > CALL_NANOS_MAX) {
        overdue = true;
        noAnswerWithin(CALL_NANOS_MAX);
      }
      return Optional.empty();
    }
    if (closed || !known.isDue(now)) {
      return Optional.empty();
    }
    begunNanos = now;
    overdue = false;
    asking = true;
    return Optional.of(CompletableFuture.runAsync(this::ask, calls));
  }

  private void ask() {
    try {
      answered(question.ask());
    } catch (IOException | RuntimeException | LinkageError e) {
      LOG.debug("{} does not say whether a mover runs there", uri, e);
      gaveNoAnswer(e);
    } finally {
      ended();
    }
  }

  private synchronized void answered(Answer answer) {
    if (closed) {
      return;
    }
    if (!answer.shares()) {
      silent = null; // Whatever it did not say concerned none of our nodes.
    }
    if (known.answered(nanos.getAsLong(), answer)) {
      LOG.info("{} says again whether a mover runs there", uri);
    }
  }

  /** A close ends calls: that they fail then says nothing. */
  private synchronized void gaveNoAnswer(Throwable why) {
    if (!closed && !overdue) {
      failed(String.valueOf(why.getMessage()).lines().findFirst().orElse("no reason given"));
    }
  }

  /**
   * A mover begins to move without its first answer, which may yet come: no failure, but moves did
   * not heed a mover there until then.
   */
  synchronized void movesBeginUnanswered(long waitedNanos) {
    if (asking && !known.isApart()) {
      unseen(silence(waitedNanos));
    }
  }

  private void noAnswerWithin(long waitedNanos) {
    failed(silence(waitedNanos));
  }

  private static String silence(long waitedNanos) {
    return "no answer within " + TimeUnit.NANOSECONDS.toSeconds(waitedNanos) + " s";
  }

  private void failed(String why) {
    boolean begins = known.failed(nanos.getAsLong(), why);
    if (begins) {
      LOG.info(
          "{} does not say whether a mover runs there ({}); it is asked again, after pauses of up"
              + " to {} s",
          uri,
          why,
          TimeUnit.NANOSECONDS.toSeconds(KnownNameService.FAILED_NANOS_MAX));
    }
    if (known.failure() != null) {
      unseen(why);
    }
  }

  private void unseen(String why) {
    if (silent == null) {
      silent = new Silent(uri, why);
    }
  }

  /** Whether a mover may move there, as far as was heard of late. */
  boolean movesOn(String nodeId) {
    return known.movesOn(nodeId, nanos.getAsLong());
  }

  /** It, once it could not be asked; else null. */
  synchronized Silent unseen() {
    return silent;
  }

  /** How long a mover that begins waits for the first answer. */
  long patienceNanos() {
    return known.patienceNanos();
  }

  private synchronized void ended() {
    asking = false;
    if (closed) {
      disconnect();
    }
  }

  /**
   * A call under way may still open a connection; the end of the call closes it. A call that
   * outlasted the mover's patience is noted as a failure, so that the next mover knows.
   */
  synchronized void close() {
    closed = true;
    if (!asking) {
      disconnect();
    } else if (!overdue && nanos.getAsLong() - begunNanos >= known.patienceNanos()) {
      noAnswerWithin(known.patienceNanos());
    }
  }

  private void disconnect() {
    try {
      question.close();
    } catch (IOException e) {
      LOG.debug("cannot close the connection to {}", uri, e);
    }
  }
}
