/// What to do after a `verifyReceipt` attempt.
///
/// | status | meaning | outcome |
/// |---|---|---|
/// | 0 | genuine | `valid` |
/// | 21000 | not sent by POST | `ourFault` |
/// | 21001 | no longer sent | `retry` |
/// | 21002 | malformed, or a temporary failure; Apple does not distinguish them | `retry`, the 5th time `reject` |
/// | 21003 | not authentic; in the sandbox a missing secret looks so too | `retry`, the 2nd time `reject` |
/// | 21004 | another shared secret | `wrongSecret` |
/// | 21005, 21009 | trouble at Apple's | `retry` |
/// | 21006 | genuine, and the subscription has ended (receipts of iOS 6) | `notEntitled` |
/// | 21007 | production was asked of a sandbox receipt | `ask(.sandbox)` |
/// | 21008 | the sandbox was asked of a production receipt | `ask(.production)` |
/// | 21010 | the account does not exist (any more) | `neverPurchased` |
/// | 21100 to 21199 | trouble with data at Apple's | `retry`, `park` where `is-retryable` is false |
/// | HTTP 413 | above 3 MiB | `tooLarge` |
/// | any other status, HTTP status, HTML, rubbish, `{}`, timeout | – | `retry` |
///
/// 21007 after 21008, 21008 after 21007, and either from the server it points to, make no sense: `retry`.
package enum VerifyReceiptOutcome: Hashable, Sendable {
    case valid
    /// The purchases are real but over.
    case notEntitled
    case ask(AppleServer)
    /// Ask again later: neither a grant nor a loss.
    case retry(RetryReason)
    /// Apple says finally that it did not make this receipt.
    case reject(status: Int)
    /// Apple does not know the buyer: nothing was bought.
    case neverPurchased
    /// The configured shared secret is not this app's: an alarm; the receipt stays pending.
    case wrongSecret
    /// Apple says that the request is wrong, which is this program's fault: an alarm; the receipt stays
    /// pending.
    case ourFault
    /// Apple says not to ask again, but not whether the receipt is genuine: an operator must decide.
    case park(status: Int)
    /// Apple never reads receipts of this size: ask the App Store Server API about a transaction id.
    case tooLarge

    /// Why to ask again.
    package enum RetryReason: Hashable, Sendable {
        case status(Int)
        case http(Int)
        /// HTTP 200 without a JSON object that has a status.
        case noStatus
        case noResponse(TransportFailure)
        case circuitOpen
        case busy
    }

    /// 21002 is final after so many refusals (21002 or 21003) of a receipt.
    package static let malformedRefusals = 5
    /// 21003 is final after so many refusals (21002 or 21003) of a receipt.
    package static let unauthenticatedRefusals = 2

    /// Whether Apple refused the receipt, finally or not.
    package var isRefusal: Bool {
        switch self {
        case .reject, .retry(.status(21_002)), .retry(.status(21_003)): true
        case .valid, .notEntitled, .ask, .retry, .neverPurchased, .wrongSecret, .ourFault, .park, .tooLarge:
            false
        }
    }

    var isServerFault: Bool {
        guard case .retry = self else { return false }
        return !isRefusal
    }
}

extension VerifyReceiptOutcome {
    /// The outcome of a response, maybe after a redirect; `status` is nil where none can be read, and only
    /// Apple's refusals count as attempts.
    init(
        http: Int = 200,
        status: Int?,
        isRetryable: Bool? = nil,
        from server: AppleServer = .production,
        isRedirected: Bool = false,
        earlierRefusals: Int = 0
    ) {
        func believed(after limit: Int, _ status: Int) -> Self {
            earlierRefusals + 1 < limit ? .retry(.status(status)) : .reject(status: status)
        }
        func redirected(to other: AppleServer, _ status: Int) -> Self {
            isRedirected || server == other ? .retry(.status(status)) : .ask(other)
        }
        self =
            switch (http, status) {
            case (413, _): .tooLarge
            case (200, nil): .retry(.noStatus)
            case (200, 0): .valid
            case (200, 21_000): .ourFault
            case (200, 21_002): believed(after: Self.malformedRefusals, 21_002)
            case (200, 21_003): believed(after: Self.unauthenticatedRefusals, 21_003)
            case (200, 21_004): .wrongSecret
            case (200, 21_006): .notEntitled
            case (200, 21_007): redirected(to: .sandbox, 21_007)
            case (200, 21_008): redirected(to: .production, 21_008)
            case (200, 21_010): .neverPurchased
            case (200, let status?) where (21_100...21_199).contains(status) && isRetryable == false:
                .park(status: status)
            case (200, let status?): .retry(.status(status))
            default: .retry(.http(http))
            }
    }
}
