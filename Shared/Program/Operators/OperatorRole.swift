/// What an operator may do; each role may also do what those before it may.
///
/// | role      | may                                                                         |
/// |-----------|-----------------------------------------------------------------------------|
/// | `read`    | look at everything that `/v1/admin` shows                                   |
/// | `support` | assign an orphan, propose a grant or a move, move what gave no amounts      |
/// | `approve` | confirm what another operator has proposed, and take a granted one back     |
package enum OperatorRole: String, Codable, Sendable, CaseIterable, Comparable {
    case read, support, approve

    /// Whether the left one may do less.
    package static func < (left: OperatorRole, right: OperatorRole) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .read: 0
        case .support: 1
        case .approve: 2
        }
    }
}
