package import Contracts

/// What the app's server knows of a purchase.
///
/// | the newest webhooks                    | it        |
/// |----------------------------------------|-----------|
/// | one was refused, or not answered       | `refuses` |
/// | one is on its way, or waits for others | `awaited` |
/// | all are delivered                      | `told`    |
/// | there are none                         | `none`    |
package enum DeskServer: Equatable, Sendable {
    case none
    case told(DeskFact)
    case awaited(DeskFact)
    case refuses(DeskFact)

    package init(_ facts: [DeskFact]) {
        func last(_ kind: DeskFact.Kind) -> DeskFact? {
            facts.filter { $0.kind == kind }.max { $0.at < $1.at }
        }
        if let refused = last(.serverRefuses) {
            self = .refuses(refused)
        } else if let awaited = last(.serverAwaited) {
            self = .awaited(awaited)
        } else if let told = last(.serverTold) {
            self = .told(told)
        } else {
            self = .none
        }
    }
}
