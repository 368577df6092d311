//! The web as this crate sees it: a port that fetches URLs. A policy without network access decides what may
//! be reached.

mod addresses;
mod allow;
mod browser;
mod charset;
mod error;
mod fetch;
mod follow;
mod host_names;
mod origin;
mod page_type;
mod pages;
mod parser;
mod pictures;
mod policy;
mod reader;
mod response;
mod robots;

pub use addresses::{AddressClass, Network, classify_address};
pub use allow::{AllowError, AllowList};
pub use browser::{BrowserError, BrowserProxy, PageBrowser, ProxyLease};
pub use error::{FetchCause, FetchError};
pub use fetch::{FetchPurpose, FetchRequest, WebFetcher};
pub(crate) use origin::WebDocument;
pub use origin::{NoopFetcher, WebOrigin};
pub use pages::{FoundPage, PAGES_AT_ONCE, PageResult, PageUrls, PagesService};
pub use parser::{PageParser, PageSource};
pub use pictures::PictureOrigin;
pub use policy::{FetchPolicy, MAX_URL, PORTS, Reach, Target};
pub use reader::{PageReadResult, PageReader};
pub use response::{Body, FetchResponse, StoredBody};
pub use robots::{MAX_ROBOTS, Robots};
