/**
 * The DataNode's side of access strategies: counts the clients that read each volume and the node,
 * refuses reads beyond a limit, and puts a block on the volume that the NameNode chose.
 *
 * <p>Only reads of clients are counted and refused: never re-replication, mover, balancer, scanner
 * or short-circuit reads. Not here: the class that Hadoop instantiates, which must stand in
 * Hadoop's own package ({@code TierwiseDatasetFactory}). Start reading at {@link
 * io.tierwise.hadoop.hdfs.datanode.ReadAdmission}.
 */
package io.tierwise.hadoop.hdfs.datanode;
