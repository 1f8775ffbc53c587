//! `simulator [row-filter ...] [--seeds N] [--rivals] [--trace]`: the table of what pacing reaches.
//!
//! It drives the code that ships, `policy::pacing`, and its rivals against simulated servers on a fake clock.

use std::process::ExitCode;

use simulator::{
    row::{Row, Who},
    rows, table,
    verdict::Verdict,
};

const USAGE: &str = "simulator [row-filter ...] [--seeds N] [--rivals] [--trace] [--list]

A filter is a part of a row's name or of its group's; a row that any filter fits is run.
  --seeds N   how often each row is run, 5 unless given
  --rivals    also what others reach
  --trace     each event of seed N (0 unless given) of the first row that fits
  --list      only the names";

#[derive(Debug, Default)]
struct Arguments {
    filters: Vec<String>,
    seeds: Option<u64>,
    rivals: bool,
    trace: bool,
    list: bool,
}

fn arguments(given: impl Iterator<Item = String>) -> Option<Arguments> {
    let mut arguments = Arguments::default();
    let mut given = given;
    while let Some(argument) = given.next() {
        match argument.as_str() {
            "--seeds" => arguments.seeds = Some(given.next()?.parse().ok()?),
            "--rivals" => arguments.rivals = true,
            "--trace" => arguments.trace = true,
            "--list" => arguments.list = true,
            filter if !filter.starts_with('-') => arguments.filters.push(filter.to_owned()),
            _ => return None,
        }
    }
    Some(arguments)
}

fn main() -> ExitCode {
    let Some(arguments) = arguments(std::env::args().skip(1)) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let fits = |row: &Row| {
        let text = format!("{} {}", row.group, row.name);
        arguments.filters.is_empty() || arguments.filters.iter().any(|filter| text.contains(filter))
    };
    let rows: Vec<Row> = rows::all().into_iter().filter(fits).collect();
    if arguments.trace {
        return trace(rows.first(), arguments.seeds.unwrap_or(0));
    }
    if arguments.list {
        rows.iter().for_each(|row| println!("{:<44} {}", row.name, row.group));
        return ExitCode::SUCCESS;
    }
    print_table(&rows, arguments.seeds.unwrap_or(5), arguments.rivals);
    ExitCode::SUCCESS
}

fn trace(row: Option<&Row>, seed: u64) -> ExitCode {
    let Some(row) = row else {
        eprintln!("no such row");
        return ExitCode::from(2);
    };
    println!("{}: {}, seed {seed}", row.group, row.name);
    if let Some(result) = row.run(Who::Ours, seed, true) {
        println!("{:#?}", result.run);
        println!(
            "makespan {:.3} = {:.3} of the optimum {:.3}",
            result.run.makespan, result.ratio, result.optimum
        );
    }
    ExitCode::SUCCESS
}

fn print_table(rows: &[Row], seeds: u64, rivals: bool) {
    table::print_head();
    let mut group = "";
    let mut verdicts = Vec::new();
    for row in rows {
        if row.group != group {
            println!("\n{}", row.group);
            group = row.group;
        }
        verdicts.push(table::print(row, seeds, rivals));
    }
    let count = |verdict| verdicts.iter().filter(|other| **other == verdict).count();
    println!(
        "\n{} ok, {} ok on average, {} missed, {} with nothing asked",
        count(Verdict::Ok),
        count(Verdict::OkOnAverage),
        count(Verdict::Missed),
        count(Verdict::Unasked)
    );
}
