/** HDFS as processes of their own, for what a mini cluster inside the test's JVM hides. */
package io.tierwise.cli.process;
