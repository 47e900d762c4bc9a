//! How much the comparison with the paper depends on what had to be assumed.

use super::Failure;
use super::options::stand_in_named;
use clap::Args;
use halo_sim::reproduce::sensitivity::{self, Row, VARIANTS, WearRow};
use halo_sim::stand_in::{self, StandIn};
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct SensitivityOptions {
    /// The page to be written; printed only, without
    #[arg(long)]
    page: Option<PathBuf>,
    /// Some of the seven workloads, by name; means are then over these
    #[arg(long, value_delimiter = ',', value_parser = stand_in_named)]
    workloads: Vec<StandIn>,
}

pub(crate) fn sensitivity(options: &SensitivityOptions) -> Result<(), Failure> {
    let workloads = if options.workloads.is_empty() { &stand_in::ALL[..] } else { &options.workloads };
    let tell = |what: &str| eprintln!("halo-sim: {what}");
    let rows = sensitivity::run(&VARIANTS, workloads, &tell);
    let wear = sensitivity::run_wear(workloads, &tell);
    let arrivals = sensitivity::run_arrivals(workloads, &tell);
    let text = [
        "# How the comparison with the paper moves with what had to be assumed\n\n\
         Written by `halo-sim sensitivity --page docs/results/halo/sensitivity.md`; what follows from it stands in \
         [halo.md](../halo.md).\n\n",
        &times(workloads, &rows),
        &responses(workloads, &arrivals),
        &lives(&wear),
    ]
    .concat();
    if let Some(page) = &options.page {
        fs::write(page, text).map_err(|error| Failure::state(format!("{}: {error}", page.display())))?;
    } else {
        print!("{text}");
    }
    Ok(())
}

fn heading(workloads: &[StandIn], first: &str, last: &str) -> String {
    let names: Vec<_> = workloads.iter().map(|workload| workload.name).collect();
    let columns = first.matches('|').count() + names.len() + last.matches('|').count();
    let first_columns = first.matches('|').count() - 1;
    let rule: String = (0..columns - 1).map(|column| if column < first_columns { "---|" } else { "---:|" }).collect();
    format!("{first} {} {last}\n|{rule}\n", names.join(" | "))
}

fn times(workloads: &[StandIn], rows: &[Row]) -> String {
    let mut text = String::from(
        "## Time\n\nHALO's execution time below LRU's, in percent (the paper's mean: 36.8), and two readings of its 40.1% better \
         response:\nthe response of each request that reaches the disk, and the disk's time for each request of the trace; \
         geometric means.\nLast, how many blocks fewer the disk reads or writes than with LRU, in percent.\n\n",
    );
    text += &heading(
        workloads,
        "| assumption | value |",
        "| mean | response of disk requests | disk time per request | traffic |",
    );
    for row in rows {
        let (assumption, value, _) = row.variant;
        let cells: Vec<_> = row.less_time.iter().map(|percent| format!("{percent:.1}")).collect();
        let _ = writeln!(
            text,
            "| {assumption} | {value} | {} | {:.1} | {:.1} | {:.1} | {:.1} |",
            cells.join(" | "),
            row.mean_less_time,
            row.better_disk_response,
            row.better_time_per_request,
            row.less_traffic
        );
    }
    text + "\n"
}

fn responses(workloads: &[StandIn], arrivals: &[(u32, Vec<f64>)]) -> String {
    let mut text = String::from(
        "## Arrivals\n\nRequests arrive at random times: by how many percent the mean response of a request of the trace is better \
         than with LRU.\nAt most 400,000 requests, with cache and dataset smaller by as much as the run is shorter.\n\n",
    );
    text += &heading(workloads, "| requests/s |", "|");
    for (rate, better) in arrivals {
        let cells: Vec<_> = better.iter().map(|percent| format!("{percent:.1}")).collect();
        let _ = writeln!(text, "| {rate} | {} |", cells.join(" | "));
    }
    text + "\n"
}

fn lives(rows: &[WearRow]) -> String {
    let mut text = String::from(
        "## Wear\n\nLife ratios, means of the workloads (the paper: SFC 0.9255, RR 0.619, SG 0.0598). A moved stripe of 32 KiB is \
         eight more blocks written;\nthe paper does not say whether those count, nor what a write is for the interval.\n\n\
         | writes between two moves | a write | cache | SFC | RR | SG | stripes moved per 100 blocks | SFC, moves not counted | RR | SG \
         |\n|---:|---|---|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for row in rows {
        let [curve, round_robin, regions] = row.life_ratios;
        let [asked_curve, asked_round_robin, asked_regions] = row.life_ratios_without_moves;
        let write = if row.writes_per_block == 1 { "4 KiB" } else { "64 B" };
        let cache = row.cache_mib.map_or_else(|| "as in the comparison".to_owned(), |mib| format!("{mib} MiB"));
        let _ = writeln!(
            text,
            "| {} | {write} | {cache} | {curve:.3} | {round_robin:.3} | {regions:.3} | {:.2} | {asked_curve:.3} | \
             {asked_round_robin:.3} | {asked_regions:.3} |",
            row.move_interval_writes, row.moves_per_100_blocks
        );
    }
    text
}
