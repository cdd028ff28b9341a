import Contracts
import Domain
import TestKit

@testable import Receipts

/// The people and things of these tests.
enum Sample {
    static let app = BundleID(unchecked: "com.example.game")
    static let otherApp = BundleID(unchecked: "com.example.other")
    static let alice = BuyerID(unchecked: "alice")
    static let bob = BuyerID(unchecked: "bob")
    static let carol = BuyerID(unchecked: "carol")
    static let token = "7e3fb204-2d5f-4d4a-8d1e-4a4bfa4e9c11"
    static let start = Timestamp(milliseconds: 1_760_000_000_000)
    static let order = OrderID(time: start, shard: Shard(rawValue: 7), random: 1)
    static let otherOrder = OrderID(time: start, shard: Shard(rawValue: 9), random: 2)
    static let thirdOrder = OrderID(time: start.advanced(by: 1), shard: Shard(rawValue: 9), random: 3)
    static let holder = Claim.Holder(buyer: alice, order: order)
    static let otherHolder = Claim.Holder(buyer: bob, order: otherOrder)

    /// One to whom a purchase of `payer`'s has moved.
    static func moved(
        to buyer: BuyerID,
        _ order: OrderID = order,
        of payer: BuyerID = alice,
        count: Int = 1
    ) -> Claim.Holder {
        Claim.Holder(buyer: buyer, order: order, transferred: Transferred(count: count, payerId: payer))
    }

    static let policy = AppPolicy(environments: [.production, .sandbox], sandbox: .separate)

    /// A policy that takes both environments, and asks Apple by these APIs.
    static func policy(
        appAppleId: Int64? = nil,
        environments: Set<Environment> = [.production, .sandbox],
        apis: Set<AppleAPI>
    ) -> AppPolicy {
        AppPolicy(appAppleId: appAppleId, environments: environments, sandbox: .separate, apis: apis)
    }

    static func receipt(_ number: UInt8) -> ReceiptID {
        let shard = Shard(rawValue: UInt16(number))
        return ReceiptID(
            signedSeconds: 0,
            shard: shard,
            place: shard,
            digest: Array(repeating: number, count: 16)
        )
    }

    static let byAlice = Submission(receiptId: receipt(1), submitter: alice)
    static let byBob = Submission(receiptId: receipt(2), submitter: bob)
    static let byCarol = Submission(receiptId: receipt(3), submitter: carol)

    /// What Alice's submission of a proof with these contents holds.
    static func assess(_ contents: ProofContents, policy: AppPolicy = policy) -> SubmissionAssessment {
        SubmissionAssessment(contents, from: alice, of: app, policy: policy)
    }

    /// What Apple said `seconds` after the purchase.
    static func facts(_ seconds: Int64 = 0, revoked: Bool = false, token: String? = nil) -> ClaimFacts {
        ClaimFacts(signedDate: start.advanced(by: seconds * 1_000), isRevoked: revoked, token: token)
    }

    /// A consumable bought for real, signed `signed` seconds after the purchase.
    static func transaction(
        _ id: String = "2000000000000001",
        original: String? = nil,
        type: String = "Consumable",
        environment: String = "Production",
        signed: Int64 = 0,
        purchased: Int64 = 0,
        token: String? = nil,
        refunded: Bool = false
    ) -> SignedTransaction {
        var transaction = SignedTransaction(
            transactionId: id,
            originalTransactionId: original ?? id,
            bundleId: app.rawValue,
            productId: "coins.100",
            purchaseDate: start.milliseconds + purchased * 1_000,
            type: type,
            environment: environment,
            signedDate: start.milliseconds + signed * 1_000
        )
        transaction.appAccountToken = token
        if refunded { transaction.revocationDate = start.milliseconds }
        return transaction
    }
}

extension Submission {
    /// The same submission as a restore.
    var restoring: Submission { with(\.intent, .restore) }

    /// The same submission of what another login has bought.
    var forAnother: Submission { with(\.isForAnother, true) }

    /// The same submission, which names an order.
    func naming(_ order: OrderID) -> Submission { with(\.orderId, order.rawValue) }
}

extension Claim.Event {
    static func refused(
        _ attempt: Int,
        _ reason: ClaimRefusal = .unknownOrder,
        registered: BuyerID? = nil,
        waiting: Submission? = nil
    ) -> Claim.Event {
        .refused(
            attempt: attempt,
            reason: reason,
            registered: registered,
            waiting: [waiting].compactMap(\.self)
        )
    }

    static func held(_ attempt: Int, waiting: [Submission] = []) -> Claim.Event {
        .held(attempt: attempt, by: Sample.holder, waiting: waiting)
    }
}

extension AppStoreProofReader {
    /// Trusts Apple's roots and the DER of others.
    init(trusting extraRoots: [[UInt8]]) { self.init(verifiers: AppleVerifiers(extraRoots: extraRoots)) }
}
