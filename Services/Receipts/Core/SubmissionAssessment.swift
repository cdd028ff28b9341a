package import Contracts

/// What a submission was found to hold, and what that means for it.
package struct SubmissionAssessment: Equatable, Sendable {
    /// How a submission stands.
    package enum State: String, CaseIterable, Sendable {
        /// Every transaction went to its claim.
        case verified
        /// Apple is being asked.
        case asking
        /// It holds nothing yet, and the app has to refresh it.
        case pending
        /// Something in it waits for an operator.
        case parked
        /// It is no payment.
        case invalid
    }

    /// One transaction of a submission.
    package struct Item: Equatable, Sendable {
        package let signed: SignedTransaction
        package let facts: TransactionFacts
        /// Why it does not go to its claim.
        package let obstacle: AppPolicy.Obstacle?
    }

    /// In order of purchase date, then id.
    package let items: [Item]
    /// Why the proof, or a part of it, could not be read.
    package let failure: ProofFailure?

    /// What it means that a buyer of the app `bundleID` hands these transactions in, and `unreadable` others.
    package init(
        _ transactions: [SignedTransaction],
        unreadable: Int = 0,
        signedFor appAppleId: Int64? = nil,
        from submitter: BuyerID,
        of bundleID: BundleID,
        policy: AppPolicy?
    ) {
        let items = transactions.compactMap { signed in
            TransactionFacts(signed).map { facts in
                let obstacle = AppPolicy.obstacle(
                    facts,
                    signedFor: appAppleId,
                    from: submitter,
                    of: bundleID,
                    policy: policy
                )
                return Item(signed: signed, facts: facts, obstacle: obstacle)
            }
        }
        self.items = items.sorted { $0.facts.isBefore($1.facts) }
        let isWhole = items.count == transactions.count && unreadable == 0
        failure = !isWhole ? .unreadable : transactions.isEmpty ? .emptyReceipt : nil
    }

    /// What it means that a proof could not be read.
    package init(_ failure: ProofFailure) {
        items = []
        self.failure = failure
    }

    /// How the submission stands.
    package var state: State {
        if failure == .askingApple { return .asking }
        return switch failure?.verdict {
        case .invalid: .invalid
        case .pending: .pending
        case nil: items.allSatisfy { $0.obstacle == nil } ? .verified : .parked
        case .parked, .granted, .ended, .conflict: .parked
        }
    }

    /// Why it stands so, where there is more to say.
    package var reason: String? { failure?.rawValue ?? items.lazy.compactMap(\.obstacle?.rawValue).first }

    /// How much is known of a proof by its reading, least first.
    package enum Knowledge: Int, Comparable, Sendable {
        /// It is no payment.
        case none
        /// Nobody here can tell whether it is genuine.
        case unclear
        /// Apple is being asked.
        case asked
        /// It is genuine, and something stands in the way of what it holds, or it holds nothing.
        case genuine
        /// Every transaction goes to its claim.
        case whole

        package static func < (left: Knowledge, right: Knowledge) -> Bool { left.rawValue < right.rawValue }
    }

    /// How much is known: of two proofs with the same signature the one that tells more is kept.
    package var knowledge: Knowledge {
        switch state {
        case .verified: .whole
        case .asking: .asked
        case .pending: .genuine
        case .parked: items.isEmpty ? .unclear : .genuine
        case .invalid: .none
        }
    }

    /// Most transactions told of in one message; an event has 64 KiB.
    package static let transactionsPerMessage = 100

    /// What the waiting phone is told of, in parts; the last one completes it.
    package func accepted(_ submission: Submission, of bundleID: BundleID) -> [ReceiptAcceptedV1] {
        let verdicts = items.map { item in
            let verdict: Verdict = item.obstacle == nil ? .pending : .parked
            return TransactionVerdict(item.facts, verdict: verdict, reason: item.obstacle?.rawValue)
        }
        let size = Self.transactionsPerMessage
        return stride(from: 0, to: max(verdicts.count, 1), by: size).map { start in
            let end = min(start + size, verdicts.count)
            let isLast = end == verdicts.count
            return ReceiptAcceptedV1(
                bundleId: bundleID,
                submission: submission,
                transactions: Array(verdicts[start..<end]),
                offset: start == 0 ? nil : start,
                verdict: isLast ? failure?.verdict : .pending,
                reason: isLast ? failure?.rawValue : nil
            )
        }
    }

    /// The transactions that go to their claims.
    package var admitted: [Item] { items.filter { $0.obstacle == nil } }
}

extension TransactionFacts {
    /// Whether this purchase comes first: the earlier one, then the one with the smaller number.
    fileprivate func isBefore(_ other: TransactionFacts) -> Bool {
        let own = (purchaseDate, transactionId.rawValue.utf8.count, transactionId.rawValue)
        return own < (
            other.purchaseDate, other.transactionId.rawValue.utf8.count, other.transactionId.rawValue
        )
    }
}
