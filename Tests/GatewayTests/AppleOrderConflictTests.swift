import Contracts
import Domain
import Foundation
import HTTPTypes
import NIOConcurrencyHelpers
import Program
import Testing

@testable import Gateway

/// What several gateways, and several operators, do to one order of Apple's.
@Suite(.timeLimit(.minutes(5))) struct `Compensations on one order of Apple's` {
    private static let order = AppleOrderID(unchecked: "MQ5LB2JHXY")
    private static let other = BuyerID(unchecked: "b2")

    private let ledgers = FakeLedgers()

    private static func body(_ buyer: BuyerID = TestGateway.buyer) -> String {
        #"""
        {"productId":"coins.100","buyerId":"\#(buyer)","bundleId":"com.example.game","reason":"ticket 4711",
         "appleOrderId":"\#(order)"}
        """#
    }

    private static func propose(
        _ gateway: TestGateway,
        for buyer: BuyerID = TestGateway.buyer,
        by role: OperatorRole = .support
    ) async throws -> TestGateway.Response {
        try await gateway.act(role, .post, "/compensations", body(buyer))
    }

    /// A compensation on the order, in the ledger of another buyer.
    private static func compensation(_ state: CompensationV1.State) -> CompensationV1 {
        let shard = PartitionKey.buyer(other, of: TestGateway.bundle).shard
        return CompensationV1(
            proposalId: ProposalID(.compensation, shard: shard, digest: Array(repeating: 9, count: 14)),
            state: state,
            bundleId: TestGateway.bundle,
            buyerId: other,
            environment: .production,
            productId: ProductID(unchecked: "coins.100"),
            quantity: 1,
            basis: CompensationBasis(kind: .appleOrder, appleOrderId: order),
            reason: "ticket 4712",
            proposedBy: OperatorID(unchecked: "oba9876543210"),
            proposedAt: Timestamp(milliseconds: 1)
        )
    }

    private static func proposal(_ response: TestGateway.Response) throws -> ProposalID {
        try JSONDecoder().decode(CompensationV1.self, from: Data(response.text.utf8)).proposalId
    }

    private func isConflict(_ response: TestGateway.Response) -> Bool {
        response.status == 409 && response.field == "appleOrderId"
            && response["code"] == .string("compensated")
    }

    @Test(arguments: [FactsFindV1.type, CompensationProposeV1.type])
    func `are one, where two gateways propose at the same time, and of the other nothing is left`(
        paused: EventType
    ) async throws {
        let latch = Latch()
        let slow = ledgers.gateway { request throws(Problem) in
            if type(of: request).type == paused { await latch.wait() }
        }
        let quick = ledgers.gateway()
        async let proposed = Self.propose(slow)
        for await _ in latch.arrivals.prefix(1) {}
        let refused = try await Self.propose(quick, for: Self.other, by: .approve)
        #expect(isConflict(refused), "\(refused.text)")
        #expect(quick.caller.requests(CompensationProposeV1.self).isEmpty && ledgers.counted == 1)
        latch.open()
        let response = try await proposed
        #expect(response.status == 201, "\(response.text)")
        #expect(ledgers.compensations.map(\.buyerId) == [TestGateway.buyer])
        #expect(ledgers.holders.isEmpty && ledgers.counted == 1)
        #expect(isConflict(try await Self.propose(quick, for: Self.other, by: .approve)), "it is found now")
    }

    @Test func `wait for two minutes on a gateway that died before it wrote one`() async throws {
        let isDead = NIOLockedValueBox(false)
        let dying = ledgers.gateway { request throws(Problem) in
            if request is CompensationProposeV1 { isDead.withLockedValue { $0 = true } }
            if isDead.withLockedValue({ $0 }) { throw .unanswered }
        }
        #expect(try await Self.propose(dying).status == 503)
        let living = ledgers.gateway()
        ledgers.pass(FakeLedgers.leaseMilliseconds - 1)
        #expect(isConflict(try await Self.propose(living, for: Self.other, by: .approve)))
        #expect(ledgers.compensations.isEmpty)
        ledgers.pass(1)
        #expect(try await Self.propose(living, for: Self.other, by: .approve).status == 201)
        #expect(ledgers.compensations.map(\.buyerId) == [Self.other] && ledgers.holders.isEmpty)
    }

    @Test func `are one, and counted once, where the key is sent again after a write without an answer`()
        async throws
    {
        let silent = ledgers.gateway(after: { request throws(Problem) in
            if request is CompensationProposeV1 { throw .unanswered }
        })
        #expect(try await Self.propose(silent).status == 503)
        #expect(ledgers.holders.count == 1, "it may be written yet")
        let gateway = ledgers.gateway()
        #expect(isConflict(try await Self.propose(gateway, for: Self.other, by: .approve)))
        let again = try await Self.propose(gateway)
        #expect(again.status == 201)
        #expect(ledgers.compensations.map(\.proposalId) == [try Self.proposal(again)])
        #expect(ledgers.holders.isEmpty && ledgers.counted == 1)
    }

    @Test func `stay one buyer's while one is written, though the same request comes again and fails`()
        async throws
    {
        let latch = Latch()
        let writing = ledgers.gateway { request throws(Problem) in
            if request is CompensationProposeV1 { await latch.wait() }
        }
        let failing = ledgers.gateway { request throws(Problem) in
            if request is FactsFindV1 { throw .unanswered }
        }
        async let proposed = Self.propose(writing)
        for await _ in latch.arrivals.prefix(1) {}
        #expect(try await Self.propose(failing).status == 503)
        let quick = ledgers.gateway()
        #expect(isConflict(try await Self.propose(quick, for: Self.other, by: .approve)))
        latch.open()
        #expect(try await proposed.status == 201)
        #expect(ledgers.compensations.map(\.buyerId) == [TestGateway.buyer])
        ledgers.pass(FakeLedgers.leaseMilliseconds)
        #expect(ledgers.holders.isEmpty, "nobody has freed it, and it is over")
    }

    @Test func `stay one buyer's while one is written, though an earlier attempt of it fails`() async throws {
        let (looking, writing) = (Latch(), Latch())
        let failing = ledgers.gateway { request throws(Problem) in
            guard request is FactsFindV1 else { return }
            await looking.wait()
            throw .unanswered
        }
        let second = ledgers.gateway { request throws(Problem) in
            if request is CompensationProposeV1 { await writing.wait() }
        }
        async let failed = Self.propose(failing)
        for await _ in looking.arrivals.prefix(1) {}
        async let proposed = Self.propose(second)
        for await _ in writing.arrivals.prefix(1) {}
        looking.open()
        #expect(try await failed.status == 503)
        let quick = ledgers.gateway()
        #expect(isConflict(try await Self.propose(quick, for: Self.other, by: .approve)))
        writing.open()
        #expect(try await proposed.status == 201)
        #expect(ledgers.compensations.map(\.buyerId) == [TestGateway.buyer] && ledgers.holders.isEmpty)
        #expect(ledgers.counted == 1, "what fails does not return what another attempt does")
    }

    @Test(arguments: [(true, "ticket 4711"), (false, "another reason")])
    func `are what they are where the key is sent again after the purchase has come`(
        isSame: Bool,
        reason: String
    ) async throws {
        let gateway = ledgers.gateway()
        let first = try await Self.propose(gateway)
        let transaction = TransactionID(unchecked: "7")
        ledgers.know(.init(transaction: transaction, order: Self.order, holder: TestGateway.buyer))
        let body = Self.body().replacing("ticket 4711", with: reason)
        let again = try await gateway.act(.support, .post, "/compensations", body)
        guard isSame else {
            #expect(again.status == 409 && again["code"] == .string("keyReused"), "\(again.text)")
            return
        }
        #expect(again.status == 201 && again.text == first.text, "\(again.text)")
        #expect(ledgers.holders.isEmpty && ledgers.counted == 1)
        let other = try await gateway.act(.support, .post, "/compensations", body, idempotencyKey: "k2")
        #expect(other.status == 409 && other["code"] == .string("granted"), "\(other.text)")
    }

    @Test func `are looked for as long as it takes to replace the owner of a partition`() async throws {
        let gateway = ledgers.gateway()
        #expect(try await Self.propose(gateway).status == 201)
        let asked = gateway.caller.calls.filter { $0.request is FactsFindV1 }
        #expect(Set(asked.map(\.partition.service)) == [.entitlements, .receipts])
        #expect(asked.allSatisfy { $0.milliseconds == 10_000 })
        _ = try await gateway.act(.read, .get, "/find?q=MQ5LB2JHXY")
        let searched = gateway.caller.calls.filter { $0.request is FactsFindV1 }.dropFirst(asked.count)
        #expect(!searched.isEmpty && searched.allSatisfy { $0.milliseconds == 3_000 }, "a search goes on")
    }

    @Test func `are not written by an attempt whose look is older than the reservation`() async throws {
        let (looking, again) = (Latch(), Latch())
        let first = ledgers.gateway { request throws(Problem) in
            if request is FactsFindV1 { await looking.wait() }
        }
        async let late = Self.propose(first)
        for await _ in looking.arrivals.prefix(1) {}
        // What it sees may be old: its reservation is over, and the same request has come again.
        ledgers.pass(FakeLedgers.leaseMilliseconds)
        let second = ledgers.gateway { request throws(Problem) in
            if request is FactsFindV1 { await again.wait() }
        }
        async let repeated = Self.propose(second)
        for await _ in again.arrivals.prefix(1) {}
        looking.open()
        #expect(try await late.status == 503)
        #expect(first.caller.requests(CompensationProposeV1.self).isEmpty)
        ledgers.put(Self.compensation(.proposed))
        again.open()
        #expect(isConflict(try await repeated))
        #expect(ledgers.compensations.map(\.buyerId) == [Self.other] && ledgers.holders.isEmpty)
    }

    @Test func `are not written where the reservation was over before it was renewed`() async throws {
        let ledgers = ledgers
        let gateway = ledgers.gateway { request throws(Problem) in
            if request is FactsFindV1 { ledgers.pass(FakeLedgers.leaseMilliseconds) }
        }
        let response = try await Self.propose(gateway)
        #expect(response.status == 503, "\(response.text)")
        #expect(gateway.caller.requests(CompensationProposeV1.self).isEmpty)
        #expect(ledgers.holders.isEmpty && ledgers.counted == 0)
    }

    @Test func `are not written where another proposal has the reservation by then, which keeps it`()
        async throws
    {
        let (ledgers, other) = (ledgers, ledgers.gateway())
        let newcomer = Self.compensation(.proposed)
        let reservation = try #require(
            AppleOrderReservation(for: newcomer, by: newcomer.proposedBy, in: other.context)
        )
        let gateway = ledgers.gateway { request throws(Problem) in
            guard request is FactsFindV1, ledgers.holders != [newcomer.proposalId] else { return }
            ledgers.pass(FakeLedgers.leaseMilliseconds)
            _ = try await other.context.partitions.ask(reservation.request)
        }
        let response = try await Self.propose(gateway)
        #expect(isConflict(response), "\(response.text)")
        #expect(gateway.caller.requests(CompensationProposeV1.self).isEmpty && ledgers.counted == 0)
        #expect(ledgers.holders == [newcomer.proposalId])
    }

    @Test(arguments: [
        (CompensationV1.State.proposed, false), (.granted, false), (.matched, false), (.reversed, true),
        (.void, true),
    ])
    func `are looked for again by who confirms one`(
        other: CompensationV1.State,
        isConfirmed: Bool
    ) async throws {
        let gateway = ledgers.gateway()
        let proposal = try Self.proposal(try await Self.propose(gateway))
        ledgers.put(Self.compensation(other))
        let response = try await gateway.act(.approve, .post, "/proposals/\(proposal)/confirm")
        #expect(isConfirmed ? response.status == 200 : isConflict(response), "\(response.text)")
        let own = try #require(ledgers.compensations.first { $0.buyerId == TestGateway.buyer })
        #expect(own.state == (isConfirmed ? .granted : .proposed))
        #expect(ledgers.holders.isEmpty && ledgers.counted == (isConfirmed ? 2 : 1))
        let decided = gateway.caller.requests(CompensationDecideV1.self).map(\.isDryRun)
        #expect(decided == (isConfirmed ? [true, nil] : [true]), "the first one only looks")
    }

    @Test func `are reserved by a proposal and its confirmation, and not by what repeats that`() async throws
    {
        let gateway = ledgers.gateway()
        let proposal = try Self.proposal(try await Self.propose(gateway))
        let path = "/proposals/\(proposal)/confirm"
        #expect(try await gateway.act(.approve, .post, path).status == 200)
        let reserved = gateway.caller.requests(AppleOrderReserveV1.self)
        #expect(reserved.map(\.step) == [.take, .keep, .free, .take, .keep, .free])
        #expect(Set(reserved.map(\.proposalId)) == [proposal])
        #expect(try await gateway.act(.approve, .post, path).status == 200)
        #expect(gateway.caller.requests(AppleOrderReserveV1.self).count == reserved.count)
        #expect(ledgers.counted == 2)
    }
}
