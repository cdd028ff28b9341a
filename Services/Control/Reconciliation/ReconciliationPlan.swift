import Contracts
import Delivery
import Program

struct ReconciliationPlan: Equatable {
    typealias Step = ReconciliationStartV1.Step

    /// Days for which Apple keeps its notifications, as Get Notification History says.
    private static let (productionDays, sandboxDays): (Int64, Int64) = (180, 30)
    /// Margin for the difference between Apple's clock and ours, ms.
    private static let margin: Int64 = 3_600_000
    /// The period of notifications unless one is said, ms.
    private static let day: Int64 = 24 * 3_600_000

    struct Place: Equatable {
        let bundleID: BundleID
        let environment: Environment
    }

    /// The buyer whose ledger adds further steps, and where.
    private(set) var buyer: BuyerID?
    private(set) var places: [Place]
    private(set) var since: Timestamp?
    private(set) var steps: [Step] = []
    private(set) var notes: [String] = []

    /// - Throws: `CommandFailure` for options that cannot be carried out.
    init(_ options: ReconcileCommand, apps: [Configuration.App], now: Timestamp) throws(CommandFailure) {
        buyer = options.buyer
        places = try Self.places(options, apps)
        since = options.since?.moment(now: now)
        if let since, since >= now { throw .usage("--since lies in the future") }
        if let order = options.appleOrder {
            steps = places.filter { $0.environment == .production }.map {
                Step(bundleId: $0.bundleID, environment: .production, .order(appleOrderId: order))
            }
        } else if buyer == nil {
            let since = since ?? now.advanced(by: -Self.day)
            for place in places { addServerNotifications(place, since: since, now: now) }
        }
    }

    private mutating func addServerNotifications(_ place: Place, since: Timestamp, now: Timestamp) {
        let days = place.environment == .production ? Self.productionDays : Self.sandboxDays
        let earliest = now.advanced(by: Self.margin - days * Self.day)
        if since < earliest {
            notes.append(
                "\(place.bundleID) \(place.environment): Apple keeps its notifications for \(days) days; "
                    + "asking since \(earliest.rfc3339)"
            )
        }
        let subject = ReconciliationStartV1.Subject.serverNotifications(
            since: max(since, earliest),
            until: now
        )
        steps.append(Step(bundleId: place.bundleID, environment: place.environment, subject))
    }

    /// The selected apps, in each selected environment that they accept purchases from.
    private static func places(
        _ options: ReconcileCommand,
        _ apps: [Configuration.App]
    ) throws(CommandFailure) -> [Place] {
        let meant = apps.filter { options.app == nil || options.app == $0.bundleId }
        if let app = options.app, meant.isEmpty {
            let known = apps.map(\.bundleId.rawValue).sorted().joined(separator: ", ")
            throw .usage("\(app) is not in counterfoil.json; --app may be one of: \(known)")
        }
        let environment = options.environment?.environment
        let places = meant.flatMap { app in
            app.environments.filter { environment == nil || environment == $0 }
                .map { Place(bundleID: app.bundleId, environment: $0) }
        }
        if places.isEmpty { throw .usage("no app that is meant has this --environment in counterfoil.json") }
        if options.appleOrder != nil, !places.contains(where: { $0.environment == .production }) {
            throw .usage(
                "only purchases in production have Apple's order numbers; --apple-order is of no use"
            )
        }
        return places
    }
}
