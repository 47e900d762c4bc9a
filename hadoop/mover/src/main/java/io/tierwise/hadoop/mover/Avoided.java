package io.tierwise.hadoop.mover;

import io.tierwise.core.message.Words;
import io.tierwise.core.view.Refusal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Volumes whose node took a move and gave no answer, as with a disk that hangs, and nodes that
 * refused all moves for minutes. Nothing is moved to or from them for a while, for twice as long
 * each time: a try costs a node's turns for as long as an answer is waited for. A daemon keeps this
 * from one run to the next. Safe for many threads.
 */
final class Avoided {
  /** Own: twice as long as answers are waited for by default. */
  static final long AWAY_NANOS_MIN = TimeUnit.MINUTES.toNanos(10);

  /** Own: a disk that was replaced gets blocks again on the same day. */
  static final long AWAY_NANOS_MAX = TimeUnit.HOURS.toNanos(1);

  /** Own: a pair of disks may hang together; with one more it is likely the node. */
  private static final int VOLUMES_OF_NODE_MAX = 2;

  /** Own: after a longer pause a busy node's time counts anew; slow rates ask it that seldom. */
  private static final long BUSY_PAUSE_NANOS_MAX = TimeUnit.MINUTES.toNanos(30);

  private final Consumer<String> say;

  /** By the keys of volumes and the ids of nodes. */
  private final Map<String, Place> places = new LinkedHashMap<>();

  private final Map<String, Long> madeNanos = new HashMap<>();
  private final Map<String, Busy> busy = new HashMap<>();

  /**
   * @param say is told a line for people when something is avoided from now on
   */
  Avoided(Consumer<String> say) {
    this.say = say;
  }

  /**
   * A volume, or a whole node.
   *
   * @param times that it was avoided since a move was made there
   */
  private record Place(Endpoint at, boolean wholeNode, int times, long sinceNanos) {
    long awayNanos() {
      return Math.min(AWAY_NANOS_MAX, AWAY_NANOS_MIN << Math.min(times - 1, 10));
    }

    boolean isAway(long nowNanos) {
      return nowNanos - sinceNanos < awayNanos();
    }
  }

  /**
   * A node that refuses moves.
   *
   * @param nanos for which it was asked and refused, between runs not counted
   * @param lastNanos when it refused last
   * @param asked whether it was asked in the run that goes on
   */
  private record Busy(long nanos, long lastNanos, boolean asked) {
    /** It refuses once more. */
    Busy again(long nowNanos) {
      long more = asked ? nowNanos - lastNanos : 0;
      return new Busy(nanos + more, nowNanos, true);
    }
  }

  /** Another run begins: nobody asked a busy node since the one before, whatever time passed. */
  synchronized void runBegins() {
    busy.replaceAll((node, before) -> new Busy(before.nanos(), before.lastNanos(), false));
  }

  /**
   * A node took a move and did not answer. Inside a node either volume may hang. One that made
   * another move meanwhile does not: then something is wrong with the block alone.
   */
  synchronized void silent(PlannedMove move, long begunNanos, long nowNanos) {
    List<Endpoint> suspects = new ArrayList<>(List.of(move.to()));
    if (move.inside()) {
      suspects.add(move.source());
    }
    suspects.removeIf(volume -> madeNanos.getOrDefault(volume.key(), begunNanos) > begunNanos);
    double seconds = (nowNanos - begunNanos) / 1e9;
    avoid(suspects, "took a move and did not answer for " + Words.duration(seconds), nowNanos);
  }

  /** The node of a move's source took the question for the replica and did not send it. */
  synchronized void silentSource(PlannedMove move, long nowNanos) {
    avoid(List.of(move.source()), "did not send a replica", nowNanos);
  }

  private void avoid(List<Endpoint> volumes, String what, long nowNanos) {
    List<Endpoint> news =
        volumes.stream().filter(volume -> avoid(volume, false, nowNanos)).toList();
    if (news.isEmpty()) {
      return;
    }
    Endpoint first = news.get(0);
    boolean node = countOf(first.nodeId(), nowNanos) > VOLUMES_OF_NODE_MAX;
    if (node) {
      boolean unused = avoid(first, true, nowNanos);
    }
    String where =
        node
            ? "all its volumes"
            : news.stream()
                .map(volume -> volume.type() + " " + volume.storageId())
                .collect(Collectors.joining(" and "));
    tell(first, what, where, places.get(first.key()), "; see whether a disk of it hangs");
  }

