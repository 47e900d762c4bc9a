package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.GroupMappingServiceProvider;
import org.apache.hadoop.security.Groups;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Limits by group, with the groups that Hadoop's mapping gives, or does not. */
class GroupLimitsIT {
  private static volatile List<String> groups = List.of();

  private static TieredCluster cluster;

  /** Answers as a directory service that is away does: with nothing. */
  public static final class Mapping implements GroupMappingServiceProvider {
    @Override
    public List<String> getGroups(String user) {
      return groups;
    }

    @Override
    public Set<String> getGroupsSet(String user) {
      return new LinkedHashSet<>(groups);
    }

    @Override
    public void cacheGroupsRefresh() {}

    @Override
    public void cacheGroupsAdd(List<String> users) {}
  }

  @BeforeAll
  static void start() throws IOException {
    cluster =
        TieredCluster.start(
            TieredCluster.settings(
                TieredCluster.THREE_TIERS
                    + """
                    limits:
                      - {groups: [staff], paths: [/limited], tiers: [fast, middle, slow]}
                      - {groups: [interns], paths: [/limited], tiers: [middle]}
                    """),
            "/r1",
            "/r1",
            "/r2");
    Configuration conf = new Configuration(false);
    conf.setClass(
        CommonConfigurationKeysPublic.HADOOP_SECURITY_GROUP_MAPPING,
        Mapping.class,
        GroupMappingServiceProvider.class);
    conf.setLong(CommonConfigurationKeysPublic.HADOOP_SECURITY_GROUPS_NEGATIVE_CACHE_SECS, 0);
    Groups.getUserToGroupsMappingServiceWithLoadedConfiguration(conf);
    cluster.directory("/limited", "layout:2 x fast");
    cluster.directory("/open", "layout:2 x fast");
  }

  @AfterAll
  static void stop() {
    Groups.getUserToGroupsMappingServiceWithLoadedConfiguration(new Configuration());
    cluster.close();
  }

  private static String write(String path, List<String> ofOwner) throws IOException {
    groups = ofOwner;
    Groups.getUserToGroupsMappingService().refresh();
    return cluster.tiersOfBlocks(cluster.write(new Path(path), 1, 2)).get(0);
  }

  private static long takeovers(StockReason reason) {
    return cluster.counters().stockTakeovers().getOrDefault(reason.label(), 0L);
  }

  @Test
  void limitsHoldWhereNobodyTellsTheGroupsOfAnOwner() throws IOException {
    assertThat(write("/limited/interns", List.of("interns"))).isEqualTo("middle middle");
    assertThat(write("/limited/staff", List.of("staff"))).isEqualTo("fast fast");
    assertThat(write("/limited/others", List.of("others"))).isEqualTo("fast fast");
    assertThat(takeovers(StockReason.LIMITED)).isPositive();
    assertThat(takeovers(StockReason.GROUPS_UNKNOWN)).isZero();

    assertThat(write("/limited/unknown", List.of())).isEqualTo("middle middle");
    assertThat(takeovers(StockReason.GROUPS_UNKNOWN)).isPositive();
    assertThat(write("/open/unknown", List.of())).as("no limit is here").isEqualTo("fast fast");
  }
}
