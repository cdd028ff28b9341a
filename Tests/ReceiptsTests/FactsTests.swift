import Contracts
import Domain
import TestKit
import Testing

@testable import Receipts

@Suite struct `what Apple said` {
    @Test func `later holds, whatever it says`() {
        #expect(Sample.facts(2).supersedes(Sample.facts(1, revoked: true)))
        #expect(Sample.facts(2, revoked: true).supersedes(Sample.facts(1)))
        #expect(!Sample.facts(1, revoked: true).supersedes(Sample.facts(2)))
        #expect(Sample.facts().supersedes(nil))
    }

    @Test func `at the same time revoked wins, and the same is not newer`() {
        #expect(Sample.facts(1, revoked: true).supersedes(Sample.facts(1)))
        #expect(!Sample.facts(1).supersedes(Sample.facts(1, revoked: true)))
        #expect(!Sample.facts(1).supersedes(Sample.facts(1)))
        #expect(!Sample.facts(1, revoked: true).supersedes(Sample.facts(1, revoked: true)))
    }

    @Test func `the nil UUID, which apps send for no token, is none`() throws {
        let signed = Sample.transaction(token: "00000000-0000-0000-0000-000000000000")
        let facts = try #require(TransactionFacts(signed))
        #expect(facts.appAccountToken == nil && ClaimFacts(facts).token == nil)
    }

    @Test func `a token is a UUID in any case, or none`() throws {
        for (text, token) in [
            (Sample.token.uppercased(), Sample.token), ("player-4711", nil), ("", nil),
            (Sample.token + "0", nil), (String(Sample.token.dropLast()) + "g", nil),
            (Sample.token.replacing("-", with: "0"), nil),
        ] as [(String, String?)] {
            let facts = try #require(TransactionFacts(Sample.transaction(token: text)))
            #expect(ClaimFacts(facts).token == token)
        }
    }

    @Test func `every signed field that others read is carried over, there and back`() throws {
        var signed = Sample.transaction(token: Sample.token, refunded: true)
        signed.expiresDate = 5
        signed.revocationReason = 1
        signed.revocationType = "REFUND_PRORATED"
        signed.revocationPercentage = 25_000
        signed.isUpgraded = true
        signed.inAppOwnershipType = "PURCHASED"
        signed.quantity = 3
        (signed.originalPurchaseDate, signed.webOrderLineItemId) = (4, "77")
        let facts = try #require(TransactionFacts(signed))
        #expect(facts.expiresDate == Timestamp(milliseconds: 5))
        #expect(facts.revocationDate == Sample.start)
        #expect(facts.revocationReason == 1)
        #expect(facts.revocationType == "REFUND_PRORATED")
        #expect(facts.revocationPercentage == 25_000)
        #expect(facts.isUpgraded == true)
        #expect(facts.inAppOwnershipType == "PURCHASED")
        #expect(facts.quantity == 3)
        #expect(facts.originalPurchaseDate == Timestamp(milliseconds: 4))
        #expect(facts.webOrderLineItemId == "77")
        #expect(facts.appAccountToken == Sample.token)
        #expect(TransactionFacts(SignedTransaction(facts)) == facts)
    }

    @Test func `seats have the sum of their price tiers, and how many were refunded`() throws {
        var signed = Sample.transaction(type: ProductType.autoRenewable)
        (signed.quantity, signed.price, signed.additionalTransactionReason) = (5, 8_000, "SEAT_ADDITION")
        let tiers = [(10_000, 3), (5_000, 2)].map { price, quantity in
            JSONValue.object(["price": .integer(Int64(price)), "quantity": .integer(Int64(quantity))])
        }
        signed.multiSeatInfo = .object([
            "invitationManagement": .string("APPLE"), "priceTiers": .array(tiers),
            "revokedSeatQuantity": .integer(1),
        ])
        let facts = try #require(TransactionFacts(signed))
        #expect(facts.quantity == 5 && facts.price == 8_000 && facts.seatsPrice == 40_000)
        #expect(facts.revokedSeatQuantity == 1 && facts.additionalTransactionReason == "SEAT_ADDITION")
        #expect(TransactionFacts(SignedTransaction(facts)) == facts)
    }

