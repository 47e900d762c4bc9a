/** Tests of the reading of images, on one that Hadoop wrote. */
package io.tierwise.hadoop.inspect.image;
