import Contracts
import NIOConcurrencyHelpers
import Program

/// What is learned of a request while it is handled, for the log of requests.
final class RequestNote: Sendable {
    /// That of the request that this task handles.
    @TaskLocal static var current: RequestNote?

    struct Facts: Sendable {
        var caller = ""
        var bundleId = ""
        var buyerId = ""
        var orderId = ""
        var code = ""
        var field = ""
    }

    private let facts = NIOLockedValueBox(Facts())

    var all: Facts { facts.withLockedValue { $0 } }

    /// Adds to what is known; a request that nobody logs has no note.
    static func add(_ change: @Sendable (inout Facts) -> Void) {
        current?.facts.withLockedValue(change)
    }

    /// Notes whose proof it is: a large body is read by another task, which has no note.
    static func add(_ submission: ReceiptSubmitV1) {
        add { facts in
            (facts.buyerId, facts.orderId) = (submission.buyerId.rawValue, submission.orderId ?? "")
        }
    }

    /// Notes who asks.
    static func add(_ caller: Caller) {
        add { facts in
            facts.bundleId = caller.bundle.rawValue
            switch caller {
            case .serverKey(_, let key): facts.caller = "key \(key)"
            case .phone(_, let buyer, let key):
                facts.caller = "phone \(key)"
                facts.buyerId = buyer.rawValue
            }
        }
    }
}
