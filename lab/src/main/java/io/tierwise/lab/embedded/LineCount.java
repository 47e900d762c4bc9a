package io.tierwise.lab.embedded;

import java.io.IOException;
import java.util.Collection;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;
import org.apache.hadoop.mapreduce.lib.reduce.IntSumReducer;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * A MapReduce job as a user has it, without a setting of Tierwise's: counts equal lines, so that
 * all of its input goes between its phases.
 */
public final class LineCount {
  private LineCount() {}

  /** Passes on each line. */
  public static final class Lines extends Mapper<LongWritable, Text, Text, IntWritable> {
    @Override
    protected void map(
        LongWritable offset,
        Text line,
        Mapper<LongWritable, Text, Text, IntWritable>.Context context)
        throws IOException, InterruptedException {
      context.write(line, new IntWritable(1));
    }
  }

  /** Submits it, and does not wait for it. */
  public static Job submit(Configuration conf, String name, Collection<String> input)
      throws IOException, InterruptedException {
    Job job = Job.getInstance(conf, name);
    job.setMapperClass(Lines.class);
    job.setReducerClass(IntSumReducer.class);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(IntWritable.class);
    job.setOutputFormatClass(NullOutputFormat.class);
    for (String path : input) {
      FileInputFormat.addInputPath(job, new Path(path));
    }
    try {
      job.submit();
    } catch (ClassNotFoundException e) {
      throw new IOException("a class of the job is not there: " + e.getMessage(), e);
    }
    return job;
  }

  /** The id that YARN has of a job. */
  public static ApplicationId application(Job job) {
    return ApplicationId.fromString(job.getJobID().toString().replace("job_", "application_"));
  }
}
