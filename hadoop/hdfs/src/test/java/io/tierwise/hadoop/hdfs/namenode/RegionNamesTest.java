package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.NetworkTopologyWithNodeGroup;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RegionNamesTest {
  private static RegionNames names(String mapping) {
    return names(mapping, new Configuration(false));
  }

  private static RegionNames names(String mapping, Configuration conf) {
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

  @ParameterizedTest
  @CsvSource({
    "/a/r1, one",
    "/a/r9, two",
    "/a/r9/u3, two",
    "/a/r91, one",
    "/dc1/r1, east",
    "/dc1, east",
    "/b/r1, rest",
    "/r1, rest"
  })
  void theLongestLocationCountsWithOrWithoutASlashAtItsEnd(String location, String region) {
    for (String mapping :
        new String[] {
          "/a=one,/a/r9=two,/dc1/=east,/=rest", "/=rest,/dc1//=east,/a/r9/=two,/a/=one"
        }) {
      assertThat(names(mapping).regionOf(location)).as(mapping).isEqualTo(region);
    }
  }

  /** Else each rack would be a region, in which its groups are racks. */
  @ParameterizedTest
  @CsvSource({"/r1/g1, default", "/east/r1/g1, east", "/a/g1, one", "/a/r1/g1, one"})
  void aNodeGroupIsPartOfItsRackAndNamesNoRegion(String location, String region) {
    Configuration conf = new Configuration(false);
    conf.setBoolean(DFSConfigKeys.DFS_USE_DFS_NETWORK_TOPOLOGY_KEY, false);
    conf.setClass(
        CommonConfigurationKeysPublic.NET_TOPOLOGY_IMPL_KEY,
        NetworkTopologyWithNodeGroup.class,
        NetworkTopology.class);
    RegionNames names = names("/a=one", conf);
    assertThat(names.regionOf(location)).isEqualTo(region);
    assertThat(names.rackOf(location) + "/g1").isEqualTo(location);
  }

  @Test
  void aTreeOfAClassThatIsNotHereHasNoNodeGroups() {
    Configuration conf = new Configuration(false);
    conf.setBoolean(DFSConfigKeys.DFS_USE_DFS_NETWORK_TOPOLOGY_KEY, false);
    conf.set(CommonConfigurationKeysPublic.NET_TOPOLOGY_IMPL_KEY, "com.example.Tree");
    assertThat(names("", conf).rackOf("/r1/g1")).isEqualTo("/r1/g1");
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
