package io.tierwise.hadoop.hdfs.namenode;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The inodes whose policy decisions could not understand, those of the latest decisions. Ids and
 * not paths: a directory may be renamed afterwards.
 */
final class MalformedPolicies {
  static final int KEPT_MAX = 20;

  private final Map<Long, Boolean> inodeIds =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Boolean> eldest) {
          return size() > KEPT_MAX;
        }
      };

  synchronized void met(long inodeId) {
    inodeIds.put(inodeId, true);
  }

  synchronized List<Long> inodeIds() {
    return List.copyOf(inodeIds.keySet());
  }
}
