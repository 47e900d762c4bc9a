/** DataNodes with faults, for tests with processes. */
package org.apache.hadoop.hdfs.server.datanode;
