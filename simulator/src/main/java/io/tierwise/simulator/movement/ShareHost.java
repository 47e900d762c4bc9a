package io.tierwise.simulator.movement;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.ArrayClusterView;
import io.tierwise.core.view.ClusterView;
import io.tierwise.policies.placement.ShareByUse;
import io.tierwise.policies.placement.ZoneShares;
import io.tierwise.policies.placement.ZoneTotals;
import io.tierwise.simulator.cluster.VirtualCluster;
import io.tierwise.simulator.engine.Engine;
import io.tierwise.simulator.engine.Ticks;
import io.tierwise.simulator.jobs.JobWatch;
import io.tierwise.simulator.jobs.TaskContext;
import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.scenario.ShareSpec;
import io.tierwise.simulator.storage.FilePolicies;
import io.tierwise.simulator.storage.Namespace;
import io.tierwise.simulator.storage.StoredFile;
import io.tierwise.simulator.workload.JobSpec;
import java.util.List;

/**
 * Lets the share of {@code zone-ratio} follow the use of the files under it: asks {@link
 * ShareByUse} at the end of each window, and puts what is written from then on under the answer.
 *
 * <p>A job reads its input once, and a file is written when its job is done, as a host sees that
 * reads an audit log and the times of files. Own: input counts as written when it is laid out,
 * which is when its first job arrives; no device is charged for that.
 */
public final class ShareHost implements JobWatch {
  private final ShareSpec spec;
  private final ShareByUse chooser;
  private final Engine engine;
  private final VirtualCluster cluster;
  private final Namespace namespace;
  private final FilePolicies policies;
  private final int windowEnds;
  private boolean windowRuns;
  private double windowStartSeconds;
  private double readBytes;
  private int knownFiles;
  private double setSeconds = Double.NEGATIVE_INFINITY;
  private long changes;

  /** A host; its tracker must be told of it. */
  public ShareHost(ShareSpec spec, TaskContext context) {
    this.spec = spec;
    this.chooser = new ShareByUse(spec.gainMin(), spec.holdWindows() * spec.windowSeconds());
    this.engine = context.engine();
    this.cluster = context.cluster();
    this.namespace = context.namespace();
    this.policies = context.placer().policies();
    this.windowEnds = engine.register(argument -> windowEnded());
  }

  @Override
  public int arrived(int job, JobSpec jobSpec, int maps, int reduces, List<StoredFile> inputs) {
    inputs.stream().filter(ShareHost::isOurs).forEach(input -> readBytes += input.bytes());
    if (!windowRuns) {
      windowRuns = true;
      windowStartSeconds = Math.floor(now() / spec.windowSeconds()) * spec.windowSeconds();
      long end = Ticks.ofSeconds(windowStartSeconds + spec.windowSeconds());
      engine.at(Math.max(engine.now() + 1, end), windowEnds, 0);
    }
    return TierTable.NONE;
  }

  private static boolean isOurs(StoredFile file) {
    return file.policy().isEmpty();
  }

  /** The next window begins with its first job, so that a run whose jobs all wait can end. */
  private void windowEnded() {
    windowRuns = false;
    ZoneShares before = zones();
    ZoneTotals totals = new ZoneTotals(before, cluster.view().tiers());
    addVolumes(totals);
    ShareByUse.DataSet use = use(totals);
    readBytes = 0;
    ShareByUse.Choice choice =
        chooser.choose(
            use,
            totals.zone(0),
            totals.zone(1),
            new ShareByUse.Present(before.firstShare(), now() - setSeconds));
    if (choice.changes()) {
      changes++;
      setSeconds = now();
      policies.replaceUsual(before.withFirstShare(choice.share(), cluster.view().tiers()));
    }
  }

  private ZoneShares zones() {
    return policies.usual().zoneShares().orElseThrow();
  }

  private void addVolumes(ZoneTotals totals) {
    ArrayClusterView view = cluster.view();
    for (int volume = 0; volume < cluster.volumeCount(); volume++) {
      int viewVolume = cluster.volume(volume).viewVolume();
      if (viewVolume != ClusterView.NONE && view.takes(viewVolume, 0)) {
        double kept = spec.keptFreeShare() * cluster.volume(volume).capacityBytes();
        totals.volume(view.tierOfVolume(viewVolume), view.freeBytes(viewVolume) - kept);
      }
    }
  }

  private ShareByUse.DataSet use(ZoneTotals totals) {
    double bytes = 0;
    double stored = 0;
    double written = 0;
    int before = knownFiles;
    for (StoredFile file : namespace.files()) {
      knownFiles = Math.max(knownFiles, file.id() + 1);
      if (isOurs(file)) {
        bytes += file.bytes();
        written += isWrittenInWindow(file, before) ? file.bytes() : 0;
        stored += (double) file.bytes() * file.replication();
        addReplicas(file, totals);
      }
    }
    double seconds = spec.windowSeconds();
    return new ShareByUse.DataSet(
        bytes, bytes == 0 ? 1 : stored / bytes, readBytes / seconds, written / seconds);
  }

  /** Files get their numbers in the order in which they come to be. */
  private boolean isWrittenInWindow(StoredFile file, int filesBefore) {
    long millis = file.use().writtenMillis();
    boolean isDone = millis > 0 && millis >= windowStartSeconds * 1e3;
    return isDone || (file.id() >= filesBefore && !file.isBeingWritten());
  }

  private void addReplicas(StoredFile file, ZoneTotals totals) {
    for (int index = 0; index < file.blockCount(); index++) {
      for (int volume : namespace.wholeReplicas(file.block(index))) {
        int viewVolume = cluster.volume(volume).viewVolume();
        totals.replica(cluster.view().tierOfVolume(viewVolume), (double) file.blockBytes(index));
      }
    }
  }

  private double now() {
    return Ticks.toSeconds(engine.now());
  }

  /** The share that holds at the end, and how often it was changed. */
  public RunResult.Share result() {
    return new RunResult.Share(zones().firstShare(), changes);
  }
}
