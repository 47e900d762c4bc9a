package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.message.Listener;
import io.tierwise.hadoop.mover.shuffle.ShuffleWatch;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;
import org.apache.hadoop.mapreduce.v2.MiniMRYarnCluster;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Moves beside the shuffle of a MapReduce job on a real YARN, whose NodeManager has the address of
 * all DataNodes here. All moves are inside nodes.
 */
@Tag("long")
class YieldToShufflesIT {
  private static final int BLOCKS = 30;
  private static final int MAPS = 3;
  private static final int MAP_OUTPUT_MEGABYTES = 30;
  private static final long BOUND = 1_000_000;

  private static MiniMRYarnCluster yarn;
  private static LiveCluster cluster;

  /** Leaves bytes that nothing makes shorter. */
  public static final class Scatter
      extends Mapper<LongWritable, Text, BytesWritable, NullWritable> {
    @Override
    protected void map(
        LongWritable offset,
        Text line,
        Mapper<LongWritable, Text, BytesWritable, NullWritable>.Context context)
        throws IOException, InterruptedException {
      Random random = new Random(line.hashCode());
      byte[] megabyte = new byte[1 << 20];
      for (int i = 0; i < MAP_OUTPUT_MEGABYTES; i++) {
        random.nextBytes(megabyte);
        context.write(new BytesWritable(megabyte), NullWritable.get());
      }
    }
  }

  @BeforeAll
  static void start() throws IOException {
    yarn = new MiniMRYarnCluster("shuffle", 1);
    yarn.init(new YarnConfiguration());
    yarn.start();
    cluster = LiveCluster.ofMixedNodes(LiveCluster.withPlugin(), "/r1", "/r2", "/r3");
  }

  @AfterAll
  static void end() {
    cluster.close();
    yarn.stop();
  }

  private static DatanodeInfo node() {
    return new DatanodeInfo.DatanodeInfoBuilder()
        .setNodeID(cluster.mini().getDataNodes().get(0).getDatanodeId())
        .build();
  }

  private static void shuffle() throws Exception {
    java.nio.file.Path folder = Files.createTempDirectory("tierwise-shuffle");
    for (int i = 0; i < MAPS; i++) {
      Files.writeString(folder.resolve("part-" + i), "line " + i + "\n");
    }
    Job job = Job.getInstance(yarn.getConfig(), "shuffle");
    job.setJarByClass(YieldToShufflesIT.class);
    job.setMapperClass(Scatter.class);
    job.setReducerClass(Reducer.class);
    job.setMapOutputKeyClass(BytesWritable.class);
    job.setMapOutputValueClass(NullWritable.class);
    job.setOutputFormatClass(NullOutputFormat.class);
    FileInputFormat.addInputPath(job, new Path(folder.toUri()));
    assertThat(job.waitForCompletion(false)).isTrue();
  }

  @Test
  void movesOfNodesWhoseShuffleSendsWait() throws Exception {
    Path file = cluster.write("/t/file", BLOCKS, 3);
    Configuration conf = cluster.clientConf();
    conf.set(YarnConfiguration.RM_ADDRESS, yarn.getConfig().get(YarnConfiguration.RM_ADDRESS));
    MoverCluster withYarn = MoverCluster.of(cluster.fs(), conf);
    MoverSettings slow = LiveCluster.quick().atRates(2L * LiveCluster.BLOCK_BYTES, 1L << 40);
    MoverSettings settings = slow.with(slow.limits().yieldingAbove(0).yieldingAboveShuffle(BOUND));
    MoverReport report;
    try (Mover mover = Mover.open(withYarn, settings);
        ShuffleWatch watch = new ShuffleWatch(conf)) {
      watch.start();
      shuffle();
      LiveCluster.await("the shuffle is seen", () -> watch.bytesPerSecond(node()) > BOUND);
      assertThat(watch.unseen()).isNull();
      report = mover.run(cluster.order("layout:3 x ssd", "/t"), Listener.Step.SILENT);
    }

    assertThat(report.left()).isEmpty();
    assertThat(report.heeded().yielded().nodes()).isEqualTo(3);
    assertThat(report.heeded().yielded().seconds()).isGreaterThan(3);
    assertThat(report.heeded().unseenShuffle()).isNull();
    cluster.assertWhole(file, BLOCKS);
  }
}
