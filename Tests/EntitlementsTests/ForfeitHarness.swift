import Contracts
import Database
import Domain
import TestKit
import Testing

@testable import Delivery
@testable import Entitlements

/// Ada and Eve in one partition, with what Receipts and Orders say of whose a purchase is.
struct ForfeitHarness {
    let harness = EntitlementsHarness()

    init() {
        harness.sell("hall", [.castle], type: .nonConsumable, onOtherLogin: .transfer)
        harness.sell("pack", [.castle, .coins(50)], type: .nonConsumable, onOtherLogin: .transfer)
    }

    static let hall = TransactionFacts.facts(product: "hall", type: ProductType.nonConsumable)
    static let pack = TransactionFacts.facts(product: "pack", type: ProductType.nonConsumable)

    /// What one message led to.
    struct Report {
        var answer: TransferAnsweredV1?
        var changes: [EntitlementChangedV1]
        var holdings: [HoldingChangedV1]
        var recorded: [GrantRecordedV1]

        /// The entries, each as its kind, what moved, and between which accounts.
        var lines: [String] {
            changes.flatMap(\.entries).map {
                "\($0.kind) \($0.amount) \($0.entitlement) \($0.from) \($0.to)"
            }
        }
    }

    /// The order that a purchase pays after some transfers.
    static func order(_ transfers: Int) -> OrderTerms {
        guard transfers > 0 else { return .studio }
        let time = Timestamp(milliseconds: 1_760_000_000_000 + Int64(transfers))
        return OrderTerms(orderId: OrderID(time: time, shard: Shard(rawValue: 5), random: 0))
    }

    private func report() throws -> Report {
        Report(
            answer: try harness.sent.bodies(TransferAnsweredV1.self).first,
            changes: try harness.sent.bodies(EntitlementChangedV1.self),
            holdings: try harness.sent.bodies(HoldingChangedV1.self),
            recorded: try harness.sent.bodies(GrantRecordedV1.self)
        )
    }

    /// Receipts asks for a purchase.
    @discardableResult
    func take(
        _ facts: TransactionFacts = hall,
        from holder: BuyerID = .ada,
        to buyer: BuyerID = .eve,
        by transfer: Int = 1,
        because cause: TransferCause = .evidence,
        isAnswered: Bool = false
    ) throws -> Report {
        let order = Self.order(transfer - 1)
        try harness.take(
            facts,
            from: holder,
            to: buyer,
            by: transfer,
            of: order,
            because: cause,
            isAnswered: isAnswered
        )
        return try report()
    }

    /// Orders asks for what a buyer is to have, by a transfer or as the payer of an order.
    @discardableResult
    func give(
        _ facts: TransactionFacts = hall,
        to buyer: BuyerID = .eve,
        by transfer: Int? = nil,
        paying order: Int = 1
    ) throws -> Report {
        let submission = Submission.submission(by: buyer)
        try harness.give(facts, to: buyer, by: transfer, paying: Self.order(order), submission)
        return try report()
    }

    /// Moves it to who turns out to be its payer, with both reports of Orders; what they led to.
    @discardableResult
    func move(
        _ facts: TransactionFacts = hall,
        from holder: BuyerID = .ada,
        to buyer: BuyerID = .eve,
        by transfer: Int = 1,
        because cause: TransferCause = .evidence
    ) throws -> [Report] {
        let taken = try take(facts, from: holder, to: buyer, by: transfer, because: cause)
        #expect(taken.answer?.isTaken == true)
        return [
            try give(facts, to: buyer, paying: transfer),
            try give(facts, to: buyer, by: transfer, paying: transfer),
        ]
    }

    func holdings() throws -> [String] { [try harness.held(), try harness.held(by: .eve)] }

    /// Nothing is on its way, every entry has an id of its own, and the audits find nothing.
    func isSound() throws -> Bool {
        let ids = try harness.rows("SELECT entry_id FROM ledger").map { try $0[0] as String }
        let differences = try harness.audit()
        #expect(try harness.holdsByNumbers() && differences.isEmpty, "\(differences)")
        #expect(Set(ids).count == ids.count)
        return try differences.isEmpty && harness.sum("transit", "castle") == 0
    }
}

extension EntitlementsHarness {
    /// Receipts asks for a purchase; the ledger's answer, if one is due.
    @discardableResult
    func take(
        _ facts: TransactionFacts,
        from holder: BuyerID = .ada,
        to buyer: BuyerID = .eve,
        by transfer: Int = 1,
        of order: OrderTerms = .studio,
        because cause: TransferCause = .restore,
        isAnswered: Bool = false
    ) throws -> TransferAnsweredV1? {
        let request = TransferRequestedV1(
            transaction: facts,
            orderId: order.orderId,
            buyerId: holder,
            toBuyerId: buyer,
            transfer: transfer,
            isAnswered: isAnswered,
            cause: cause
        )
        #expect(try handle(request, OnTransferRequested(catalog: catalog).callAsFunction) == .applied)
        return try sent.bodies(TransferAnsweredV1.self).first
    }

    /// Orders asks for what a buyer is to have.
    func give(
        _ facts: TransactionFacts,
        to buyer: BuyerID = .ada,
        by transfers: Int? = nil,
        paying order: OrderTerms = .studio,
        _ submission: Submission? = nil
    ) throws {
        let report = PurchaseReportedV1(
            buyerId: buyer,
            order: order,
            transaction: facts,
            submission: submission,
            transfers: transfers
        )
        #expect(try handle(report, OnPurchaseReported(catalog: catalog).callAsFunction) == .applied)
    }

    /// Receipts tells what is known of a subscription of Ada's besides its periods.
    func update(
        _ chain: TransactionID = TransactionID(unchecked: "1"),
        renewal: RenewalFacts? = nil,
        successor: SubscriptionUpdatedV1.Successor? = nil
    ) throws {
        let update = SubscriptionUpdatedV1(
            bundleId: .game,
            buyerId: .ada,
            environment: .production,
            originalTransactionId: chain,
            renewal: renewal,
            successor: successor
        )
        #expect(try handle(update, OnSubscriptionUpdated().callAsFunction) == .applied)
    }

    /// Makes the store one that was restored a moment ago.
    func restore() throws {
        try execute(
            """
            INSERT INTO partition_owner (only, service, partition, partitions, epoch, clean, restored_at)
            VALUES (1, 'entitlements', 0, 1, 1, 1, \(now))
            """
        )
    }
}
