/** Tests of advice, on logs written here and the sample of the guide. */
package io.tierwise.hadoop.inspect.advise;
