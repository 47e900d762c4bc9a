/** The daemon's commands on a stock HDFS with its own audit log. */
package io.tierwise.cli.autotier;
