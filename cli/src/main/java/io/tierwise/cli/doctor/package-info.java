/**
 * {@code tierwise doctor}: reads a real cluster's configuration and state and says what is missing.
 *
 * <p>Changes nothing. Start reading at {@link io.tierwise.cli.doctor.DoctorCommand}.
 */
package io.tierwise.cli.doctor;
