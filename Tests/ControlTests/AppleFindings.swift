import Contracts

/// What Apple tells in the tests of reconciling: transactions by their ids, which are their own JWS.
enum AppleFindings {
    static let bundle = BundleID(unchecked: "com.example.game")
    static let early = Timestamp(milliseconds: 1_000)
    static let late = Timestamp(milliseconds: 2_000)

    /// What is asked where it does not matter.
    static let question = AppleAskV1(bundleId: bundle, environment: .production, question: .notifications)

    static func facts(
        _ id: TransactionID,
        in environment: Environment = .production,
        of bundle: BundleID = AppleFindings.bundle,
        signed: Timestamp = late,
        isRevoked: Bool = false
    ) -> TransactionFacts {
        var facts = TransactionFacts(
            environment: environment,
            bundleId: bundle,
            transactionId: id,
            originalTransactionId: id,
            productId: ProductID(unchecked: "coins.120"),
            quantity: 1,
            type: "Consumable",
            purchaseDate: early,
            signedDate: signed
        )
        facts.revocationDate = isRevoked ? early : nil
        return facts
    }

    static func transaction(_ facts: TransactionFacts) -> AppleAnswerV1.Finding {
        var finding = AppleAnswerV1.Finding()
        finding.signedTransaction = facts.transactionId.rawValue
        finding.transaction = facts
        return finding
    }

    /// A notification `uuid` about a transaction, or about none.
    static func notification(_ uuid: String, _ facts: TransactionFacts? = nil) -> AppleAnswerV1.Finding {
        var finding = facts.map(transaction) ?? AppleAnswerV1.Finding()
        finding.notificationUUID = uuid
        finding.notificationType = facts == nil ? "TEST" : "ONE_TIME_CHARGE"
        finding.signedPayload = facts?.transactionId.rawValue ?? "test"
        return finding
    }

    static func broken(_ finding: AppleAnswerV1.Finding, _ problem: String) -> AppleAnswerV1.Finding {
        var finding = finding
        finding.problem = problem
        return finding
    }

    static func held(
        _ id: TransactionID,
        by buyer: String = "ada",
        signed: Timestamp = late,
        isRevoked: Bool = false
    ) -> ClaimsV1.Claim {
        var claim = ClaimsV1.Claim(transactionId: id, state: "held", signedDate: signed, isRevoked: isRevoked)
        claim.buyerId = BuyerID(unchecked: buyer)
        return claim
    }

    static func claim(_ id: TransactionID, _ state: String, signed: Timestamp = late) -> ClaimsV1.Claim {
        ClaimsV1.Claim(transactionId: id, state: state, signedDate: signed, isRevoked: false)
    }

    static func id(_ text: String) -> TransactionID { TransactionID(unchecked: text) }
}
