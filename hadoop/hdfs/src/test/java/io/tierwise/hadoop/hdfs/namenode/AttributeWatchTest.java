package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.hdfs.server.namenode.XAttrFeature;
import org.junit.jupiter.api.Test;

/** The NameNode's own table of attribute names says whether ours was ever met. */
class AttributeWatchTest {
  @Test
  void saysNoUntilAnInodeCouldCarryTheNameAndYesEverAfter() {
    String name = "watched-" + System.nanoTime();
    AttributeWatch watch = new AttributeWatch(name);
    assertThat(watch.mayExist()).isFalse();
    for (int other = 0; other < 100; other++) {
      carry(name + "-" + other, 10);
      assertThat(watch.mayExist()).isFalse();
    }
    carry(name, AttributeWatch.VALUE_BYTES_MAX);
    assertThat(watch.mayExist()).isTrue();
    assertThat(new AttributeWatch(name).mayExist()).isTrue();
  }

  /** Hadoop keeps these whole, with their name: such an attribute has no policy's length either. */
  @Test
  void doesNotSeeValuesThatAreTooLongForAPolicy() {
    String name = "long-" + System.nanoTime();
    carry(name, AttributeWatch.VALUE_BYTES_MAX + 1);
    assertThat(new AttributeWatch(name).mayExist()).isFalse();
  }

  private static void carry(String name, int valueBytes) {
    XAttr attribute =
        new XAttr.Builder()
            .setNameSpace(XAttr.NameSpace.USER)
            .setName(name)
            .setValue(new byte[valueBytes])
            .build();
    assertThat(new XAttrFeature(List.of(attribute)).getXAttrs()).hasSize(1);
  }
}
