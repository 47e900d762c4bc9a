package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.hdfs.server.namenode.XAttrFeature;
import org.junit.jupiter.api.Test;

/** The values that are kept are always those that the inode carries. */
class AttributeValuesTest {
  private static final int DIRECTORIES = 2_000;

  private final AttributeValues values = new AttributeValues("user.kept");

  @Test
  void eachDirectoryHasItsOwnValueHoweverManyThereAre() {
    List<XAttrFeature> directories = new ArrayList<>();
    for (int i = 0; i < DIRECTORIES; i++) {
      XAttr kept = attribute("kept", "value " + i);
      directories.add(new XAttrFeature(List.of(attribute("other", "x"), kept)));
    }
    for (int turn = 0; turn < 2; turn++) {
      for (int i = 0; i < DIRECTORIES; i++) {
        assertThat(values.ofDirectory(directories.get(i))).isEqualTo("value " + i);
      }
    }
  }

  @Test
  void aValueMayBeMissingEmptyOrLong() {
    assertThat(values.ofDirectory(new XAttrFeature(List.of(attribute("other", "x"))))).isNull();
    assertThat(values.ofDirectory(new XAttrFeature(List.of(attribute("kept", null))))).isEmpty();
    String text = "x".repeat(2 * AttributeWatch.VALUE_BYTES_MAX);
    assertThat(values.ofDirectory(new XAttrFeature(List.of(attribute("kept", text)))))
        .isEqualTo(text);
  }

  private static XAttr attribute(String name, String value) {
    return new XAttr.Builder()
        .setNameSpace(XAttr.NameSpace.USER)
        .setName(name)
        .setValue(value == null ? null : value.getBytes(StandardCharsets.UTF_8))
        .build();
  }
}
