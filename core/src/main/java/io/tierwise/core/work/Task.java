package io.tierwise.core.work;

/**
 * A piece of a stage's work that takes one slot.
 *
 * @param job whose task, as its host counts jobs
 * @param stage position in the job's list of stages
 * @param index among the stage's tasks, from 0
 */
public record Task(int job, int stage, int index) {}
