import Contracts
import Domain
import HTTPTypes

/// Keeps an order of Apple's for one proposal while it is looked for in all partitions and then written in one.
///
/// Two proposals of one number for two buyers, made in the same moment, would both find it free: their buyers are in
/// different partitions. The partition of the number's own hash lets one of them through at a time. What a gateway
/// that died has left behind ends by itself, by that partition's clock; the same proposal renews it.
struct AppleOrderReservation: Sendable {
    /// Timeout of what frees the order, ms: it ends by itself as well.
    private static let freeMilliseconds: Int64 = 1_000

    let request: AppleOrderReserveV1
    /// Whose own compensations are left to the buyer's ledger.
    private let buyerId: BuyerID

    /// Nil for a proposal that stands on no order of Apple's.
    init?(for proposal: CompensationProposeV1) {
        self.init(proposal.proposalId, proposal.basis, of: proposal.buyerId, in: proposal.bundleId)
    }

    /// Nil for a compensation that stands on no order of Apple's, or that waits for nobody.
    init?(for compensation: CompensationV1) {
        guard compensation.state == .proposed else { return nil }
        self.init(
            compensation.proposalId,
            compensation.basis,
            of: compensation.buyerId,
            in: compensation.bundleId
        )
    }

    private init?(_ id: ProposalID, _ basis: CompensationBasis, of buyer: BuyerID, in app: BundleID) {
        guard let order = basis.appleOrderId else { return nil }
        request = AppleOrderReserveV1(bundleId: app, appleOrderId: order, proposalId: id)
        buyerId = buyer
    }

    /// Reserves the order, and looks for another compensation on it; where that fails, it is free again.
    func reserve(in partitions: Partitions) async throws(Problem) {
        _ = try await partitions.ask(request)
        do throws(Problem) {
            try await check(in: partitions)
            // Where the look took longer than the reservation, another proposal may have been written meanwhile.
            guard try await !partitions.ask(request).isNew else { throw .unanswered }
        } catch {
            await free(in: partitions)
            throw error
        }
    }

    /// Lets other proposals have the order; where nobody answers, they get it when the reservation ends.
    func free(in partitions: Partitions) async {
        var free = request
        free.isFreed = true
        do {
            _ = try await partitions.ask(free, within: Self.freeMilliseconds)
        } catch {
            return
        }
    }

    /// No other compensation may stand on an order of Apple's, whoever has written of it, nor its purchase have come.
    ///
    /// The ledger of a buyer refuses a second one of its own; this asks those of all others, side by side.
    private func check(in partitions: Partitions) async throws(Problem) {
        let order = request.appleOrderId
        let question = FactsFindV1(texts: [order.rawValue], bundleIds: [])
        let ledgers = partitions.all.filter { $0.service == .entitlements }
        let found = await PartitionAsker(partitions: partitions).answers(to: question, of: ledgers)
        let others = found.replies.flatMap(\.facts).filter {
            $0.kind == .compensated && $0.bundleId == request.bundleId && $0.buyerId != buyerId
        }
        if let other = others.first(where: stands) {
            let id = other.reference.map { " \($0)" } ?? ""
            let text = "Another buyer's compensation\(id) stands on this order of Apple's."
            throw Problem(
                RequestRefusal(.conflict, text, field: "appleOrderId", reason: "compensated")
            )
        }
        // One that has not answered may have such a compensation.
        guard found.missed.isEmpty else { throw .unanswered }
    }

    /// As its partition says, which alone knows by its clock whether a proposal can still be confirmed.
    private func stands(_ fact: DeskFact) -> Bool {
        switch fact.word.flatMap(CompensationV1.State.init) {
        case .proposed, .granted, .matched: true
        case .reversed, .void, nil: false
        }
    }
}
