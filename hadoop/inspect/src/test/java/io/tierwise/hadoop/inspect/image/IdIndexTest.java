package io.tierwise.hadoop.inspect.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;

class IdIndexTest {
  @Test
  void findsEveryIdAndNoOther() {
    IdIndex index = new IdIndex(10_000);
    Random random = new Random(1);
    long[] ids = random.longs(10_000, 1, Long.MAX_VALUE).distinct().toArray();
    for (int i = 0; i < ids.length; i++) {
      assertThat(index.put(ids[i], i)).isTrue();
    }
    IdIndex grown = index.grown(30_000);
    for (int i = 0; i < ids.length; i++) {
      assertThat(index.get(ids[i])).isEqualTo(i);
      assertThat(grown.get(ids[i])).isEqualTo(i);
      assertThat(index.get(-ids[i])).isEqualTo(IdIndex.NONE);
    }
    assertThat(index.get(0)).isEqualTo(IdIndex.NONE);
  }

  @Test
  void saysWhenItIsFullAndKeepsTheLatestNumber() {
    IdIndex index = new IdIndex(0);
    int id = 1;
    while (index.put(id, id)) {
      id++;
    }
    assertThat(id).isLessThan(20);
    assertThat(index.get(id)).isEqualTo(IdIndex.NONE);
    assertThat(index.put(1, 7)).isTrue();
    assertThat(index.get(1)).isEqualTo(7);
    assertThatThrownBy(() -> new IdIndex(1L << 40)).isInstanceOf(IllegalArgumentException.class);
  }
}
