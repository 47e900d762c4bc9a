package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockCollection;
import org.apache.hadoop.hdfs.server.namenode.Namesystem;
import org.junit.jupiter.api.Test;

class DeletionContextTest {
  private static final BlockCollection FILE = proxy(BlockCollection.class, new ArrayList<>(), null);

  private static <T> T proxy(Class<T> type, List<String> calls, Object file) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, args) -> {
              if (method.getName().equals("hashCode")) {
                return System.identityHashCode(self);
              }
              if (method.getName().equals("equals")) {
                return self == args[0];
              }
              calls.add(method.getName() + Arrays.toString(args));
              if (method.getReturnType() == boolean.class) {
                return true;
              }
              return method.getName().equals("getBlockCollection") ? file : null;
            }));
  }

  @Test
  void fileAskedForLastIsKnownOnceAndOnThatThreadOnly() throws InterruptedException {
    DeletionContext context = new DeletionContext(() -> true);
    Namesystem recording =
        new RecordingNamesystem(proxy(Namesystem.class, new ArrayList<>(), FILE), context);
    assertThat(context.take()).isNull();
    assertThat(recording.getBlockCollection(7)).isSameAs(FILE);
    List<BlockCollection> elsewhere = new ArrayList<>();
    Thread other = new Thread(() -> elsewhere.add(context.take()));
    other.start();
    other.join();
    assertThat(elsewhere).containsExactly((BlockCollection) null);
    assertThat(context.take()).isSameAs(FILE);
    assertThat(context.take()).isNull();
  }

  @Test
  void everyCallIsPassedOnAsItCame() throws ReflectiveOperationException {
    List<String> direct = new ArrayList<>();
    List<String> through = new ArrayList<>();
    Namesystem real = proxy(Namesystem.class, direct, FILE);
    Namesystem recording =
        new RecordingNamesystem(
            proxy(Namesystem.class, through, FILE), new DeletionContext(() -> true));
    for (Method method : Namesystem.class.getMethods()) {
      Object[] args =
          Arrays.stream(method.getParameterTypes()).map(DeletionContextTest::sample).toArray();
      assertThat(method.invoke(recording, args)).isEqualTo(method.invoke(real, args));
    }
    // Shorthands of the interface end in the call they stand for: on the proxy they are recorded
    // as themselves, through our class as that call.
    assertThat(through).hasSameSizeAs(direct);
  }

  private static Object sample(Class<?> type) {
    if (type == long.class) {
      return 7L;
    }
    return type.isEnum() ? type.getEnumConstants()[0] : "name";
  }
}
