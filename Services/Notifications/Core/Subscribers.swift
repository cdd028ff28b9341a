import Contracts

/// Who is told of webhooks.
struct Subscribers: ExpressibleByArrayLiteral {
    /// The apps that have a server.
    let apps: Set<BundleID>
    /// Whether `counterfoil listen` may read copies, of every app's.
    let mayListen: Bool

    init(apps: Set<BundleID>, mayListen: Bool) { (self.apps, self.mayListen) = (apps, mayListen) }

    init(arrayLiteral apps: BundleID...) { self.init(apps: Set(apps), mayListen: false) }
}
