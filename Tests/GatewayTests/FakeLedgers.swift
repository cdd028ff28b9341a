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
        let endsAt: Timestamp
    }

    private struct State {
        var now = Timestamp(milliseconds: 1_760_000_000_000)
        var leases: [AppleOrderID: Lease] = [:]
        var compensations: [ProposalID: CompensationV1] = [:]
        var counted: Set<String> = []
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

    private func answer(
        _ request: any RequestContract,
        _ partition: PartitionAddress
    ) throws(Problem) -> FakeCaller.Reply? {
        switch request {
        case let count as OperatorCountV1:
            let name = "\(count.operatorId) \(count.actId)"
            if count.isReturned == true {
                state.withLockedValue { _ = $0.counted.remove(name) }
                return OperatorCount(day: 1, count: 0, isNew: false)
            }
            let isNew = state.withLockedValue { $0.counted.insert(name).inserted }
            return OperatorCount(day: 1, count: 1, isNew: isNew)
        case let reserve as AppleOrderReserveV1: return try answer(reserve)
        case let find as FactsFindV1: return facts(find.texts, in: partition)
        case let propose as CompensationProposeV1: return answer(propose)
        case let decide as CompensationDecideV1: return try answer(decide)
        default: return nil
        }
    }

    private func answer(_ request: AppleOrderReserveV1) throws(Problem) -> AppleOrderReserved {
        let isNew: Bool? = state.withLockedValue { state in
            let lease = state.leases[request.appleOrderId].flatMap { $0.endsAt > state.now ? $0 : nil }
            if request.isFreed == true {
                if lease?.holder == request.proposalId { state.leases[request.appleOrderId] = nil }
                return false
            }
            if let lease, lease.holder != request.proposalId { return nil }
            let end = state.now.advanced(by: Self.leaseMilliseconds)
            state.leases[request.appleOrderId] = Lease(holder: request.proposalId, endsAt: end)
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
                && names.contains($0.basis.appleOrderId?.rawValue ?? "")
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

    private func answer(_ request: CompensationProposeV1) -> CompensationV1 {
        state.withLockedValue { state in
            if let known = state.compensations[request.proposalId] { return known }
            let compensation = CompensationV1(
                proposalId: request.proposalId,
                state: .proposed,
                bundleId: request.bundleId,
                buyerId: request.buyerId,
                environment: request.environment,
                productId: request.productId,
                quantity: request.quantity,
                basis: request.basis,
                reason: request.reason,
                proposedBy: request.operatorId,
                proposedAt: state.now
            )
            state.compensations[request.proposalId] = compensation
            return compensation
        }
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
