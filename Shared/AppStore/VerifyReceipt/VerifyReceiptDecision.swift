/// What to do after an answer of `verifyReceipt`, or none.
///
/// | answer | meaning | decision |
/// |---|---|---|
/// | 0 | genuine | `valid` |
/// | 21000 | not sent by POST | `ourFault` |
/// | 21001 | no longer sent | `retry` |
/// | 21002 | malformed, or a passing trouble: they look alike | `retry`, the 5th time `reject` |
/// | 21003 | not authentic; in the sandbox a missing secret looks so too | `retry`, the 2nd time `reject` |
/// | 21004 | another shared secret | `wrongSecret` |
/// | 21005, 21009 | trouble at Apple's | `retry` |
/// | 21006 | genuine, and the subscription has ended (receipts of iOS 6) | `notEntitled` |
/// | 21007 | production was asked of a sandbox receipt | `ask(.sandbox)` |
/// | 21008 | the sandbox was asked of a production receipt | `ask(.production)` |
/// | 21010 | the account does not exist (any more) | `neverPurchased` |
/// | 21100 to 21199 | trouble with data at Apple's | `retry`, `park` where `is-retryable` is false |
/// | HTTP 413 | above 3 MiB | `tooLarge` |
/// | any other status, HTTP status, HTML, rubbish, `{}`, none in time | – | `retry` |
///
/// 21007 after 21008, 21008 after 21007, and either from the server it points to, make no sense: `retry`.
package enum VerifyReceiptDecision: Hashable, Sendable {
    /// The purchases of the answer are real.
    case valid
    /// The purchases of the answer are real, and over.
    case notEntitled
    /// This server cannot tell: ask that one, now.
    case ask(AppleServer)
    /// Keep the receipt and ask again: neither a grant nor a loss.
    case retry(Trouble)
    /// Apple says for good that this is no receipt of its own.
    case reject(status: Int)
    /// Apple knows no such buyer: nothing was bought.
    case neverPurchased
    /// The configured shared secret is not this app's: an alarm, and the receipt stays pending.
    case wrongSecret
    /// Apple says that the request itself is wrong, which only this program can be: an alarm, and the receipt
    /// stays pending.
    case ourFault
    /// Apple says not to ask again, and not what the receipt is worth: an operator must look.
    case park(status: Int)
    /// Apple never reads receipts of this size: ask the App Store Server API about a transaction id instead.
    case tooLarge

    /// Why to ask again.
    package enum Trouble: Hashable, Sendable {
        /// This status of Apple's.
        case status(Int)
        /// This HTTP status.
        case http(Int)
        /// HTTP 200 without a JSON object that has a status.
        case noStatus
        /// No answer.
        case noAnswer(TransportFailure)
        /// Not asked: the server has not answered for a while.
        case circuitOpen
        /// Not asked: too many calls are under way.
        case busy
    }

    /// 21002 is believed when Apple says it, or 21003, so often of a receipt.
    package static let malformedRefusals = 5
    /// 21003 is believed when Apple says it, or 21002, so often of a receipt.
    package static let unauthenticatedRefusals = 2
}

extension VerifyReceiptDecision {
    /// What is known when it is decided.
    package struct Situation: Hashable, Sendable {
        /// The HTTP status.
        package var http: Int
        /// The answer's `status`; nil where there is none to be read.
        package var status: Int?
        package var isRetryable: Bool?
        /// The server that answered.
        package var asked: AppleServer
        /// Whether another server sent us here.
        package var isSentHere = false
        /// How often Apple has refused this receipt before; what failed in another way does not count.
        package var earlierRefusals = 0

        /// An answer with HTTP 200 of the server asked first; the rest may be set afterwards.
        package init(status: Int?, asked: AppleServer = .production) {
            http = 200
            self.status = status
            self.asked = asked
        }
    }

    /// Whether Apple said that this is no receipt of its own, for the first times or for good.
    package var isRefusal: Bool {
        switch self {
        case .reject, .retry(.status(Status.malformed)), .retry(.status(Status.unauthenticated)): true
        case .valid, .notEntitled, .ask, .retry, .neverPurchased, .wrongSecret, .ourFault, .park, .tooLarge:
            false
        }
    }

    /// Whether the server itself is in trouble, be it that it says so.
    var isTrouble: Bool {
        guard case .retry = self else { return false }
        return !isRefusal
    }

    /// Apple's statuses, by its documentation.
    private enum Status {
        static let valid = 0
        static let notPosted = 21_000
        static let malformed = 21_002
        static let unauthenticated = 21_003
        static let wrongSecret = 21_004
        static let expired = 21_006
        static let sandboxReceipt = 21_007
        static let productionReceipt = 21_008
        static let noAccount = 21_010
        static let internalErrors = 21_100...21_199
    }

    /// The decision for an answer.
    package init(_ situation: Situation) {
        guard situation.http == 200 else {
            self = situation.http == 413 ? .tooLarge : .retry(.http(situation.http))
            return
        }
        guard let status = situation.status else {
            self = .retry(.noStatus)
            return
        }
        self =
            switch status {
            case Status.valid: .valid
            case Status.notPosted: .ourFault
            case Status.malformed: Self.believe(status, situation, Self.malformedRefusals)
            case Status.unauthenticated: Self.believe(status, situation, Self.unauthenticatedRefusals)
            case Status.wrongSecret: .wrongSecret
            case Status.expired: .notEntitled
            case Status.sandboxReceipt: Self.sendOn(status, situation, to: .sandbox)
            case Status.productionReceipt: Self.sendOn(status, situation, to: .production)
            case Status.noAccount: .neverPurchased
            case Status.internalErrors where situation.isRetryable == false: .park(status: status)
            default: .retry(.status(status))
            }
    }

    private static func believe(_ status: Int, _ situation: Situation, _ refusals: Int) -> Self {
        situation.earlierRefusals + 1 < refusals ? .retry(.status(status)) : .reject(status: status)
    }

    private static func sendOn(_ status: Int, _ situation: Situation, to server: AppleServer) -> Self {
        situation.isSentHere || situation.asked == server ? .retry(.status(status)) : .ask(server)
    }
}
