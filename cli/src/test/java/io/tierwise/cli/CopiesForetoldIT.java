package io.tierwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;

/** What commands that change layouts say of copies before HDFS makes them. */
class CopiesForetoldIT extends MoveDataCluster {
  /** Each file has three replicas on four nodes, of which two are in the west. */
  @Test
  void copiesWithoutAPlaceAreToldAndNothingIsChanged() throws IOException {
    String[] copy = {"file", "copy-to", "/warehouse", "--region", "west", "--copies", "3"};

    CommandRun run = run(copy);

    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.FAILED);
    assertThat(run.unfolded())
        .contains("would be under layout:3 x any in region west", "would come", "used then")
        .contains("no node may take it now");
    assertThat(run.err()).contains("nothing was changed: ", "--anyway").hasLineCount(1);
    JsonNode plan = json(run(with(copy, "--dry-run", "--json")));
    assertThat(plan.path("complete").asBoolean(true)).isFalse();
    assertThat(plan.path("forecast").path("left").get(0).path("fault").asBoolean()).isTrue();
    assertThat(fs.getXAttrs(WAREHOUSE)).isEmpty();
    assertThat(run("journal", "--command", "file copy-to").out()).doesNotContain("west");
  }

  /** Only HDFS's superuser may list volumes, and whoever owns a file may change it. */
  @Test
  void whoMayNotListVolumesIsToldThatNobodyLookedForRoom() throws Exception {
    fs.setOwner(WAREHOUSE, "alice", null);
    for (int i = 0; i < 3; i++) {
      fs.setOwner(new Path(WAREHOUSE, "part-" + i), "alice", null);
    }
    String[] copy = {"file", "copy-to", "/warehouse", "--tier", "ssd", "--json"};
    CommandRun hers =
        UserGroupInformation.createRemoteUser("alice")
            .doAs((PrivilegedExceptionAction<CommandRun>) () -> run(copy));

    assertThat(hers.exitCode()).as(hers.err()).isZero();
    assertThat(json(hers).path("changed").asBoolean()).isTrue();
    assertThat(json(hers).path("forecast").isNull()).isTrue();
    assertThat(json(hers).path("forecast_unknown").asText()).contains("superuser");
  }
}
