package io.tierwise.hadoop.inspect.health;

import io.tierwise.hadoop.hdfs.secondary.SecondaryKeys;
import io.tierwise.hadoop.hdfs.secondary.SecondaryStore;
import io.tierwise.hadoop.hdfs.secondary.SecondaryStores;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;

/** Whether the secondary stores of the configuration can be reached from here. */
final class SecondaryChecks {
  private static final String WHERE = "client";
  private static final String ADVICE =
      "see whether it is up, mounted, and named rightly in " + SecondaryKeys.STORES;

  private SecondaryChecks() {}

  static void run(Configuration conf, Findings findings) {
    try (SecondaryStores stores = SecondaryStores.of(conf)) {
      for (SecondaryStore store : stores.all()) {
        findings.check(
            WHERE, "the secondary store " + store, ADVICE, () -> findings.add(finding(store)));
      }
    } catch (IllegalArgumentException e) {
      findings.add(
          Finding.failure(WHERE, e.getMessage(), "correct the key " + SecondaryKeys.STORES));
    } catch (IOException e) {
      findings.add(Finding.notChecked(WHERE, "the secondary stores", Reason.of(e), ADVICE));
    }
  }

  private static Finding finding(SecondaryStore store) throws IOException {
    try {
      if (store.fs().getFileStatus(store.root()).isDirectory()) {
        return Finding.ok(WHERE, "reaches the secondary store " + store);
      }
    } catch (FileNotFoundException e) {
      return missing(store);
    }
    return missing(store);
  }

  private static Finding missing(SecondaryStore store) {
    return Finding.failure(
        WHERE,
        "the secondary store " + store + " is no directory: files that are there cannot be read",
        "mount it, or make the directory");
  }
}
