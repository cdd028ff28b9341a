import Contracts
import Domain
import NIOConcurrencyHelpers

@testable import Gateway

/// Entitlements of a group, as far as compensations on orders of Apple's go, for any number of gateways.
struct FakeLedgers: Sendable {
    /// What a test does before, or after, a request is handled; a `Problem` is what its gateway hears instead.
    typealias Step = @Sendable (any RequestContract) async throws(Problem) -> Void

    private struct Lease {
        let holder: ProposalID
        let attempt: EventID
        let endsAt: Timestamp
    }

    /// A purchase that Receipts know, and whether they know its order of Apple's.
    struct Purchase: Sendable {
        let transaction: TransactionID
        var order: AppleOrderID?
        var holder: BuyerID?
    }

    private struct State {
        var purchases: [TransactionID: Purchase] = [:]
        var now = Timestamp(milliseconds: 1_760_000_000_000)
        var leases: [AppleOrderID: Lease] = [:]
        var compensations: [ProposalID: CompensationV1] = [:]
        /// By which attempt.
        var counted: [String: EventID] = [:]
    }

    /// How long an order is reserved, ms.
    static let leaseMilliseconds: Int64 = 2 * 60 * 1_000

    private let state = NIOLockedValueBox(State())

    var compensations: [CompensationV1] {
        state.withLockedValue { $0.compensations.values.sorted { $0.proposalId < $1.proposalId } }
    }

    /// The proposals that an order is reserved for now.
    var holders: [ProposalID] {
        state.withLockedValue { state in
            state.leases.values.filter { $0.endsAt > state.now }.map(\.holder)
        }
    }

    /// How many acts count for operators.
    var counted: Int { state.withLockedValue { $0.counted.count } }

    func pass(_ milliseconds: Int64) {
        state.withLockedValue { $0.now = $0.now.advanced(by: milliseconds) }
    }

    /// Writes a compensation that no gateway has asked for.
    func put(_ compensation: CompensationV1) {
        state.withLockedValue { $0.compensations[compensation.proposalId] = compensation }
    }

    /// A proof of it has come, or Apple has told of it.
    func know(_ purchase: Purchase) {
        state.withLockedValue { $0.purchases[purchase.transaction] = purchase }
    }

    func holder(of transaction: TransactionID) -> BuyerID? {
        state.withLockedValue { $0.purchases[transaction]?.holder }
    }

    /// One of the gateways.
    func gateway(
        before: @escaping Step = { _ throws(Problem) in },
        after: @escaping Step = { _ throws(Problem) in }
    ) -> TestGateway {
        TestGateway { request, partition throws(Problem) in
            try await before(request)
            let answer = try answer(request, partition)
            try await after(request)
            return answer
        }
    }

    func answer(
        _ request: any RequestContract,
        _ partition: PartitionAddress
    ) throws(Problem) -> FakeCaller.Reply? {
        switch request {
        case let count as OperatorCountV1:
            let name = "\(count.operatorId) \(count.actId)"
            if count.isReturned == true {
                state.withLockedValue { state in
                    if state.counted[name] == count.attempt { state.counted[name] = nil }
                }
                return OperatorCount(day: 1, count: 0, isNew: false)
            }
            let isNew = state.withLockedValue { $0.counted.updateValue(count.attempt, forKey: name) == nil }
            return OperatorCount(day: 1, count: 1, isNew: isNew)
        case let reserve as AppleOrderReserveV1: return try answer(reserve)
        case let find as FactsFindV1 where partition.service == .receipts: return orders(find.texts)
        case let find as FactsFindV1: return facts(find.texts, in: partition)
        case let decision as ClaimReassignV1: return try reassign(decision, partition)
        case let propose as CompensationProposeV1: return try answer(propose)
        case let decide as CompensationDecideV1: return try answer(decide)
        default: return nil
        }
    }

