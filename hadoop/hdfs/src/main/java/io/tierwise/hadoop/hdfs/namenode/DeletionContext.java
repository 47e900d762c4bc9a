package io.tierwise.hadoop.hdfs.namenode;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockCollection;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.namenode.Namesystem;

/**
 * Tells whose block is being thinned out.
 *
 * <p>{@code BlockPlacementPolicy.chooseReplicasToDelete} gets storages but neither path nor block.
 * The block manager looks up the block's file through its {@link Namesystem}, on the same thread
 * and directly before it asks the policy; this context stands in that field and remembers the
 * answer. Why so, and what else was weighed: docs/decisions/0020-layout-safe-deletion.md.
 */
final class DeletionContext {
  private static final String FIELD = "namesystem";

  private final ThreadLocal<BlockCollection[]> latest =
      ThreadLocal.withInitial(() -> new BlockCollection[1]);
  private final BooleanSupplier wanted;

  /**
   * @param wanted whether anybody may ask; once true it stays true
   */
  DeletionContext(BooleanSupplier wanted) {
    this.wanted = wanted;
  }

  /**
   * Starts listening to {@code blocks}. Called again for the same block manager it replaces the
   * earlier listener.
   *
   * @throws ReflectiveOperationException when this Hadoop version keeps the field or the interface
   *     otherwise; nothing was changed
   */
  void install(BlockManager blocks) throws ReflectiveOperationException {
    requireKnownInterface();
    Field field = BlockManager.class.getDeclaredField(FIELD);
    if (field.getType() != Namesystem.class || Modifier.isStatic(field.getModifiers())) {
      throw new NoSuchFieldException(FIELD + " is a " + field.getType().getName());
    }
    try {
      field.setAccessible(true);
    } catch (RuntimeException e) {
      throw new ReflectiveOperationException(FIELD + " is not open to plug-ins", e);
    }
    field.set(blocks, new RecordingNamesystem(unwrap((Namesystem) field.get(blocks)), this));
  }

  /** Stops listening; the block manager has its own namesystem again. */
  static void uninstall(BlockManager blocks) throws ReflectiveOperationException {
    Field field = BlockManager.class.getDeclaredField(FIELD);
    field.setAccessible(true);
    field.set(blocks, unwrap((Namesystem) field.get(blocks)));
  }

  private static Namesystem unwrap(Namesystem namesystem) {
    return namesystem instanceof RecordingNamesystem recording ? recording.real() : namesystem;
  }

  /** A method that we do not pass on would fail inside the NameNode: refuse before. */
  private static void requireKnownInterface() throws ReflectiveOperationException {
    for (Method method : Namesystem.class.getMethods()) {
      if (Modifier.isAbstract(method.getModifiers())) {
        requirePassedOn(method);
      }
    }
  }

  /** One by one: a look at all methods of our class needs types that Hadoop 3.4 lacks. */
  private static void requirePassedOn(Method method) throws ReflectiveOperationException {
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    MethodHandle found =
        lookup.findVirtual(
            RecordingNamesystem.class,
            method.getName(),
            MethodType.methodType(method.getReturnType(), method.getParameterTypes()));
    if (lookup.revealDirect(found).getDeclaringClass() != RecordingNamesystem.class) {
      throw new NoSuchMethodException(method + " is not passed on");
    }
  }

  /** Called for every block that anything is asked about. */
  void remember(BlockCollection file) {
    if (wanted.getAsBoolean()) {
      latest.get()[0] = file;
    }
  }

  /** The file asked for last on this thread, once; null when none was asked for since. */
  BlockCollection take() {
    BlockCollection[] slot = latest.get();
    BlockCollection file = slot[0];
    slot[0] = null;
    return file;
  }
}
