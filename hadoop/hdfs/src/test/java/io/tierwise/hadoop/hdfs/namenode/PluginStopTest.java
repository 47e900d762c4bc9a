package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.Test;

class PluginStopTest {
  @Test
  void aPartThatCannotBeClosedKeepsNoOtherOpen() {
    assertThatCode(() -> TierwiseNameNodePlugin.end(null)).doesNotThrowAnyException();
    assertThatCode(
            () ->
                TierwiseNameNodePlugin.end(
                    () -> {
                      throw new IllegalStateException("is gone");
                    }))
        .doesNotThrowAnyException();
  }
}
