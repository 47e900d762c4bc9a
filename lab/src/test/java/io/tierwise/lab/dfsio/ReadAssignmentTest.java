package io.tierwise.lab.dfsio;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ReadAssignmentTest {
  private static final List<BenchPlace> PLACES = places();

  private static List<BenchPlace> places() {
    List<BenchPlace> places = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      places.add(new BenchPlace("node" + i, "127.1.0." + i, "/rack" + i / 3));
    }
    return places;
  }

  private static List<Set<String>> holders(int tasks) {
    List<Set<String>> holders = new ArrayList<>();
    for (int i = 0; i < tasks; i++) {
      holders.add(Set.of("node" + i % 9, "node" + (i + 3) % 9, "node" + (i + 4) % 9));
    }
    return holders;
  }

  private static long local(List<BenchPlace> assigned, List<Set<String>> holders) {
    long count = 0;
    for (int i = 0; i < assigned.size(); i++) {
      count += holders.get(i).contains(assigned.get(i).hostName()) ? 1 : 0;
    }
    return count;
  }

  @Property
  void noNodeGetsMoreThanItsSlots(
      @ForAll @IntRange(min = 1, max = 60) int tasks, @ForAll long seed) {
    List<BenchPlace> assigned = ReadAssignment.assign(PLACES, holders(tasks), 0.7, seed);

    int slots = (tasks + 8) / 9;
    assertThat(PLACES).allMatch(place -> Collections.frequency(assigned, place) <= slots);
    assertThat(assigned).hasSize(tasks);
  }

  @Test
  void theShareOfDataLocalTasksIsAsAsked() {
    List<Set<String>> holders = holders(18);

    assertThat(local(ReadAssignment.assign(PLACES, holders, 1, 5), holders)).isGreaterThan(14);
    assertThat(local(ReadAssignment.assign(PLACES, holders, 0, 5), holders)).isLessThan(4);
  }

  @Test
  void tasksThatAreNotLocalStayInARackOfTheirData() {
    List<Set<String>> holders = holders(9);

    List<BenchPlace> assigned = ReadAssignment.assign(PLACES, holders, 0, 1);

    for (int i = 0; i < assigned.size(); i++) {
      Set<String> hosts = holders.get(i);
      assertThat(PLACES.stream().filter(place -> hosts.contains(place.hostName())))
          .extracting(BenchPlace::rack)
          .contains(assigned.get(i).rack());
    }
  }

  @Property
  void theSameSeedAssignsTheSame(@ForAll long seed) {
    assertThat(ReadAssignment.assign(PLACES, holders(18), 0.66, seed))
        .isEqualTo(ReadAssignment.assign(PLACES, holders(18), 0.66, seed));
  }
}
