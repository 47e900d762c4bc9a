/** Tests of the mover, most of them on a real HDFS in this process. */
package io.tierwise.hadoop.mover;
