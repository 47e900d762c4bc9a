package io.tierwise.cli.profile;

import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.reduce.IntSumReducer;

/**
 * An application as a user has it, which knows nothing of Tierwise: counts words, and prints where
 * its input is, and in the end which job wrote what. Its process takes {@code IN OUT MODE}; with
 * {@code fail} or {@code hang} its maps do that.
 */
public final class ProfiledWords {
  private static final String MODE = "profiled.words.mode";

  private ProfiledWords() {}

  /** Counts words. */
  public static final class Words extends Mapper<LongWritable, Text, Text, IntWritable> {
    @Override
    protected void setup(Mapper<LongWritable, Text, Text, IntWritable>.Context context)
        throws IOException, InterruptedException {
      String mode = context.getConfiguration().get(MODE);
      if (mode.equals("fail")) {
        throw new IOException("as it was told to");
      }
      while (mode.equals("hang")) {
        Thread.sleep(100);
        context.progress();
      }
    }

    @Override
    protected void map(
        LongWritable offset,
        Text line,
        Mapper<LongWritable, Text, Text, IntWritable>.Context context)
        throws IOException, InterruptedException {
      for (String word : line.toString().split(" ")) {
        context.write(new Text(word), new IntWritable(1));
      }
    }
  }

  /** The process's begin; exit code 7 when the job fails. */
  public static void main(String[] arguments) throws Exception {
    Configuration conf = new Configuration();
    Path input = new Path(arguments[0]);
    FileSystem fs = input.getFileSystem(conf);
    for (BlockLocation block : fs.getFileBlockLocations(fs.getFileStatus(input), 0, 1)) {
      System.out.println("input is on " + Arrays.toString(block.getStorageTypes()));
    }
    conf.set(MODE, arguments[2]);
    conf.setInt("mapreduce.map.maxattempts", 1);
    Job job = Job.getInstance(conf, "count of words");
    job.setMapperClass(Words.class);
    job.setReducerClass(IntSumReducer.class);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(IntWritable.class);
    FileInputFormat.addInputPath(job, input);
    FileOutputFormat.setOutputPath(job, new Path(arguments[1]));
    boolean succeeded = job.waitForCompletion(false);
    System.out.println(job.getJobID() + " writes to " + arguments[1]);
    System.exit(succeeded ? 0 : 7);
  }
}
