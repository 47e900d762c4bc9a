package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PluginStatusTest {
  @ParameterizedTest
  @ValueSource(strings = {"", "/", "/a", "/,/a", "/a,/", "/a,/,/b", "/a/b,/c.d/..e,/"})
  void pathsAreFoundAgainInTheirLine(String commaSeparated) {
    List<String> paths = commaSeparated.isEmpty() ? List.of() : List.of(commaSeparated.split(","));
    assertThat(PluginStatus.split(PluginStatus.join(paths))).isEqualTo(paths);
  }
}
