import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/**
 * An application as a user has it, which knows nothing of Tierwise: counts the words of lines, and
 * prints where its input and its intermediate data are. Its arguments are {@code IN OUT MODE}; with
 * {@code fail} its first stage does that.
 */
public final class SparkWords {
  private SparkWords() {}

  public static void main(String[] arguments) throws Exception {
    boolean fails = arguments[2].equals("fail");
    try (JavaSparkContext spark = new JavaSparkContext(new SparkConf().setAppName("spark words"))) {
      Path input = new Path(arguments[0]);
      FileSystem fs = input.getFileSystem(spark.hadoopConfiguration());
      for (BlockLocation block : fs.getFileBlockLocations(fs.getFileStatus(input), 0, 1)) {
        System.out.println("input is on " + Arrays.toString(block.getStorageTypes()));
      }
      // Without a combiner, so that every word goes through the shuffle.
      JavaPairRDD<String, Iterable<Integer>> grouped =
          spark
              .textFile(arguments[0], 2)
              .flatMap(line -> Arrays.asList(line.split(" ")).iterator())
              .mapToPair(
                  word -> {
                    if (fails) {
                      throw new IllegalStateException("as it was told to");
                    }
                    return new Tuple2<>(word, 1);
                  })
              .groupByKey(2);
      grouped
          .mapValues(
              ones -> {
                int count = 0;
                for (int one : ones) {
                  count += one;
                }
                return count;
              })
          .saveAsTextFile(arguments[1]);
      List<String> folders =
          spark
              .parallelize(List.of(0), 1)
              .flatMap(
                  any ->
                      Arrays.asList(
                              SparkEnv.get().blockManager().diskBlockManager().localDirsString())
                          .iterator())
              .collect();
      folders.forEach(folder -> System.out.println("intermediate data in " + folder));
      List<String> shuffled =
          spark
              .parallelize(folders, 1)
              .filter(SparkWords::hasShuffleFiles)
              .collect();
      shuffled.forEach(folder -> System.out.println("shuffle files in " + folder));
    }
  }

  private static boolean hasShuffleFiles(String folder) throws IOException {
    try (Stream<java.nio.file.Path> files = Files.walk(java.nio.file.Path.of(folder))) {
      return files.anyMatch(file -> file.getFileName().toString().matches("shuffle_.*[.]data"));
    }
  }
}
