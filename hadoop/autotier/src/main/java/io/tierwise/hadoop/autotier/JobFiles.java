package io.tierwise.hadoop.autotier;

import io.tierwise.hadoop.autotier.jobs.StagedInput;
import io.tierwise.hadoop.hdfs.secondary.Placeholder;
import io.tierwise.hadoop.inspect.compliance.FileJudge;
import io.tierwise.hadoop.mover.MoverCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;

/**
 * The files of a job's input that the daemon may bring to the fast tier.
 *
 * @param all by id
 * @param missing those with a block that has no replica there, and that may come
 * @param refused how many may not come for a quota: the job needs them where they are
 * @param left why others are left alone
 */
record JobFiles(Map<Long, One> all, List<One> missing, int refused, LeftFiles left) {
  /**
   * A file.
   *
   * @param missingBytes of its blocks without a replica in the fast tier
   */
  record One(String path, long fileId, long bytes, long missingBytes, int replicas) {}

  static JobFiles of(
      MoverCluster cluster,
      AutotierSettings settings,
      FastTierMoves moves,
      List<StagedInput.InputFile> input)
      throws IOException {
    Map<Long, One> all = new TreeMap<>();
    List<One> missing = new ArrayList<>();
    LeftFiles left = new LeftFiles();
    int refused = 0;
    for (StagedInput.InputFile file : input) {
      HdfsLocatedFileStatus status = file.status();
      if (!settings.covers(file.path())) {
        left.add("it is not below --below", file.path());
      } else if (FileJudge.ownRules(status).isPresent()) {
        left.add(FileJudge.ownRules(status).get(), file.path());
      } else if (Placeholder.is(status)) {
        left.add("it is in the secondary store", file.path());
      } else if (Claims.policyOf(cluster, file.path()).isPresent()) {
        left.add("it is under a policy", file.path());
      } else {
        long without = TierMoves.missingBytes(cluster, status, moves.fast().name());
        One one =
            new One(
                file.path(), status.getFileId(), status.getLen(), without, status.getReplication());
        all.put(one.fileId(), one);
        Optional<String> why = without > 0 ? moves.refuse(file.path()) : Optional.empty();
        if (why.isPresent()) {
          left.add(why.get(), file.path());
          refused++;
        } else if (without > 0) {
          missing.add(one);
        }
      }
    }
    return new JobFiles(all, missing, refused, left);
  }

  long bytes() {
    return all.values().stream().mapToLong(One::bytes).sum();
  }

  long missingBytes() {
    return missing.stream().mapToLong(One::missingBytes).sum();
  }

  /** Why none of them may be moved; empty where some may. */
  String reason() {
    return all.size() == refused
        ? left.list().stream().findFirst().map(RoundPlan.Left::text).orElse("it reads no file")
        : "";
  }
}
