import Contracts

/// A buyer of an app.
struct AppBuyer: Hashable, Sendable {
    let bundle: BundleID
    let buyer: BuyerID
}
