package import Contracts

/// A proof that only Apple can judge, from the first time that it is asked about to the last.
///
/// | answer       | what follows |
/// |--------------|--------------|
/// | found        | settled with what Apple knows |
/// | contradicted | the next api, else settled |
/// | unknown      | asked again after 5 s, 1 min, 10 min, 1 h; then the next api, else settled `unknownToApple` |
/// | tooLarge     | the next api, else settled `unverified` |
/// | refused      | settled: Apple's word for good |
/// | doubted      | asked again after 10 s, 2 min, 15 min, 1 h, and counted: Apple refuses for good only what it refused before |
/// | unavailable  | asked again then; nothing is counted, for as long as it takes |
/// | unauthorized | as `unavailable`, and an operator is called: until then nothing is lost |
///
/// Asked of the API first, where both are configured; then of `verifyReceipt`. No answer but Apple's own word ends it.
package struct AppleQuery: Equatable, Sendable {
    /// What came of one attempt.
    package enum Answer: Equatable, Sendable {
        /// What Apple knows; `unreadable` counts what it knows and this program cannot read.
        case found([SignedTransaction], unreadable: Int)
        /// Apple knows the transaction otherwise than the proof tells it.
        case contradicted
        /// Apple does not know the transaction, or not yet.
        case unknown
        /// The receipt is longer than `verifyReceipt` takes.
        case tooLarge
        /// Apple's word, after which there is no other.
        case refused(ProofFailure)
        /// Apple refuses, as it also does for a while when nothing is wrong with a receipt.
        case doubted(again: Timestamp)
        /// No word of Apple's on the proof: it is down, slow, or wants a pause.
        case unavailable(until: Timestamp)
        /// Apple does not take our key or secret, or cannot be understood.
        case unauthorized(until: Timestamp)
    }

    /// What is done after an answer.
    package enum Directive: Equatable, Sendable {
        case settle([SignedTransaction], unreadable: Int)
        case fail(ProofFailure)
        case ask(at: Timestamp)
        case callOperator
    }

    /// Pauses after Apple did not know a transaction, in ms; of a purchase just made that may not be its last word.
    package static let unknownPauses: [Int64] = [5_000, 60_000, 600_000, 3_600_000]

    /// Pauses after Apple refused a receipt as it also does when it is in trouble itself, in ms.
    package static let doubtPauses: [Int64] = [10_000, 120_000, 900_000, 3_600_000]

    package private(set) var api: AppleAPI
    /// Attempts that brought a word of this api.
    package private(set) var attempts: Int
    /// Those of them in which Apple refused the receipt.
    package private(set) var refusals: Int

    package init(to api: AppleAPI, attempts: Int = 0, refusals: Int = 0) {
        self.api = api
        self.attempts = attempts
        self.refusals = refusals
    }

    /// Takes an answer that came at `now`; `apis` may be asked.
    package mutating func apply(
        _ answer: Answer,
        now: Timestamp,
        apis: [AppleAPI]
    ) -> [Directive] {
        switch answer {
        case .found(let transactions, let unreadable):
            return [.settle(transactions, unreadable: unreadable)]
        case .contradicted: return goOn(apis, now, else: .contradicted)
        case .tooLarge: return goOn(apis, now, else: .unverified)
        case .unknown:
            guard attempts < Self.unknownPauses.count else {
                return goOn(apis, now, else: .unknownToApple)
            }
            attempts += 1
            return [.ask(at: now.advanced(by: Self.unknownPauses[attempts - 1]))]
        case .refused(let failure): return [.fail(failure)]
        case .doubted(let again):
            let pause = Self.doubtPauses[min(refusals, Self.doubtPauses.count - 1)]
            attempts += 1
            refusals += 1
            return [.ask(at: max(again, now.advanced(by: pause)))]
        case .unavailable(let until): return [.ask(at: until)]
        case .unauthorized(let until): return [.callOperator, .ask(at: until)]
        }
    }

    private mutating func goOn(
        _ apis: [AppleAPI],
        _ now: Timestamp,
        else failure: ProofFailure
    ) -> [Directive] {
        guard api == .serverAPI, apis.contains(.verifyReceipt) else { return [.fail(failure)] }
        self = AppleQuery(to: .verifyReceipt)
        return [.ask(at: now)]
    }
}
