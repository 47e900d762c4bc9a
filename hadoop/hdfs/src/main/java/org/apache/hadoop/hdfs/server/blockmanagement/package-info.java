/**
 * A placement class that hands all decisions on to another one. It stands in Hadoop's package
 * because two methods of a placement class can be overridden and called only from there: {@code
 * initialize}, whose last parameter is of a package-private type, and the choice for clients that
 * name their DataNodes.
 */
package org.apache.hadoop.hdfs.server.blockmanagement;