    private func answer(_ request: AppleOrderReserveV1) throws(Problem) -> AppleOrderReserved {
        let isNew: Bool? = state.withLockedValue { state in
            let lease = state.leases[request.appleOrderId].flatMap { $0.endsAt > state.now ? $0 : nil }
            if request.step == .free {
                if lease?.attempt == request.attempt { state.leases[request.appleOrderId] = nil }
                return false
            }
            if let lease, lease.holder != request.proposalId { return nil }
            if request.step == .keep, lease?.attempt != request.attempt { return true }
            let end = state.now.advanced(by: Self.leaseMilliseconds)
            let (holder, attempt) = (request.proposalId, request.attempt)
            state.leases[request.appleOrderId] = Lease(holder: holder, attempt: attempt, endsAt: end)
            return lease == nil
        }
        guard let isNew else {
            throw Problem(
                RequestRefusal(.conflict, "reserved", field: "appleOrderId", reason: "compensated")
            )
        }
        return AppleOrderReserved(isNew: isNew)
    }

    private func facts(_ names: [String], in partition: PartitionAddress) -> FoundFacts {
        let found = compensations.filter {
            $0.proposalId.shard.partition(of: TestGateway.partitions) == partition.partition
                && !names.filter(Self.names(of: $0.basis).contains).isEmpty
        }
        return FoundFacts(
            facts: found.map { compensation in
                var fact = DeskFact(.compensated, at: compensation.proposedAt)
                (fact.bundleId, fact.buyerId) = (compensation.bundleId, compensation.buyerId)
                (fact.word, fact.reference) = (compensation.state.rawValue, compensation.proposalId.rawValue)
                return fact
            }
        )
    }

    private static func names(of basis: CompensationBasis) -> [String] {
        [basis.appleOrderId?.rawValue].compactMap(\.self) + (basis.transactionIds ?? []).map(\.rawValue)
    }

    private func orders(_ names: [String]) -> FoundFacts {
        let purchases = state.withLockedValue { Array($0.purchases.values) }
        let facts = purchases.compactMap { purchase -> DeskFact? in
            guard let order = purchase.order,
                names.contains(order.rawValue) || names.contains(purchase.transaction.rawValue)
            else { return nil }
            var fact = DeskFact(.appleOrder, at: Timestamp(milliseconds: 1))
            (fact.bundleId, fact.detail) = (TestGateway.bundle, order.rawValue)
            fact.transactionId = purchase.transaction
            return fact
        }
        return FoundFacts(facts: facts)
    }

    private func reassign(
        _ request: ClaimReassignV1,
        _ partition: PartitionAddress
    ) throws(Problem) -> ReassignmentV1 {
        let transaction = TransactionID(unchecked: request.purchaseId.rawValue)
        let known = state.withLockedValue { $0.purchases[transaction] }
        guard partition.partition == 1, let known, let buyer = request.buyerId else {
            throw .notFound("not here", field: "purchaseId")
        }
        let effect: ReassignmentV1.Effect =
            known.holder == nil ? .proposed : known.holder == buyer ? .nothing : .moves
        if !request.isDryRun {
            guard effect != .moves else {
                throw Problem(RequestRefusal(.conflict, "held", field: "purchaseId", reason: "held"))
            }
            state.withLockedValue { $0.purchases[transaction]?.holder = buyer }
        }
        return ReassignmentV1(
            bundleId: TestGateway.bundle,
            purchaseId: request.purchaseId,
            productId: ProductID(unchecked: "coins.100"),
            holderId: known.holder,
            orderId: nil,
            heldBy: nil,
            appAccountToken: nil,
            parked: [],
            buyerId: buyer,
            effect: effect
        )
    }

    private func answer(_ request: CompensationProposeV1) throws(Problem) -> CompensationV1 {
        let compensation = state.withLockedValue { state -> CompensationV1? in
            if let known = state.compensations[request.proposalId] {
                return known.reason == request.reason ? known : nil
            }
            let compensation = CompensationV1(request, at: state.now)
            state.compensations[request.proposalId] = compensation
            return compensation
        }
        guard let compensation else { throw Problem(.changedProposal) }
        return compensation
    }

    private func answer(_ request: CompensationDecideV1) throws(Problem) -> CompensationV1 {
        let known = state.withLockedValue { state in
            guard var known = state.compensations[request.proposalId] else { return nil as CompensationV1? }
            guard request.isDryRun != true, known.state == .proposed else { return known }
            (known.state, known.confirmedBy) = (.granted, request.operatorId)
            known.confirmedAt = state.now
            state.compensations[request.proposalId] = known
            return known
        }
        guard let known else { throw Problem.notFound("There is no such proposal.", field: "proposalId") }
        return known
    }
}
