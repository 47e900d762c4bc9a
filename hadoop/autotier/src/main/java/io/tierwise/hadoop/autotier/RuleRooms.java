package io.tierwise.hadoop.autotier;

import io.tierwise.core.message.Words;
import io.tierwise.policies.rules.FileRule;
import io.tierwise.policies.rules.RuleAction;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Refuses rules that would fill a tier or the cluster, and such as want more replicas than nodes
 * are in service now. A rule gets room for all of its files or for none; other rules go on.
 */
final class RuleRooms {
  private final RuleBook book;
  private final Map<String, Long> tierRoom;
  private final Map<String, String> refused = new LinkedHashMap<>();
  private final int replicasMax;
  private long room;

  /**
   * A rule with all of its files.
   *
   * @param replicaBytes of replicas that come, less those that go
   * @param tierBytes of blocks without a replica in its tier
   */
  record Asked(FileRule rule, long replicaBytes, long tierBytes) {}

  /** Gives room to one rule after the other. */
  RuleRooms(RuleBook book, List<Asked> all, Hardware hardware) {
    this.book = book;
    room = hardware.roomBytes();
    replicasMax = hardware.replicasMax();
    tierRoom = new LinkedHashMap<>(hardware.tierRoom());
    all.forEach(this::ask);
  }

  private void ask(Asked asked) {
    if (asked.replicaBytes() > 0
        && asked.rule().action() instanceof RuleAction.Replicas wanted
        && wanted.count() > replicasMax) {
      refuse(
          asked.rule(),
          "wants "
              + wanted.count()
              + " replicas, and a file can have "
              + replicasMax
              + " while nodes are out of service");
    } else if (asked.replicaBytes() > room) {
      refuse(asked.rule(), "its replicas would take " + Words.bytes(asked.replicaBytes()), room);
    } else {
      room -= asked.replicaBytes();
    }
    if (asked.rule().action() instanceof RuleAction.InTier wanted) {
      long left = tierRoom.getOrDefault(wanted.tier(), 0L);
      if (asked.tierBytes() > left) {
        refuse(
            asked.rule(),
            "would put " + Words.bytes(asked.tierBytes()) + " on " + wanted.tier(),
            left);
      } else {
        tierRoom.put(wanted.tier(), left - asked.tierBytes());
      }
    }
  }

  private void refuse(FileRule rule, String asks, long left) {
    refuse(rule, asks + ", and there is room for " + Words.bytes(left) + " beyond --keep-free");
  }

  private void refuse(FileRule rule, String why) {
    refused.put(book.at(rule), book.at(rule) + ": " + why + ": none of its files is changed");
  }

  /** Why rules were refused, by their places. */
  Map<String, String> refused() {
    return refused;
  }

  /** What is left for replicas that no rule asks for. */
  long roomBytes() {
    return room;
  }

  /** What is left of a tier, likewise. */
  long roomBytes(String tier) {
    return tierRoom.getOrDefault(tier, 0L);
  }
}
