/** Tests of the values that tier tables and device classes accept and refuse. */
package io.tierwise.core.cluster;