    @Test(arguments: [(nil, false), ("BILLED_UPFRONT", false), ("MONTHLY", true)] as [(String?, Bool)])
    func `a period of a commitment of 12 months is billed by the month`(
        plan: String?,
        isOfCommitment: Bool
    ) throws {
        let signed = Sample.transaction(type: ProductType.autoRenewable).with(\.billingPlanType, plan)
        let facts = try #require(TransactionFacts(signed))
        #expect(facts.isOfCommitment == isOfCommitment && facts.billingPlanType == plan)
        #expect(TransactionFacts(SignedTransaction(facts)) == facts)
    }

    @Test(
        arguments: [
            .null, .object([:]), .object(["priceTiers": .array([])]), .object(["priceTiers": .string("1")]),
            .object(["priceTiers": .array([.object(["price": .integer(1)])])]),
            .object([
                "priceTiers": .array([.object(["price": .integer(.max), "quantity": .integer(2)])])
            ]),
        ] as [JSONValue]
    )
    func `seats whose tiers cannot be read have no price, and are paid all the same`(_ info: JSONValue) throws
    {
        let signed = Sample.transaction(type: ProductType.autoRenewable).with(\.multiSeatInfo, info)
        let facts = try #require(TransactionFacts(signed))
        #expect(facts.seatsPrice == nil && facts.revokedSeatQuantity == nil)
    }

    @Test func `a claim joins what two statements say, whichever was signed or came first`() {
        let receipt = ClaimFacts(signedDate: Sample.start.advanced(by: 10), isRevoked: true)
        var whole = ClaimFacts(signedDate: Sample.start, isWhole: true, isShared: true)
        whole.token = Sample.token
        var joined = whole
        (joined.signedDate, joined.isRevoked) = (receipt.signedDate, true)
        #expect(receipt.joined(to: whole) == joined)
        #expect(whole.joined(to: receipt) == joined)
        #expect(whole.joined(to: joined) == nil && receipt.joined(to: joined) == nil)
        #expect(whole.joined(to: nil) == whole)
    }

    @Test func `what no message has room for is no fact, so that it is parked where it comes in`() {
        let word = String(repeating: "\"", count: 255)
        let deep = (0..<32).reduce(JSONValue.null) { inner, _ in .array([inner]) }
        var signed = Sample.transaction()
        (signed.offerIdentifier, signed.storefront, signed.advancedCommerceInfo) = (word, word, deep)
        #expect(TransactionFacts(signed) != nil)
        for change: (inout SignedTransaction) -> Void in [
            { $0.offerIdentifier = word + "a" }, { $0.storefront = word + "a" }, { $0.currency = "\n" },
            { $0.type = word + "a" }, { $0.advancedCommerceInfo = .array([deep]) },
            { $0.commitmentInfo = .object(["a": deep]) }, { $0.billingPlanType = word + "a" },
        ] {
            var other = signed
            change(&other)
            #expect(TransactionFacts(other) == nil)
        }
    }

    @Test func `what has no valid id, or buys nothing, is no fact`() {
        #expect(TransactionFacts(Sample.transaction("two words")) == nil)
        #expect(TransactionFacts(Sample.transaction().with(\.quantity, 0)) == nil)
    }
}

@Suite struct `a policy` {
    @Test(arguments: [
        ("Production", SandboxPolicy.refuse, nil as AppPolicy.Obstacle?),
        ("Sandbox", .refuse, .sandboxRefused),
        ("Sandbox", .separate, nil),
        ("Sandbox", .grantTo([Sample.alice]), nil),
        ("Sandbox", .grantTo([Sample.bob]), .sandboxRefused),
        ("Xcode", .separate, .wrongEnvironment),
    ])
    func `says which environment yields something`(
        environment: String,
        sandbox: SandboxPolicy,
        obstacle: AppPolicy.Obstacle?
    ) throws {
        let facts = try #require(TransactionFacts(Sample.transaction(environment: environment)))
        let policy = AppPolicy(environments: [.production, .sandbox], sandbox: sandbox)
        #expect(AppPolicy.obstacle(facts, from: Sample.alice, of: Sample.app, policy: policy) == obstacle)
    }

    @Test func `takes nothing out of a receipt that bears another app's number`() {
        let policy = AppPolicy(appAppleId: 7, environments: [.production], sandbox: .separate)
        for (told, obstacle) in [(7, nil), (nil, nil), (0, nil), (8, .wrongApp)]
            as [(Int64?, AppPolicy.Obstacle?)]
        {
            let assessment = Sample.assess(
                ProofContents(transactions: [Sample.transaction()], appAppleId: told),
                policy: policy
            )
            #expect(assessment.items.map(\.obstacle) == [obstacle])
        }
    }

