import Contracts

/// How far a redrive has come: which rows it sends, and after which of them it goes on.
///
/// Tested by: `RedriveCursorTests`.
///
/// | to                   | stages, in this order                                                             |
/// |----------------------|-----------------------------------------------------------------------------------|
/// | orders               | claims                                                                            |
/// | entitlements         | appleOrders, claims                                                               |
/// | receipts             | names, answers, previousChains, previousAnswers, submissions, serverNotifications |
/// | notifications        | submissions, serverNotifications                                                  |
///
/// To Receipts the names are sent first, before others claim them.
struct RedriveCursor: Equatable, Sendable {
    enum Stage: String, CaseIterable, Sendable {
        case claims, names
        /// What Apple has named for compensations; told before their purchases.
        case appleOrders
        /// The answers that claims of a name have had here.
        case answers
        case previousChains
        /// The answers that a signed token has changed.
        case previousAnswers
        case submissions, serverNotifications

        /// What is sent to a service, in order.
        static func stages(for service: ServiceName) -> [Stage] {
            switch service {
            case .orders: [.claims]
            case .entitlements: [.appleOrders, .claims]
            case .receipts:
                [.names, .answers, .previousChains, .previousAnswers, .submissions, .serverNotifications]
            case .notifications: [.submissions, .serverNotifications]
            }
        }
    }

    let stage: Stage
    /// The key of the last row, column by column; empty at the beginning of a stage.
    let key: [String]

    init(_ stage: Stage, after key: [String] = []) { (self.stage, self.key) = (stage, key) }

    /// Reads the form of `columns`, the beginning from no column; nil for what is no stage for the service.
    init?(_ columns: [String], for service: ServiceName) {
        let stages = Stage.stages(for: service)
        let named = columns.isEmpty ? stages.first : columns.first.flatMap(Stage.init(rawValue:))
        guard let named, stages.contains(named) else { return nil }
        self.init(named, after: Array(columns.dropFirst()))
    }

    /// Its stored form: the stage, then the key.
    var columns: [String] { [stage.rawValue] + key }

    /// Where it goes on after a page whose last key is this one, empty where the stage has ended; nil at the end.
    func next(after key: [String], for service: ServiceName) -> RedriveCursor? {
        guard key.isEmpty else { return RedriveCursor(stage, after: key) }
        let rest = Stage.stages(for: service).drop { $0 != stage }.dropFirst()
        return rest.first.map { RedriveCursor($0) }
    }
}
