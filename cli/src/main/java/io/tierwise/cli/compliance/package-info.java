/**
 * How far stored files are what their placement policies want, seen from outside: by the locations
 * that the NameNode gives to any reader.
 *
 * <p>Not here: why a replica is where it is (nobody keeps that), and moving it. Start reading at
 * {@link io.tierwise.cli.compliance.FileJudge}.
 */
package io.tierwise.cli.compliance;
