import Contracts
import Domain

/// What a submission holds, and what follows.
struct SubmissionAssessment: Equatable, Sendable {
    enum State: String, CaseIterable, Sendable {
        case verified
        case asking
        /// It holds nothing yet; the app must refresh it.
        case pending
        case parked
        case invalid
    }

    struct Item: Equatable, Sendable {
        let signed: SignedTransaction
        let facts: TransactionFacts
        let obstacle: AppPolicy.Obstacle?
    }

    /// How much is known of a proof, least first.
    enum Knowledge: Int, Comparable, Sendable {
        case none
        case unclear
        case asked
        /// It is genuine, but empty or with a parked part.
        case genuine
        case whole

        static func < (left: Knowledge, right: Knowledge) -> Bool { left.rawValue < right.rawValue }
    }

    /// What Apple is asked about a submission.
    enum AppleInquiry: Equatable, Sendable {
        /// Whether it is genuine; `again` even if that is being asked.
        case proof(again: Bool)
        /// What Apple knows of its transactions; the proof is verified.
        case evidence
        /// The proof is verified.
        case nothing
    }

    /// By purchase date, then id.
    let items: [Item]
    /// Why the proof or a part of it could not be read.
    let failure: ProofFailure?
    /// The version of the app that has the proof; nil if the proof does not say it.
    let applicationVersion: String?
    /// When Apple signed the proof that the phone handed in; nil if it does not say it, or Apple has read it.
    let signedAt: Timestamp?

    init(
        _ contents: ProofContents,
        from submitter: BuyerID,
        of bundleID: BundleID,
        policy: AppPolicy?
    ) {
        let items = contents.transactions.compactMap { signed in
            TransactionFacts(signed).map { facts in
                let obstacle = AppPolicy.obstacle(
                    facts,
                    signedFor: contents.appAppleId,
                    by: contents.applicationVersion,
                    from: submitter,
                    of: bundleID,
                    policy: policy
                )
                return Item(signed: signed, facts: facts, obstacle: obstacle)
            }
        }
        applicationVersion = contents.applicationVersion
        signedAt = contents.signedAt
        self.items = items.sorted { $0.facts.place < $1.facts.place }
        let isWhole = items.count == contents.transactions.count && contents.unreadable == 0
        failure = !isWhole ? .unreadable : items.isEmpty ? .emptyReceipt : nil
    }

    /// An unreadable proof; Apple is asked if `mayAsk` and it can answer.
    init(_ failure: ProofFailure, of kind: ProofKind? = nil, mayAsk: Bool = false) {
        items = []
        (applicationVersion, signedAt) = (nil, nil)
        let isAsked = mayAsk && kind != .signedTransaction && failure.isForApple
        self.failure = isAsked ? .askingApple : failure
    }

    var state: State {
        if failure == .askingApple { return .asking }
        return switch failure?.verdict {
        case .invalid: .invalid
        case .pending: .pending
        case nil: items.allSatisfy { $0.obstacle == nil } ? .verified : .parked
        case .parked, .granted, .ended, .conflict: .parked
        }
    }

    var reason: String? { failure?.rawValue ?? items.lazy.compactMap(\.obstacle?.rawValue).first }

    /// How much its proof shows, so that the better of two texts is kept.
    var knowledge: Knowledge {
        switch state {
        case .verified: .whole
        case .asking: .asked
        case .pending: .genuine
        case .parked: items.isEmpty ? .unclear : .genuine
        case .invalid: .none
        }
    }

    /// Whether it was read whole and holds one transaction.
    var isOne: Bool { items.count == 1 && failure == nil }

    /// Whether it is one transaction with this original, and goes to its claim.
    func isVerified(as original: TransactionID) -> Bool {
        isOne && state == .verified && items[0].facts.originalTransactionId == original
    }

    var admitted: [Item] { items.filter { $0.obstacle == nil } }

    /// Of what it holds; nil where that is nothing, or of several.
    var environment: Environment? {
        let stated = Set(admitted.map(\.facts.environment))
        return stated.count == 1 ? stated.first : nil
    }

    /// What stays of a verified proof without its text; nil if the text cannot be read any more.
    var factsToKeep: ProofContents? {
        guard knowledge == .whole else { return nil }
        return ProofContents(
            transactions: items.map(\.signed),
            signedAt: signedAt,
            applicationVersion: applicationVersion
        )
    }

    // MARK: Decisions

    /// Whether this proof replaces a stored one of the same signature.
    ///
    /// Unsigned parts may differ: the proof that shows more is stored, or else the longer, as the other may be cut.
    func isPreferred(to stored: SubmissionAssessment, isLonger: Bool) -> Bool {
        knowledge == stored.knowledge ? isLonger : knowledge > stored.knowledge
    }

