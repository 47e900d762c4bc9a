package io.tierwise.hadoop.hdfs.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.AbstractFileSystem;
import org.apache.hadoop.fs.Hdfs;
import org.junit.jupiter.api.Test;

class TierwiseFsTest {
  @Test
  void hadoopsDefaultsNeverStandInForWhatHdfsDoesItself() throws NoSuchMethodException {
    List<String> leftToDefaults = new ArrayList<>();
    int compared = 0;
    for (Method method : Hdfs.class.getDeclaredMethods()) {
      if (Modifier.isPublic(method.getModifiers()) && !method.isBridge() && isInherited(method)) {
        compared++;
        Method ours = TierwiseFs.class.getMethod(method.getName(), method.getParameterTypes());
        if (ours.getDeclaringClass() == AbstractFileSystem.class) {
          leftToDefaults.add(method.toString());
        }
      }
    }
    assertThat(compared).isGreaterThan(40);
    assertThat(leftToDefaults).isEmpty();
  }

  private static boolean isInherited(Method method) {
    try {
      AbstractFileSystem.class.getMethod(method.getName(), method.getParameterTypes());
      return true;
    } catch (NoSuchMethodException e) {
      return false;
    }
  }
}
