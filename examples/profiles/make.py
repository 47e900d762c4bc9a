#!/usr/bin/env python3
"""Makes the sample of docs/how-to/profiles.md: history of four runs of a MapReduce word count and of a Spark application.

The events have the fields that `tierwise profile` reads, as Hadoop 3.5 and Spark 4.2 write them; figures are made up.
Equal runs give equal files.

    examples/profiles/make.py DIR
"""
import gzip
import json
import pathlib
import random
import sys

MIB = 1 << 20
BLOCK = 128 * MIB
START = 1_795_219_200_000  # 2026-11-21
DAY = 86_400_000
NODES = [f"node{number}" for number in range(1, 6)]
JOB_EVENTS = "org.apache.hadoop.mapreduce.jobhistory."


def job_event(kind, name, fields):
    return json.dumps({"type": kind, "event": {JOB_EVENTS + name: fields}}, separators=(",", ":"))


def counters(values):
    counts = [{"name": name, "displayName": name, "value": value} for name, value in values.items()]
    return {"name": "COUNTERS", "groups": [{"name": "g", "displayName": "g", "counts": counts}]}


def word_count(rng, number, size):
    """A job history file: maps on ten slots, then four reducers."""
    job = f"job_1794000000000_{number:04}"
    submit = START + number * DAY + 3_600_000
    maps = -(-size // BLOCK)
    lines = [
        "Avro-Json",
        '{"type":"record","name":"Event","namespace":"org.apache.hadoop.mapreduce.jobhistory","fields":[]}',
        job_event("JOB_SUBMITTED", "JobSubmitted", {
            "jobid": job, "jobName": f"word count 2026-11-{21 + number}", "userName": "ann", "submitTime": submit}),
        job_event("JOB_INITED", "JobInited", {
            "jobid": job, "launchTime": submit + 3000, "totalMaps": maps, "totalReduces": 4, "jobStatus": "INITED"}),
    ]

    def task(kind, index, begin, end, values, ended):
        task_id = f"task_{job[4:]}_{kind[0].lower()}_{index:06}"
        attempt = f"attempt_{task_id[5:]}_0"
        lines.append(job_event(f"{kind}_ATTEMPT_STARTED", "TaskAttemptStarted", {
            "taskid": task_id, "taskType": kind, "attemptId": attempt, "startTime": begin}))
        lines.append(job_event(f"{kind}_ATTEMPT_FINISHED", f"{kind.capitalize()}AttemptFinished", {
            "taskid": task_id, "attemptId": attempt, "taskType": kind, **ended, "finishTime": end,
            "hostname": rng.choice(NODES)}))
        lines.append(job_event("TASK_FINISHED", "TaskFinished", {
            "taskid": task_id, "taskType": kind, "finishTime": end, "status": "SUCCEEDED", "counters": counters(values)}))

    free = [submit + 6000] * 10
    for index in range(maps):
        bytes_read = min(BLOCK, size - index * BLOCK)
        slot = free.index(min(free))
        begin = free[slot]
        free[slot] = begin + int(2000 + bytes_read / 16_000 * rng.uniform(0.9, 1.2))
        task("MAP", index, begin, free[slot], {
            "HDFS_BYTES_READ": bytes_read, "FILE_BYTES_WRITTEN": bytes_read // 5,
            "CPU_MILLISECONDS": bytes_read // 20_000}, {"mapFinishTime": free[slot]})
    for index in range(4):
        shuffled = size // 20
        fetched = max(free) + int(shuffled / 60_000 * rng.uniform(0.9, 1.3))
        end = fetched + int(1000 + shuffled / 40_000 * rng.uniform(0.9, 1.2))
        task("REDUCE", index, max(free) - 5000, end, {
            "HDFS_BYTES_WRITTEN": size // 200, "FILE_BYTES_WRITTEN": shuffled, "REDUCE_SHUFFLE_BYTES": shuffled,
            "CPU_MILLISECONDS": shuffled // 50_000}, {"shuffleFinishTime": fetched, "sortFinishTime": fetched + 100})
        finish = end if index == 0 else max(finish, end)
    lines.append(job_event("JOB_FINISHED", "JobFinished", {"jobid": job, "finishTime": finish + 500}))
    return job + ".jhist", "\n".join(lines) + "\n"


def spark_report(rng):
    """An event log of one job with two stages."""
    start = START + 2 * DAY
    events = [
        {"Event": "SparkListenerLogStart", "Spark Version": "4.2.0"},
        {"Event": "SparkListenerApplicationStart", "App Name": "daily report", "App ID": "application_1794000000000_0042",
         "Timestamp": start, "User": "ben"},
        {"Event": "SparkListenerJobStart", "Job ID": 0, "Submission Time": start + 4000, "Stage Infos": [
            {"Stage ID": 0, "Number of Tasks": 16, "Parent IDs": []},
            {"Stage ID": 1, "Number of Tasks": 8, "Parent IDs": [0]}], "Properties": {}},
    ]
    for stage, tasks, begin in ((0, 16, start + 5000), (1, 8, start + 21_000)):
        for index in range(tasks):
            events.append({
                "Event": "SparkListenerTaskEnd", "Stage ID": stage, "Task End Reason": {"Reason": "Success"},
                "Task Info": {"Task ID": 100 * stage + index, "Host": rng.choice(NODES), "Launch Time": begin,
                              "Finish Time": begin + rng.randint(9000, 15_000)},
                "Task Metrics": {
                    "Executor CPU Time": 8_000_000_000, "Disk Bytes Spilled": 0,
                    "Shuffle Read Metrics": {"Remote Bytes Read": 40 * MIB * stage, "Local Bytes Read": 10 * MIB * stage},
                    "Shuffle Write Metrics": {"Shuffle Bytes Written": 25 * MIB * (1 - stage)},
                    "Input Metrics": {"Bytes Read": BLOCK * (1 - stage)}, "Output Metrics": {"Bytes Written": 3 * MIB * stage}}})
    events.append({"Event": "SparkListenerJobEnd", "Job ID": 0, "Job Result": {"Result": "JobSucceeded"}})
    events.append({"Event": "SparkListenerApplicationEnd", "Timestamp": start + 38_000})
    return "application_1794000000000_0042", "".join(json.dumps(event, separators=(",", ":")) + "\n" for event in events)


def main():
    folder = pathlib.Path(sys.argv[1])
    rng = random.Random(1)
    files = [word_count(rng, number, size * 1024 * MIB) for number, size in enumerate((2, 3, 5, 8), start=1)]
    files.append(spark_report(rng))
    for name, text in files:
        # Without a time in the file's head, so that equal runs give equal files.
        with open(folder / (name + ".gz"), "wb") as raw, gzip.GzipFile("", "wb", 9, raw, 0) as packed:
            packed.write(text.encode())


if __name__ == "__main__":
    main()
