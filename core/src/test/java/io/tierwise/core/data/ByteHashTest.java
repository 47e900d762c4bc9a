package io.tierwise.core.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ByteHashTest {
  private static long hash(String text, long seed) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return ByteHash.hash(bytes, 0, bytes.length, seed);
  }

  @Test
  void dependsOnTheBytesAloneAndNotOnWhereTheyStand() {
    byte[] shifted = "xyz/a/name of some length".getBytes(StandardCharsets.UTF_8);

    assertThat(ByteHash.hash(shifted, 3, shifted.length, 7))
        .isEqualTo(hash("/a/name of some length", 7))
        .isNotEqualTo(hash("/a/name of some length", 8));
  }

  /** Numbered names are those that clusters are full of: none may fall on another. */
  @Test
  void numberedNamesKeepApartInAllBits() {
    Set<Long> seen = new HashSet<>();
    int[] bitCounts = new int[Long.SIZE];
    int names = 200_000;
    for (int i = 0; i < names; i++) {
      long hash = hash("/warehouse/db/table/part-" + i, 0);
      seen.add(hash);
      for (int bit = 0; bit < Long.SIZE; bit++) {
        bitCounts[bit] += (int) ((hash >>> bit) & 1);
      }
    }

    assertThat(seen).hasSize(names);
    for (int count : bitCounts) {
      // Ten standard deviations of a fair coin.
      assertThat(count).isBetween(names / 2 - 2_240, names / 2 + 2_240);
    }
  }

  @Test
  void zeroBytesAtTheEndCount() {
    assertThat(hash("a\0", 0)).isNotEqualTo(hash("a", 0)).isNotEqualTo(hash("a\0\0", 0));
  }
}