  private long countOf(String node, long nowNanos) {
    return places.values().stream()
        .filter(place -> !place.wholeNode() && place.at().nodeId().equals(node))
        .filter(place -> place.isAway(nowNanos))
        .count();
  }

  /** False when it was avoided before: several moves may tell of one loss. */
  private boolean avoid(Endpoint at, boolean wholeNode, long nowNanos) {
    String key = wholeNode ? at.nodeId() : at.key();
    Place old = places.get(key);
    if (old != null && old.isAway(nowNanos)) {
      return false;
    }
    places.put(key, new Place(at, wholeNode, old == null ? 1 : old.times() + 1, nowNanos));
    return true;
  }

  private void tell(Endpoint at, String what, String where, Place place, String advice) {
    say.accept(
        nameOf(at)
            + " "
            + what
            + ": nothing is moved to or from "
            + where
            + " for "
            + Words.duration(place.awayNanos() / 1e9)
            + ", blocks go elsewhere or stay"
            + advice);
  }

  private static String nameOf(Endpoint at) {
    return at.node().getHostName() + ":" + at.node().getXferPort();
  }

  /**
   * A node makes as many moves as it may, and refused one more.
   *
   * @param nanosMax for which it is asked again, in one run or several, while no move is made there
   * @return whether that is over: the node is avoided from now on
   */
  synchronized boolean isBusyTooLong(Endpoint at, long nanosMax, long nowNanos) {
    Busy before = busy.get(at.nodeId());
    boolean goesOn = before != null && nowNanos - before.lastNanos() <= BUSY_PAUSE_NANOS_MAX;
    Busy now = goesOn ? before.again(nowNanos) : new Busy(0, nowNanos, true);
    if (now.nanos() < nanosMax) {
      busy.put(at.nodeId(), now);
      return false;
    }
    busy.remove(at.nodeId());
    if (avoid(at, true, nowNanos)) {
      String what =
          "refused moves for "
              + Words.duration(now.nanos() / 1e9)
              + ", since it makes as many as it may";
      String advice = " (see dfs.datanode.balance.max.concurrent.moves there, and who else moves)";
      tell(at, what, "it", places.get(at.nodeId()), advice);
    }
    return true;
  }

  /** A DataNode said that it made a move. */
  synchronized void made(PlannedMove move, long nowNanos) {
    for (Endpoint at : List.of(move.to(), move.source())) {
      madeNanos.put(at.key(), nowNanos);
      places.remove(at.key());
      places.remove(at.nodeId());
      busy.remove(at.nodeId());
    }
  }

  /** Why a move is not to be made at this moment, for people; empty when it may be. */
  synchronized Optional<String> why(PlannedMove move, long nowNanos) {
    return Stream.of(move.to(), move.source())
        .filter(at -> isAvoided(at, nowNanos))
        .findFirst()
        .map(Avoided::why);
  }

  /** Which of a block's volumes is avoided, for people; empty when none is. */
  synchronized Optional<String> why(List<Endpoint> volumes, long nowNanos) {
    return volumes.stream().filter(at -> isAvoided(at, nowNanos)).findFirst().map(Avoided::why);
  }

  /** The first of all that is avoided, for people; empty when nothing is. */
  synchronized Optional<String> whyAny(long nowNanos) {
    return why(places.values().stream().map(Place::at).toList(), nowNanos);
  }

  private static String why(Endpoint at) {
    return nameOf(at) + " does not answer, or is too busy, and is left alone for a while";
  }

  synchronized boolean isAvoided(Endpoint at, long nowNanos) {
    return Stream.of(at.key(), at.nodeId())
        .map(places::get)
        .anyMatch(place -> place != null && place.isAway(nowNanos));
  }

  /** Has a view's volumes and nodes refuse blocks. */
  synchronized void refuseIn(ClusterSnapshot cluster, long nowNanos) {
    for (Place place : places.values()) {
      if (!place.isAway(nowNanos)) {
        continue;
      }
      if (place.wholeNode()) {
        cluster.refuse(place.at().nodeId(), Refusal.SLOW);
      } else {
        cluster.refuseVolume(place.at(), Refusal.SLOW);
      }
    }
  }
}
