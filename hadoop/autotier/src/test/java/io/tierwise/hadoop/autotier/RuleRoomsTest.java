package io.tierwise.hadoop.autotier;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.hdfs.tiers.PathPattern;
import io.tierwise.policies.rules.FileRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RuleRoomsTest {
  private static final long MIB = 1 << 20;
  private static final RuleBook BOOK =
      new RuleBook(
          "rules.txt",
          FileRules.parse(
                  "rules.txt",
                  List.of(
                      "path matches /a -> tier ssd",
                      "path matches /b -> tier ssd",
                      "path matches /c -> replicas 5"))
              .stream()
              .map(rule -> new RuleBook.Entry(rule, new PathPattern(rule.pattern())))
              .toList());

  /** Rules that want so many MiB: two in the tier, and the last of replicas. */
  private static RuleRooms rooms(long tierRoom, long room, long... wanted) {
    return onNodes(5, tierRoom, room, wanted);
  }

  private static RuleRooms onNodes(int replicasMax, long tierRoom, long room, long... wanted) {
    List<RuleRooms.Asked> asked = new ArrayList<>();
    for (int i = 0; i < wanted.length; i++) {
      long bytes = wanted[i] * MIB;
      asked.add(
          new RuleRooms.Asked(
              BOOK.entries().get(i).rule(), i == 2 ? bytes : 0, i == 2 ? 0 : bytes));
    }
    return new RuleRooms(
        BOOK,
        asked,
        new Hardware(true, 3, replicasMax, 5, room * MIB, Map.of("ssd", tierRoom * MIB)));
  }

  @Test
  void whatFitsIsNotRefused() {
    RuleRooms rooms = rooms(6, 3, 5, 1, 2);
    assertThat(rooms.refused()).isEmpty();
    assertThat(rooms.roomBytes()).isEqualTo(MIB);
    assertThat(rooms.roomBytes("ssd")).isZero();
  }

  @Test
  void aFullTierRefusesTheRuleThatWouldFillItAlone() {
    RuleRooms rooms = rooms(5, 3, 6, 5, 3);
    assertThat(rooms.refused().keySet()).containsExactly("rules.txt:1");
    assertThat(rooms.refused().get("rules.txt:1"))
        .isEqualTo(
            "rules.txt:1: would put 6.0 MiB on ssd, and there is room for 5.0 MiB beyond"
                + " --keep-free: none of its files is changed");
    assertThat(rooms(5, 3, 5, 1, 4).refused().keySet())
        .containsExactly("rules.txt:2", "rules.txt:3");
  }

  @Test
  void aRuleThatWantsMoreReplicasThanNodesAreInServiceWaitsForThem() {
    RuleRooms rooms = onNodes(4, 6, 3, 5, 1, 2);
    assertThat(rooms.refused())
        .containsExactly(
            Map.entry(
                "rules.txt:3",
                "rules.txt:3: wants 5 replicas, and a file can have 4 while nodes are out of"
                    + " service: none of its files is changed"));
    assertThat(rooms.roomBytes()).as("room that it does not take").isEqualTo(3 * MIB);
    assertThat(onNodes(4, 6, 3, 5, 1, 0).refused()).as("its files are as it wants them").isEmpty();
  }
}
