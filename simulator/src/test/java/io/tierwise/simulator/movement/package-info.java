/** Tests of replicas that follow the popularity of their files. */
package io.tierwise.simulator.movement;
