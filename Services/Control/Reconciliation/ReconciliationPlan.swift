import Contracts
import Delivery
import Program

/// What `counterfoil reconcile` is to ask Apple for.
struct ReconciliationPlan: Equatable {
    /// What the command line says.
    struct Wish: Equatable {
        var since: LookBack?
        var buyer: BuyerID?
        /// The number on the buyer's e-mail.
        var appleOrder: String?
        var app: BundleID?
        var environment: Environment?
    }

    private(set) var errands: [ReconciliationErrand] = []
    /// What the operator should know beforehand, a line each.
    private(set) var notes: [String] = []

    /// What follows from a wish, the configured apps and the time.
    ///
    /// - Throws: `CommandFailure` for a wish that nobody can fulfil.
    init(_ wish: Wish, apps: [Configuration.App], now: Timestamp) throws(CommandFailure) {
        let places = try Self.places(wish, apps)
        let since = wish.since?.beginning(now: now)
        if let since, since >= now { throw Self.misuse("--since lies in the future") }
        if let buyer = wish.buyer { errands.append(.purchases(of: buyer, in: places, since: since)) }
        if let order = wish.appleOrder {
            let apps = places.filter { $0.environment == .production }.map(\.bundleID)
            errands.append(.order(order, of: apps))
        }
        guard wish.buyer == nil, wish.appleOrder == nil else { return }
        for place in places {
            askForNotifications(place, since: since ?? LookBack.day.beginning(now: now), now: now)
        }
    }

    private mutating func askForNotifications(
        _ place: ReconciliationErrand.Place,
        since: Timestamp,
        now: Timestamp
    ) {
        let earliest = NotificationRetention.earliest(in: place.environment, now: now)
        if since < earliest {
            let days = NotificationRetention.days(in: place.environment)
            notes.append(
                "\(place.bundleID) \(place.environment): Apple keeps its notifications for \(days) days; "
                    + "asking since \(earliest.rfc3339)"
            )
        }
        var question = AppleAskV1(
            bundleId: place.bundleID,
            environment: place.environment,
            question: .notifications
        )
        question.since = max(since, earliest)
        question.until = now
        errands.append(.question(question))
    }

    /// The apps that are meant, in each environment that is meant and that they take purchases from.
    private static func places(
        _ wish: Wish,
        _ apps: [Configuration.App]
    ) throws(CommandFailure) -> [ReconciliationErrand.Place] {
        let known = apps.map(\.bundleId.rawValue).sorted().joined(separator: ", ")
        let meant = apps.filter { wish.app == nil || wish.app == $0.bundleId }
        if let app = wish.app, meant.isEmpty {
            throw misuse("\(app) is not in counterfoil.json; --app may be one of: \(known)")
        }
        let places = meant.flatMap { app in
            app.environments.filter { wish.environment == nil || wish.environment == $0 }
                .map { ReconciliationErrand.Place(bundleID: app.bundleId, environment: $0) }
        }
        if places.isEmpty {
            throw misuse("no app that is meant has this --environment in counterfoil.json")
        }
        if wish.appleOrder != nil, !places.contains(where: { $0.environment == .production }) {
            throw misuse(
                "only purchases in production have Apple's order numbers; --apple-order is of no use"
            )
        }
        return places
    }

    private static func misuse(_ problem: String) -> CommandFailure {
        CommandFailure(description: problem, exitCode: Launch.usageCode)
    }
}

/// For how long Apple can be asked for what it notified.
enum NotificationRetention {
    /// Kept off the end, as Apple's clock is not ours, in milliseconds.
    private static let margin: Int64 = 3_600_000

    /// As Get Notification History says: 180 days in production, 30 in the sandbox.
    static func days(in environment: Environment) -> Int64 { environment == .production ? 180 : 30 }

    /// The earliest moment that Apple can be asked about.
    static func earliest(in environment: Environment, now: Timestamp) -> Timestamp {
        now.advanced(by: margin - days(in: environment) * 24 * 3_600_000)
    }
}
