package import Delivery
package import ZeroMQ

/// How the programs of a home reach each other.
package struct Wire: Sendable {
    package let endpoints: any Endpoints
    /// Nil where nothing is opened on `tcp://`.
    package let keys: WireKeys?
    /// Where others reach this host; nil like `keys`.
    package let host: String?
}
