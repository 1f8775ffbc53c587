//! A discrete-event simulator on a fake clock. It drives the code that ships, `policy::pacing`, and its rivals.
//!
//! [`limits`] is what a server counts and [`server`] what it answers; [`world`] has the workers, their timers, the
//! network and the kills; [`pacer`] is what the world asks of [`ours`] and of the [`rivals`]. A [`row`] is one world
//! with its [`optimum`] and its target, [`rows`] are all of them, [`verdict`] judges and [`table`] prints.
#![expect(
    clippy::indexing_slicing,
    reason = "a tool: an index out of range is its own bug, and the panic says where"
)]

pub mod clock;
pub mod draw;
mod event;
pub mod limits;
pub mod optimum;
pub mod ours;
pub mod pacer;
pub mod quota;
pub mod rivals;
pub mod row;
pub mod rows;
pub mod run;
mod running;
pub mod server;
pub mod table;
pub mod verdict;
pub mod world;
