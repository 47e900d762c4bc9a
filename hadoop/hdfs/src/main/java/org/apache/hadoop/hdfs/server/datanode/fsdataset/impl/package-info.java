/**
 * The one class that must stand in Hadoop's package, since Hadoop's dataset is not public. All it
 * does is ask {@link io.tierwise.hadoop.hdfs.datanode.ReadAdmission}.
 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;