    @Test(
        arguments: [
            (["1.0", "2.3.1"], "2.3.1", nil), (["1.0"], "2.3.1", .unknownVersion),
            (["1.0"], "", .unknownVersion),
            (["1.0"], nil, nil), (nil, "2.3.1", nil), (nil, nil, nil),
        ] as [(Set<String>?, String?, AppPolicy.Obstacle?)]
    )
    func `takes nothing out of a receipt of a version that was not shipped, if the app names those that were`(
        shipped: Set<String>?,
        version: String?,
        obstacle: AppPolicy.Obstacle?
    ) {
        var policy = AppPolicy(environments: [.production], sandbox: .separate)
        policy.versions = shipped
        let contents = ProofContents(transactions: [Sample.transaction()], applicationVersion: version)
        let assessment = Sample.assess(contents, policy: policy)
        #expect(assessment.items.map(\.obstacle) == [obstacle])
        #expect(assessment.accepted(Sample.byAlice, of: Sample.app).map(\.applicationVersion) == [version])
        let kept = obstacle == nil ? contents : nil
        #expect(assessment.factsToKeep == kept)
    }

    @Test func `takes nothing of another app, nor of one that is not configured`() throws {
        let facts = try #require(TransactionFacts(Sample.transaction()))
        let other = AppPolicy.obstacle(facts, from: Sample.alice, of: Sample.otherApp, policy: Sample.policy)
        #expect(other == .wrongApp)
        #expect(AppPolicy.obstacle(facts, from: Sample.alice, of: Sample.app, policy: nil) == .unknownApp)
    }
}

@Suite struct `an assessment` {
    @Test func `lists transactions by purchase date, then number`() {
        let assessment = Sample.assess(
            ProofContents(transactions: [
                Sample.transaction("1000", purchased: 5), Sample.transaction("999", purchased: 5),
                Sample.transaction("5000", purchased: 1),
            ])
        )
        #expect(assessment.items.map(\.facts.transactionId.rawValue) == ["5000", "999", "1000"])
        #expect(assessment.state == .verified)
    }

    @Test func `lets good transactions pass beside a parked one`() throws {
        let foreign = Sample.transaction("2").with(\.bundleId, Sample.otherApp.rawValue)
        let assessment = Sample.assess(ProofContents(transactions: [Sample.transaction("1"), foreign]))
        #expect(assessment.state == .parked)
        #expect(assessment.reason == "wrongApp")
        #expect(assessment.admitted.map(\.facts.transactionId.rawValue) == ["1"])
        let accepted = try #require(assessment.accepted(Sample.byAlice, of: Sample.app).first)
        #expect(accepted.verdict == nil)
        #expect(accepted.transactions.map(\.verdict) == [.pending, .parked])
        #expect(accepted.transactions.map(\.reason) == [nil, "wrongApp"])
    }

    @Test func `passes good transactions on while a part of the whole cannot be read, and keeps it open`() {
        let good = Sample.transaction("1")
        let odd = Sample.transaction("2").with(\.productId, "")
        for contents in [
            ProofContents(transactions: [good, odd]), ProofContents(transactions: [good], unreadable: 1),
        ] {
            let assessment = Sample.assess(contents)
            #expect(assessment.state == .parked && assessment.reason == "unreadable")
            #expect(assessment.admitted.count == 1)
            #expect(assessment.accepted(Sample.byAlice, of: Sample.app).first?.verdict == .parked)
        }
    }

    @Test(arguments: ProofFailure.allCases)
    func `is invalid only where the proof is no payment, and lets no phone finish`(failure: ProofFailure) {
        let invalid: Set<ProofFailure> = [
            .malformed, .unsigned, .badSignature, .refusedByApple, .neverPurchased,
        ]
        let assessment = SubmissionAssessment(failure)
        let open: SubmissionAssessment.State =
            failure == .emptyReceipt ? .pending : failure == .askingApple ? .asking : .parked
        #expect(assessment.state == (invalid.contains(failure) ? .invalid : open))
        #expect(!failure.verdict.finish)
        #expect(assessment.accepted(Sample.byAlice, of: Sample.app).first?.verdict?.finish == false)
        #expect(assessment.reason == failure.rawValue)
    }
}
