//! x
#![allow(clippy::all, clippy::pedantic, clippy::print_stdout, clippy::unwrap_used, missing_docs)]
use halo_sim::calibrate::*;
fn main(){ for d in disks::ALL { let p=format!("/work/shared/data/block/disksim_valid/{}.trace.xz", d.trace); let m=read_measured(std::path::Path::new(&p)).unwrap(); let v=validate(d,&m);
 println!("{:10} n {} real {:.2} model {:.2} demerit {:.3} ({:.1}%) disksim {:?}", d.trace, v.requests, v.measured_mean_millis, v.model_mean_millis, v.demerit_millis, v.demerit_percent(), d.disksim_demerit_millis); } }
