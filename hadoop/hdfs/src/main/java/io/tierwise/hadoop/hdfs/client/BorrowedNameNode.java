package io.tierwise.hadoop.hdfs.client;

import java.io.Closeable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;

/**
 * Another client's connection to its NameNode, for a second client to call and not to close.
 *
 * <p>The connection remembers the state of the namespace that the owner has seen, and which
 * NameNode it found active. Two clients on one connection therefore never see less than either has
 * written.
 */
final class BorrowedNameNode implements InvocationHandler, Closeable {
  private final ClientProtocol owned;

  private BorrowedNameNode(ClientProtocol owned) {
    this.owned = owned;
  }

  static ClientProtocol of(ClientProtocol owned) {
    return (ClientProtocol)
        Proxy.newProxyInstance(
            BorrowedNameNode.class.getClassLoader(),
            new Class<?>[] {ClientProtocol.class},
            new BorrowedNameNode(owned));
  }

  @Override
  public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(owned, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  /** Hadoop closes a proxy through its handler. Only the owner may close this connection. */
  @Override
  public void close() {}
}
