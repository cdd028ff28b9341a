import Contracts
import Crypto
import Domain
import HTTPTypes

/// Gives an orphan to a buyer while nobody can compensate another one for it.
///
/// The orders of Apple's that are known to have the purchase are reserved, as a compensation reserves its own; every
/// ledger is asked for compensations on these orders, on the purchase and on its transactions. One of the same buyer is
/// no obstacle: the purchase takes its place. What is no orphan is decided at once.
struct Assignment: Sendable {
    let gateway: GatewayContext
    /// The decision, not a look at it.
    let question: ClaimReassignV1
    let found: PurchaseLook.Found
    /// By which the request names the purchase.
    let field: String

    private var partitions: Partitions { gateway.partitions }

    func decide() async throws(Problem) -> ReassignmentV1 {
        // What is on its way, or held, was decided before.
        guard found.look.effect == .proposed else { return try await decided() }
        let names = Set([question.purchaseId, found.look.purchaseId] + found.look.names)
            .map(\.rawValue).sorted()
        let orders = try await orders(of: names)
        let compensations = OtherCompensations(
            bundleId: found.look.bundleId,
            buyerId: found.look.buyerId,
            names: names + orders.map(\.rawValue),
            states: [.proposed, .granted],
            field: field,
            subject: "this purchase"
        )
        guard !orders.isEmpty else {
            try await compensations.check(in: partitions)
            return try await decided()
        }
        return try await decide(holding: orders.map { AppleOrderReservation($0, for: id, compensations) })
    }

    private func decide(holding reservations: [AppleOrderReservation]) async throws(Problem) -> ReassignmentV1
    {
        var held: [(reservation: AppleOrderReservation, wasFree: Bool)] = []
        do throws(Problem) {
            for reservation in reservations {
                held.append((reservation, try await reservation.reserve(in: partitions)))
            }
            let decided = try await decided()
            for (reservation, _) in held { await reservation.free(in: partitions) }
            return decided
        } catch {
            // Where nobody answers it may be decided yet: the orders stay reserved for a while.
            guard held.count < reservations.count || error.status.kind == .clientError || error == .busy
            else { throw error }
            for (reservation, wasFree) in held where wasFree { await reservation.free(in: partitions) }
            throw error.about(field)
        }
    }

    private func decided() async throws(Problem) -> ReassignmentV1 {
        try await PurchaseLook(gateway: gateway).decide(question, found, namedIn: field)
    }

    /// The orders of Apple's that are known to have a transaction of these names.
    private func orders(of names: [String]) async throws(Problem) -> [AppleOrderID] {
        let addresses = partitions.all.filter { $0.service == .receipts }
        let asker = PartitionAsker(forDecisionsOf: partitions)
        var orders: Set<AppleOrderID> = []
        for start in stride(from: 0, to: names.count, by: FactsFindV1.maximumTexts) {
            let some = Array(names[start...].prefix(FactsFindV1.maximumTexts))
            let answers = await asker.answers(to: FactsFindV1(texts: some, bundleIds: []), of: addresses)
            guard answers.missed.isEmpty else { throw .unanswered }
            let facts = answers.replies.flatMap(\.facts).filter {
                $0.kind == .appleOrder && $0.bundleId == found.look.bundleId
                    && $0.transactionId.map { some.contains($0.rawValue) } == true
            }
            orders.formUnion(facts.compactMap { $0.detail.flatMap(AppleOrderID.init(rawValue:)) })
        }
        return orders.sorted()
    }

    /// By which it has the orders: the same when it is asked for once more.
    private var id: ProposalID {
        let text = "assign\n\(question.decidedBy)\n\(found.look.bundleId)\n\(found.look.purchaseId)\n"
        let digest = SHA256.hash(data: Array("\(text)\(found.look.buyerId)".utf8))
        return ProposalID(.move, shard: Shard(rawValue: UInt16(found.at.partition)), digest: digest)
    }
}
