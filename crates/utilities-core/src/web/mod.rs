//! The web as this crate sees it: a port that gets what a URL names. What may be reached is decided by rules that
//! know no network.

mod addresses;
mod allow;
mod browser;
mod charset;
mod error;
mod fetch;
mod fetched;
mod followed;
mod names;
mod origin;
mod pages;
mod pictures;
mod policy;
mod reader;
mod robots;

pub use addresses::{Network, Standing, standing};
pub use allow::{AllowError, AllowList};
pub use browser::{BrowserError, BrowserProxy, PageBrowser, ProxyLease};
pub use error::{FetchCause, FetchError};
pub use fetch::{FetchRequest, Wants, WebFetcher};
pub use fetched::{Body, Fetched, KeptBody};
pub(crate) use origin::OfWeb;
pub use origin::{NoWeb, WebOrigin};
pub use pages::{
    FoundPage, PAGES_AT_ONCE, PageParser, PageSource, PageUrls, PagesService, ReadPage, is_page,
};
pub use pictures::PictureOrigin;
pub use policy::{FetchPolicy, MAX_URL, PORTS, Reach, Target};
pub use reader::{PageRead, PageReader};
pub use robots::{MAX_ROBOTS, Robots};
