package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RegionNamesTest {
  private static RegionNames names(String mapping) {
    Configuration conf = new Configuration(false);
    conf.set(RegionNames.REGIONS_KEY, mapping);
    return new RegionNames(conf);
  }

  @ParameterizedTest
  @CsvSource({
    "/east/r1, east",
    "/east/row/r1, east",
    "/r1, default",
    "/a/r9, one",
    "/a, one",
    "/ab/r9, ab",
    "/b/row1/r1, two",
    "/b/row2/r1, b"
  })
  void mappingIsStrongerThanTheFirstOfSeveralLevels(String location, String region) {
    assertThat(names("/a=one, /b/row1=two").regionOf(location)).isEqualTo(region);
  }

  @Test
  void badPairNamesTheKeyAndTheValue() {
    for (String pair : new String[] {"a=one", "/a", "/a=", "=one"}) {
      assertThatThrownBy(() -> names(pair))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(RegionNames.REGIONS_KEY)
          .hasMessageContaining(pair);
    }
  }
}
