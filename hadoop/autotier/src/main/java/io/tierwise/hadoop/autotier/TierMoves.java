package io.tierwise.hadoop.autotier;

import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.mover.MoveOrder;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.MoverJob;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Plans what rules want in tiers: one run of the mover for each rule and number of replicas. */
final class TierMoves {
  private final MoverCluster cluster;
  private final AutotierSettings settings;
  private final RuleBook book;

  private record Group(RuleBook.Entry entry, String tier, String layout) {}

  TierMoves(MoverCluster cluster, AutotierSettings settings, RuleBook book) {
    this.cluster = cluster;
    this.settings = settings;
    this.book = book;
  }

  /**
   * Refuses rules that would fill a tier.
   *
   * @throws OperatorException one line that names the rule's line
   */
  static void requireRoom(
      RuleBook book,
      List<RoundPlan.Change> changes,
      List<RuleWalk.Moving> moves,
      Hardware hardware) {
    long coming = 0;
    for (RoundPlan.Change change : changes) {
      coming += change.storedBytes();
      if (coming > hardware.roomBytes()) {
        throw OperatorException.badInput(
            change.by()
                + ": its replicas would take more than the "
                + Words.bytes(hardware.roomBytes())
                + " that there is room for beyond --keep-free: nothing was changed");
      }
    }
    Map<String, Long> left = new LinkedHashMap<>(hardware.tierRoom());
    Map<RuleBook.Entry, Long> wanted = new LinkedHashMap<>();
    for (RuleWalk.Moving move : moves) {
      wanted.merge(move.entry(), move.missingBytes(), Long::sum);
    }
    for (Map.Entry<RuleBook.Entry, Long> each : wanted.entrySet()) {
      String tier = tierOf(moves, each.getKey());
      long room = left.getOrDefault(tier, 0L);
      if (each.getValue() > room) {
        throw OperatorException.badInput(
            book.at(each.getKey().rule())
                + ": would put "
                + Words.bytes(each.getValue())
                + " on "
                + tier
                + ", which has room for "
                + Words.bytes(room)
                + " beyond --keep-free: nothing was changed");
      }
      left.put(tier, room - each.getValue());
    }
  }

  private static String tierOf(List<RuleWalk.Moving> moves, RuleBook.Entry entry) {
    return moves.stream()
        .filter(move -> move.entry().equals(entry))
        .findFirst()
        .map(RuleWalk.Moving::tier)
        .orElseThrow();
  }

  /** The runs, with what the mover says of each. */
  List<RoundPlan.TierMove> plan(List<RuleWalk.Moving> moves) throws IOException {
    Map<Group, List<String>> groups = new LinkedHashMap<>();
    for (RuleWalk.Moving move : moves) {
      groups
          .computeIfAbsent(
              new Group(move.entry(), move.tier(), layout(move.tier(), move.replicas())),
              group -> new ArrayList<>())
          .add(move.path());
    }
    List<RoundPlan.TierMove> planned = new ArrayList<>();
    for (Map.Entry<Group, List<String>> each : groups.entrySet()) {
      Group group = each.getKey();
      planned.add(
          new RoundPlan.TierMove(
              book.at(group.entry().rule()),
              group.tier(),
              group.layout(),
              each.getValue(),
              null,
              job(cluster, group.layout(), each.getValue()).plan(settings.moving())));
    }
    return planned;
  }

  static String layout(String tier, int replicas) {
    return "1 x " + tier + (replicas > 1 ? " + " + (replicas - 1) + " x any" : "");
  }

  static MoverJob job(MoverCluster cluster, String layout, List<String> paths) {
    return MoverJob.of(cluster, MoveOrder.to(layout, paths, cluster.tiers()));
  }
}
