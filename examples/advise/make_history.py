#!/usr/bin/env python3
"""Makes the history of docs/how-to/advise.md: the jobs behind the reads of make.py's log, as engines write them down.

Events have the fields that Tierwise reads, as Hadoop 3.5 and Spark 4.2 write them; figures are made up. Equal runs give
equal files.

    examples/advise/make_history.py examples/advise/history
"""
import gzip
import json
import pathlib
import random
import sys

MIB = 1 << 20
START = 1_773_619_200_000  # 2026-03-16, as in make.py
HOUR = 3_600_000
NODES = [f"worker{number}" for number in range(1, 21)]
JOB_EVENTS = "org.apache.hadoop.mapreduce.jobhistory."
SALES = "/warehouse/shop.db/sales"


def event(kind, name, fields):
    return json.dumps({"type": kind, "event": {JOB_EVENTS + name: fields}}, separators=(",", ":"))


def job_history(draw, number, name, submit, maps, map_seconds, bytes_read, cpu_seconds):
    """A job of maps that all run at the same time."""
    job = f"job_1773500000000_{number:04}"
    lines = [
        "Avro-Json",
        '{"type":"record","name":"Event","namespace":"org.apache.hadoop.mapreduce.jobhistory","fields":[]}',
        event("JOB_SUBMITTED", "JobSubmitted", {
            "jobid": job, "jobName": name, "userName": "report", "submitTime": submit}),
        event("JOB_INITED", "JobInited", {
            "jobid": job, "launchTime": submit + 1000, "totalMaps": maps, "totalReduces": 0, "jobStatus": "INITED"}),
    ]
    end = submit
    for index in range(maps):
        task = f"task_{job[4:]}_m_{index:06}"
        attempt = f"attempt_{task[5:]}_0"
        begin = submit + 2000
        finish = begin + int(1000 * map_seconds * draw.uniform(0.95, 1))
        end = max(end, finish)
        counts = [{"name": key, "displayName": key, "value": value} for key, value in (
            ("HDFS_BYTES_READ", bytes_read // maps), ("CPU_MILLISECONDS", 1000 * cpu_seconds // maps))]
        lines.append(event("MAP_ATTEMPT_STARTED", "TaskAttemptStarted", {
            "taskid": task, "taskType": "MAP", "attemptId": attempt, "startTime": begin}))
        lines.append(event("MAP_ATTEMPT_FINISHED", "MapAttemptFinished", {
            "taskid": task, "attemptId": attempt, "taskType": "MAP", "mapFinishTime": finish, "finishTime": finish,
            "hostname": draw.choice(NODES[:8])}))
        lines.append(event("TASK_FINISHED", "TaskFinished", {
            "taskid": task, "taskType": "MAP", "finishTime": finish, "status": "SUCCEEDED",
            "counters": {"name": "COUNTERS", "groups": [{"name": "g", "displayName": "g", "counts": counts}]}}))
    lines.append(event("JOB_FINISHED", "JobFinished", {"jobid": job, "finishTime": end + 2000}))
    return job, "\n".join(lines) + "\n"


def job_configuration(inputs):
    value = ",".join("hdfs://shop:8020" + path.replace(",", "\\,") for path in inputs)
    return ('<?xml version="1.0" encoding="UTF-8" standalone="no"?><configuration>\n'
            "<property><name>mapreduce.job.user.name</name><value>report</value></property>\n"
            f"<property><name>mapreduce.input.fileinputformat.inputdir</name><value>{value}</value></property>\n"
            "</configuration>\n")


def spark_day(draw, day):
    """An application that is there all day and asks a table for twelve files."""
    submit = START + 24 * HOUR * day + 9 * HOUR - 60_000
    plan = {"nodeName": "WholeStageCodegen (1)", "simpleString": "", "metadata": {}, "metrics": [], "children": [
        {"nodeName": "Scan parquet shop.sales", "simpleString": "", "children": [], "metrics": [],
         "metadata": {"Location": f"CatalogFileIndex(1 paths)[hdfs://shop:8020{SALES}]"}}]}
    events = [
        {"Event": "SparkListenerLogStart", "Spark Version": "4.2.0"},
        {"Event": "SparkListenerApplicationStart", "App Name": "notebook", "App ID": f"application_1773500000000_9{day}",
         "Timestamp": submit, "User": "ann"},
        {"Event": "org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart", "executionId": 0,
         "description": "", "physicalPlanDescription": "", "sparkPlanInfo": plan, "time": submit},
        {"Event": "SparkListenerJobStart", "Job ID": 0, "Submission Time": submit + 4000, "Properties": {},
         "Stage Infos": [{"Stage ID": 0, "Number of Tasks": 12, "Parent IDs": []}]},
    ]
    for index in range(12):
        begin = submit + 60_000 + index * 40 * 60_000
        events.append({
            "Event": "SparkListenerTaskEnd", "Stage ID": 0, "Task End Reason": {"Reason": "Success"},
            "Task Info": {"Task ID": index, "Host": draw.choice(NODES), "Launch Time": begin, "Finish Time": begin + 8000},
            "Task Metrics": {"Executor CPU Time": 3_000_000_000, "Input Metrics": {"Bytes Read": 512 * MIB}}})
    events.append({"Event": "SparkListenerJobEnd", "Job ID": 0, "Job Result": {"Result": "JobSucceeded"}})
    events.append({"Event": "SparkListenerApplicationEnd", "Timestamp": submit + 9 * HOUR + 120_000})
    return f"application_1773500000000_9{day}", "".join(json.dumps(each, separators=(",", ":")) + "\n" for each in events)


def files(draw):
    number = 0
    for day in range(-1, 7):  # the first day ran before the log begins
        for hour in (2, 8, 12, 16):
            for name, maps, seconds, gibibytes, inputs in (
                    ("customers join", 8, 112, 16, ["/warehouse/shop.db/customers"]),
                    ("sales scan", 12, 605, 6, [f"{SALES}/day={back}" for back in (60, 59, 58)])):
                number += 1
                job, text = job_history(draw, number, name, START + (24 * day + hour) * HOUR, maps, seconds,
                                        gibibytes * 1024 * MIB, maps * seconds // 3)
                yield job + ".jhist", text
                yield job + "_conf.xml", job_configuration(inputs)
        for hour in (6, 18) if day >= 0 else ():
            number += 1
            job, text = job_history(draw, number, "archive check", START + (24 * day + hour) * HOUR,
                                    2, 3590, 8 * 1024 * MIB, 2 * 60)
            yield job + ".jhist", text
            if (day, hour) != (6, 18):  # of the last one the configuration is lost
                yield job + "_conf.xml", job_configuration(["/archive/2024/sales-{0,1}"])
        if day >= 0:
            yield spark_day(draw, day)


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) == 2 else sys.exit(__doc__)
    for name, text in files(random.Random(2)):
        # Without a time in the file's head, so that equal runs give equal files.
        with open(folder / (name + ".gz"), "wb") as raw, gzip.GzipFile("", "wb", 9, raw, 0) as packed:
            packed.write(text.encode())


main()
