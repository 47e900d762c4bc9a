package io.tierwise.hadoop.hdfs.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AttributeCacheTest {
  private final Map<String, String> attributes = new HashMap<>();
  private final List<String> asked = new ArrayList<>();
  private long nowNanos;

  private AttributeCache cache(int entriesMax) {
    return new AttributeCache(
        directory -> {
          asked.add(directory);
          return attributes.get(directory);
        },
        entriesMax,
        100,
        () -> nowNanos);
  }

  @Test
  void theNearestDirectoryCounts() {
    attributes.put("/a", "greedy");
    attributes.put("/a/b", "dld");
    AttributeCache cache = cache(10);
    assertThat(cache.inheritedBy("/a/b/file")).isEqualTo("dld");
    assertThat(cache.inheritedBy("/a/c/file")).isEqualTo("greedy");
    assertThat(cache.inheritedBy("/file")).isNull();
  }

  @Test
  void aDirectoryIsAskedOnceUntilItsValueExpires() {
    attributes.put("/a", "greedy");
    AttributeCache cache = cache(10);
    cache.inheritedBy("/a/1");
    cache.inheritedBy("/a/2");
    assertThat(asked).containsExactly("/a");
    attributes.put("/a", "dld");
    nowNanos = 99;
    assertThat(cache.inheritedBy("/a/3")).isEqualTo("greedy");
    nowNanos = 101;
    assertThat(cache.inheritedBy("/a/3")).isEqualTo("dld");
    assertThat(asked).containsExactly("/a", "/a");
  }

  @Test
  void whatWasChangedIsForgottenWithAllBelowItAndNothingElse() {
    AttributeCache cache = cache(10);
    cache.inheritedBy("/a/b/file");
    cache.inheritedBy("/ab/file");
    asked.clear();
    cache.forget("/a");
    cache.inheritedBy("/ab/file");
    assertThat(asked).isEmpty();
    cache.inheritedBy("/a/b/file");
    assertThat(asked).containsExactly("/a/b", "/a");
    cache.forget("/");
    cache.inheritedBy("/ab/file");
    assertThat(asked).endsWith("/ab", "/");
  }

  @Test
  void anAnswerThatAChangeHasOvertakenIsNotRemembered() {
    AttributeCache[] cache = new AttributeCache[1];
    cache[0] =
        new AttributeCache(
            directory -> {
              asked.add(directory);
              if (asked.size() == 1) {
                cache[0].forget("/a");
                return "old";
              }
              return "new";
            },
            10,
            100,
            () -> nowNanos);
    assertThat(cache[0].inheritedBy("/a/file")).isEqualTo("old");
    assertThat(cache[0].inheritedBy("/a/file")).isEqualTo("new");
  }

  @Test
  void aChangeElsewhereMeanwhileDoesNotKeepAnAnswerFromBeingRemembered() {
    AttributeCache[] cache = new AttributeCache[1];
    cache[0] =
        new AttributeCache(
            directory -> {
              asked.add(directory);
              cache[0].forget("/ab");
              return "dld";
            },
            10,
            100,
            () -> nowNanos);
    cache[0].inheritedBy("/a/file");
    cache[0].inheritedBy("/a/file");
    assertThat(asked).containsExactly("/a");
  }

  @Test
  void aQuestionThatFailsIsAskedAgain() {
    AttributeCache cache =
        new AttributeCache(
            directory -> {
              asked.add(directory);
              if (asked.size() == 1) {
                throw new IllegalStateException("no answer");
              }
              return "dld";
            },
            10,
            100,
            () -> nowNanos);
    assertThatThrownBy(() -> cache.inheritedBy("/a/file")).hasMessage("no answer");
    assertThat(cache.inheritedBy("/a/file")).isEqualTo("dld");
  }

  @Test
  void theDirectoriesUsedLeastRecentlyAreForgotten() {
    AttributeCache cache = cache(2);
    cache.inheritedBy("/a/file");
    cache.inheritedBy("/b/file");
    cache.inheritedBy("/a/file");
    assertThat(asked).containsExactly("/a", "/", "/b", "/a");
  }
}
