//! The routes of the operations.

use std::collections::BTreeMap;
use std::sync::Arc;

use actix_web::http::Method;
use actix_web::{HttpRequest, guard, web};

use super::middleware::{Endpoint, method_not_allowed, not_found, serve};
use super::operation_parts::Operation;
use super::path_suggestion::nearest_path;

/// The routes of all operations. Every worker thread mounts the same ones.
#[derive(Clone)]
pub struct Routes(Arc<BTreeMap<RouteKey, ResourceRoutes>>);

/// Whether a path has parameters, and the path. Paths without parameters come first: they are compared as
/// text; the others are matched by patterns, in order.
type RouteKey = (bool, String);

/// The methods of a path.
type ResourceRoutes = Vec<(Method, Arc<Endpoint>)>;

impl Routes {
    /// The routes of these operations.
    pub(super) fn new(entries: Vec<(Operation, Arc<Endpoint>)>) -> Self {
        let mut paths: BTreeMap<RouteKey, ResourceRoutes> = BTreeMap::new();
        for (operation, endpoint) in entries {
            let versioned = operation.under_v1.then(|| format!("/v1{}", operation.path));
            let own = match operation.path.strip_suffix('}') {
                Some(path) if operation.deeper => format!("{path}:.*}}"),
                _ => operation.path.to_owned(),
            };
            for path in std::iter::once(own).chain(versioned) {
                let key = (path.contains('{'), path);
                paths.entry(key).or_default().push((operation.method.clone(), Arc::clone(&endpoint)));
            }
        }
        Self(Arc::new(paths))
    }

    /// Mounts every route. A path answers 405 to methods that it does not have.
    pub fn mount(&self, config: &mut web::ServiceConfig) {
        for ((_, path), routes) in &*self.0 {
            let mut resource = web::resource(path.as_str());
            let mut allowed: Vec<&str> = Vec::new();
            for (method, endpoint) in routes {
                allowed.push(method.as_str());
                if method == Method::GET {
                    allowed.push("HEAD");
                }
                resource = resource.route(route(method, endpoint));
            }
            allowed.push("OPTIONS");
            let allowed: Arc<str> = allowed.join(", ").into();
            let refuse = move |request: HttpRequest| method_not_allowed(request, Arc::clone(&allowed));
            config.service(resource.default_service(web::to(refuse)));
        }
        let routes = self.clone();
        let refuse = move |request: HttpRequest| {
            let paths = routes.0.keys().map(|(_, path)| path.as_str());
            let meant = nearest_path(request.path(), paths).map(str::to_owned);
            not_found(request, meant)
        };
        config.default_service(web::to(refuse));
    }
}

impl std::fmt::Debug for Routes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.0.keys().map(|(_, path)| path)).finish()
    }
}

/// A route that serves `endpoint`.
fn route(method: &Method, endpoint: &Arc<Endpoint>) -> actix_web::Route {
    let route = if method == Method::GET {
        // HEAD is handled as GET; the server omits the body.
        web::route().guard(guard::Any(guard::Get()).or(guard::Head()))
    } else {
        web::method(method.clone())
    };
    let endpoint = Arc::clone(endpoint);
    route
        .to(move |request: HttpRequest, payload: web::Payload| serve(request, payload, Arc::clone(&endpoint)))
}
