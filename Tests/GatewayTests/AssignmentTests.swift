import Contracts
import Domain
import HTTPTypes
import Program
import TestKit
import Testing

@testable import Gateway

/// What goes to a buyer is never compensated to another one, and the other way round.
@Suite(.timeLimit(.minutes(5))) struct `The purchase of an order of Apple's` {
    private static let order = AppleOrderID(unchecked: "MQ5LB2JHXY")
    private static let other = BuyerID(unchecked: "b2")
    private static let transaction = TransactionID(unchecked: "7")
    private static let orphan = FakeLedgers.Purchase(transaction: transaction, order: order)
    private static let assignment =
        #"{"transactionId":"7","buyerId":"b1","bundleId":"com.example.game","reason":"ticket 4711"}"#

    private let ledgers = FakeLedgers()

    /// One of another buyer, or of `buyer`, on the order.
    private static func compensation(
        _ state: CompensationV1.State,
        for buyer: BuyerID = other,
        naming transactions: [TransactionID]? = nil
    ) -> CompensationV1 {
        CompensationV1(
            proposalId: ProposalID(
                .compensation,
                shard: PartitionKey.buyer(buyer, of: TestGateway.bundle).shard,
                digest: Array(repeating: 9, count: 14)
            ),
            state: state,
            bundleId: TestGateway.bundle,
            buyerId: buyer,
            environment: .production,
            productId: ProductID(unchecked: "coins.100"),
            quantity: 1,
            basis: CompensationBasis(
                kind: .appleOrder,
                appleOrderId: order,
                transactionIds: transactions
            ),
            reason: "ticket 4712",
            proposedBy: OperatorID(unchecked: "oba9876543210"),
            proposedAt: Timestamp(milliseconds: 1)
        )
    }

    private static func propose(_ gateway: TestGateway) async throws -> TestGateway.Response {
        let body = #"""
            {"productId":"coins.100","buyerId":"b2","bundleId":"com.example.game","reason":"ticket 4712",
             "appleOrderId":"\#(order)"}
            """#
        return try await gateway.act(.approve, .post, "/compensations", body)
    }

    private static func assign(_ gateway: TestGateway) async throws -> TestGateway.Response {
        try await gateway.act(.support, .post, "/assignments", assignment)
    }

    private func isRefused(_ response: TestGateway.Response, _ code: String, _ field: String) -> Bool {
        response.status == 409 && response["code"] == .string(code) && response.field == field
    }

    @Test(
        arguments: [
            (CompensationV1.State.proposed, false), (.granted, false), (.matched, true), (.reversed, true),
            (.void, true),
        ],
        [true, false]
    )
    func `is not assigned while another buyer has a compensation on it`(
        _ compensation: (state: CompensationV1.State, isAssigned: Bool),
        isByNumber: Bool
    ) async throws {
        let known = Self.compensation(compensation.state, naming: isByNumber ? nil : [Self.transaction])
        ledgers.put(known)
        ledgers.know(isByNumber ? Self.orphan : FakeLedgers.Purchase(transaction: Self.transaction))
        let response = try await Self.assign(ledgers.gateway())
        #expect(ledgers.holder(of: Self.transaction) == (compensation.isAssigned ? TestGateway.buyer : nil))
        #expect(ledgers.holders.isEmpty)
        guard !compensation.isAssigned else {
            #expect(response.status == 200, "\(response.text)")
            return
        }
        #expect(isRefused(response, "compensated", "transactionId"), "\(response.text)")
        #expect(response.text.contains("counterfoil reverse \(known.proposalId)"))
    }

    @Test func `is not moved as an orphan either while another buyer has a compensation on it`() async throws
    {
        ledgers.put(Self.compensation(.granted))
        ledgers.know(Self.orphan)
        let body = Self.assignment.replacing("transactionId", with: "purchaseId")
        let refused = try await ledgers.gateway().act(.support, .post, "/reassignments", body)
        #expect(isRefused(refused, "compensated", "purchaseId"), "\(refused.text)")
        #expect(ledgers.holder(of: Self.transaction) == nil && ledgers.holders.isEmpty)
        ledgers.put(Self.compensation(.reversed))
        let moved = try await ledgers.gateway().act(.support, .post, "/reassignments", body)
        #expect(moved.status == 200, "\(moved.text)")
        #expect(ledgers.holder(of: Self.transaction) == TestGateway.buyer)
    }

    @Test func `is assigned to the buyer who has a compensation on it`() async throws {
        ledgers.put(Self.compensation(.granted, for: TestGateway.buyer))
        ledgers.know(Self.orphan)
        let response = try await Self.assign(ledgers.gateway())
        #expect(response.status == 200, "\(response.text)")
        #expect(ledgers.holder(of: Self.transaction) == TestGateway.buyer)
    }

    @Test func `is not assigned where a ledger does not answer`() async throws {
        ledgers.know(Self.orphan)
        let gateway = TestGateway { [ledgers] request, partition throws(Problem) in
            if request is FactsFindV1, partition == PartitionAddress(.entitlements, 3) { throw .unanswered }
            return try ledgers.answer(request, partition)
        }
        #expect(try await Self.assign(gateway).status == 503)
        #expect(ledgers.holder(of: Self.transaction) == nil && ledgers.holders.isEmpty)
    }

    @Test func `is looked for where its order is kept, and nobody waits for another partition`() async throws
    {
        ledgers.know(Self.orphan)
        let home = PartitionKey.appleOrder(Self.order, of: TestGateway.bundle)
            .address(in: .receipts, of: TestGateway.partitions)
        let gateway = TestGateway { [ledgers] request, partition throws(Problem) in
            if request is FactsFindV1, partition.service == .receipts, partition != home { throw .unanswered }
            return try ledgers.answer(request, partition)
        }
        let response = try await Self.propose(gateway)
        #expect(isRefused(response, "orphan", "appleOrderId"), "\(response.text)")
    }

    @Test func `is nobody else's while a compensation on it is written`() async throws {
        let latch = Latch()
        let slow = ledgers.gateway { request throws(Problem) in
            if request is CompensationProposeV1 { await latch.wait() }
        }
        async let proposed = Self.propose(slow)
        for await _ in latch.arrivals.prefix(1) {}
        ledgers.know(Self.orphan)
        let refused = try await Self.assign(ledgers.gateway())
        #expect(isRefused(refused, "compensated", "transactionId"), "\(refused.text)")
        latch.open()
        #expect(try await proposed.status == 201)
        #expect(ledgers.holder(of: Self.transaction) == nil)
    }

    @Test func `is not compensated while it is assigned`() async throws {
        ledgers.know(Self.orphan)
        let latch = Latch()
        let slow = ledgers.gateway { request throws(Problem) in
            if let decision = request as? ClaimReassignV1, !decision.isDryRun { await latch.wait() }
        }
        async let assigned = Self.assign(slow)
        for await _ in latch.arrivals.prefix(1) {}
        let refused = try await Self.propose(ledgers.gateway())
        #expect(isRefused(refused, "compensated", "appleOrderId"), "\(refused.text)")
        latch.open()
        #expect(try await assigned.status == 200)
        #expect(ledgers.compensations.isEmpty && ledgers.holders.isEmpty)
    }

    /// Who holds it, and how a proposal for the other buyer is refused.
    private static let refused: [(holder: BuyerID?, code: String, text: String)] = [
        (nil, "orphan", "counterfoil assign 7"), (TestGateway.buyer, "granted", "held by b1"),
        (other, "granted", "held by b2"),
    ]

    @Test(arguments: refused)
    func `is not compensated once it is known`(
        holder: BuyerID?,
        code: String,
        text: String
    ) async throws {
        var purchase = Self.orphan
        purchase.holder = holder
        ledgers.know(purchase)
        let response = try await Self.propose(ledgers.gateway())
        #expect(isRefused(response, code, "appleOrderId"), "\(response.text)")
        #expect(response.text.contains(text), "\(response.text)")
        #expect(ledgers.compensations.isEmpty && ledgers.counted == 0 && ledgers.holders.isEmpty)
    }

    /// Who holds it, and why a compensation of the other buyer is not confirmed; nil where it is.
    private static let known: [(holder: BuyerID?, code: String?)] = [
        (nil, "orphan"), (TestGateway.buyer, "granted"), (other, nil),
    ]

    @Test(arguments: known, [true, false])
    func `keeps a compensation that was proposed before from being confirmed for another buyer`(
        _ known: (holder: BuyerID?, code: String?),
        isByNumber: Bool
    ) async throws {
        let compensation = Self.compensation(.proposed, naming: isByNumber ? nil : [Self.transaction])
        ledgers.put(compensation)
        var purchase = FakeLedgers.Purchase(transaction: Self.transaction)
        (purchase.holder, purchase.order) = (known.holder, isByNumber ? Self.order : nil)
        ledgers.know(purchase)
        let path = "/proposals/\(compensation.proposalId)/confirm"
        let response = try await ledgers.gateway().act(.approve, .post, path)
        guard let code = known.code else {
            #expect(response.status == 200, "\(response.text)")
            return
        }
        #expect(isRefused(response, code, "appleOrderId"), "\(response.text)")
        #expect(ledgers.compensations.map(\.state) == [.proposed] && ledgers.counted == 0)
    }
}