    /// What Apple is asked about a proof of this kind; `isAnswered` if it was asked before.
    ///
    /// A receipt does not say whose its purchases are, and Apple may have revoked them. A transaction that Apple signed
    /// needs no query.
    func inquiry(_ kind: ProofKind, isNew: Bool, isAnswered: Bool) -> AppleInquiry? {
        guard kind != .signedTransaction else { return nil }
        // Apple's answer applies only to the bytes that it was asked about.
        if state == .asking { return .proof(again: isNew) }
        let isConfirmable = kind == .appReceipt && !isAnswered
        return isNew && isConfirmable && !admitted.isEmpty ? .evidence : .nothing
    }

    /// What the claims of this receipt's purchases are told of Apple's answer, which is `known`.
    ///
    /// - A transaction that Apple states goes to its claim if the receipt lists it, or its purchase by another
    ///   transaction. The submission stays where it is: it came to the claim when it was handed in, and is judged once.
    /// - If the answer is the last one, and it does not say whose a listed transaction is, the claim is told that Apple
    ///   says no more of it. Where Apple states the transaction in another chain, that statement tells the claim.
    func weighed(
        by known: SubmissionAssessment,
        isLast: Bool,
        mayKnowMore: Bool = false
    ) -> [SubmissionPart.Statement] {
        let listed = admitted.map(\.facts)
        let (ids, purchases) = (Set(listed.map(\.transactionId)), Set(listed.map(\.purchaseId)))
        let found = known.admitted.filter {
            ids.contains($0.facts.transactionId) || purchases.contains($0.facts.purchaseId)
        }
        let whole = found.map(\.facts).filter(\.isWhole)
        let (named, stated) = (Set(whole.map(\.transactionId)), Set(whole.map(\.purchaseId)))
        let silent = listed.filter {
            isLast && !$0.isWhole && !stated.contains($0.purchaseId) && !named.contains($0.transactionId)
        }
        return found.map { .verified(TransactionVerifiedV1(transaction: $0.signed)) }
            + silent.map { .completed(EvidenceCompletedV1($0, mayKnowMore: mayKnowMore)) }
    }

    // MARK: Verdict

    /// The reason of a verdict that is `pending` until somebody who may have bought it hands it in, or Apple or an
    /// operator says whose it is.
    static let waitsForBuyer = "waitsForBuyer"
    /// Most transactions in one message, so that it fits, whatever their products are called.
    static let transactionsPerMessage = 100

    /// What is sent of it, in parts of at most `size` transactions; one or more.
    func parts(
        _ submission: Submission,
        of bundleID: BundleID,
        size: Int,
        _ inquiry: HistoryInquiry? = nil
    ) -> [SubmissionPart] {
        stride(from: 0, to: max(items.count, 1), by: size).map { start in
            let range = start..<min(start + size, items.count)
            return SubmissionPart(
                accepted: accepted(submission, of: bundleID, range),
                verified: items[range].filter { $0.obstacle == nil }
                    .map { $0.verified(submission, inquiry) }
            )
        }
    }

    /// The parts of the answer to the waiting phone, about these items or all; the last one completes it.
    func accepted(
        _ submission: Submission,
        of bundleID: BundleID,
        _ range: Range<Int>? = nil
    ) -> [ReceiptAcceptedV1] {
        let range = range ?? items.indices
        let end = max(range.upperBound, range.lowerBound + 1)
        return stride(from: range.lowerBound, to: end, by: Self.transactionsPerMessage).map { start in
            let end = min(start + Self.transactionsPerMessage, range.upperBound)
            let isLast = end == items.count
            return ReceiptAcceptedV1(
                bundleId: bundleID,
                submission: submission,
                transactions: items[start..<end].map { $0.firstVerdict(of: submission) },
                offset: start == 0 ? nil : start,
                applicationVersion: applicationVersion,
                verdict: isLast ? failure?.verdict : .pending,
                reason: isLast ? failure?.rawValue : nil
            )
        }
    }
}

extension SubmissionAssessment.Item {
    /// What its claim is told; Apple is asked only about what does not say whose it is.
    func verified(_ submission: Submission, _ inquiry: HistoryInquiry?) -> TransactionVerifiedV1 {
        TransactionVerifiedV1(
            transaction: signed,
            submission: submission,
            inquiry: facts.isWhole ? nil : inquiry
        )
    }

    fileprivate func firstVerdict(of submission: Submission) -> TransactionVerdict {
        guard let obstacle else {
            let reason = submission.caller == nil ? SubmissionAssessment.waitsForBuyer : nil
            return TransactionVerdict(facts, verdict: .pending, reason: reason)
        }
        return TransactionVerdict(facts, verdict: .parked, reason: obstacle.rawValue)
    }
}

extension TransactionFacts {
    /// By purchase date, then id.
    fileprivate var place: (Timestamp, Int, String) {
        (purchaseDate, transactionId.rawValue.utf8.count, transactionId.rawValue)
    }
}
