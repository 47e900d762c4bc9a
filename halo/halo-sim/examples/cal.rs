//! x
#![allow(clippy::all, clippy::pedantic, clippy::print_stdout, clippy::unwrap_used)]
use halo_sim::calibrate::*;
fn main(){ for d in disks::ALL { let p=format!("/work/shared/data/block/disksim_valid/{}.trace.xz", d.trace); let m=read_measured(std::path::Path::new(&p)).unwrap(); let v=validate(d,&m);
 let r=model_responses_millis(&d,&m); let f=|op| { let (mut a,mut b,mut n)=(0.,0.,0.); for (x,q) in r.iter().zip(&m){ if q.operation==op {a+=x;b+=q.response_micros/1e3;n+=1.;}} (b/n,a/n)};
 let mut a: Vec<f64>=m.iter().map(|q|q.response_micros/1e3).collect(); let mut b=r.clone(); a.sort_by(f64::total_cmp); b.sort_by(f64::total_cmp); let q=|v:&Vec<f64>| [0.05,0.2,0.3,0.4,0.5,0.7,0.9,0.99].map(|s| (v[(s*v.len() as f64) as usize]*100.0).round()/100.0);
 println!("{:10} n {} real {:.2} model {:.2} demerit {:.3} ({:.1}%) disksim {:?} reads {:.2?} writes {:.2?}\n   {:?}\n   {:?}", d.trace, v.requests, v.measured_mean_millis, v.model_mean_millis, v.demerit_millis, v.demerit_percent(), d.disksim_demerit_millis, f(halo_disk::Operation::Read), f(halo_disk::Operation::Write), q(&a), q(&b)); } }
