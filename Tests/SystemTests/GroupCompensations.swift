import Contracts
import Database
import Domain
import TestKit

@testable import Delivery
@testable import Entitlements

/// An order for which operators make up, though its proof may still come.
struct GroupCompensation {
    let plan: Int
    /// On what it stands.
    let kind: CompensationBasis.Kind
    let order: Int
    /// What pays the order; nil where nothing ever does.
    let payment: Int?
    let buyer: BuyerID
    /// When it is proposed, in ms after everything was made ready.
    let delay: Int64

    func id(_ number: Int) -> ProposalID {
        let digest = (0..<14).map { UInt8(truncatingIfNeeded: number &* 31 &+ $0) }
        return ProposalID(
            .compensation,
            shard: PartitionKey.buyer(buyer, of: GroupWorld.app).shard,
            digest: [UInt8(number >> 8), UInt8(number & 0xFF)] + digest.dropFirst(2)
        )
    }

    /// The number on Apple's e-mail.
    static func appleOrder(_ number: Int) -> AppleOrderID {
        AppleOrderID(unchecked: "MQ\(10_000_000 + number)")
    }

    func basis(_ number: Int, _ order: OrderID) -> CompensationBasis {
        switch kind {
        case .order: CompensationBasis(kind: .order, orderId: order)
        case .appleOrder: CompensationBasis(kind: .appleOrder, appleOrderId: Self.appleOrder(number))
        case .goodwill: CompensationBasis(kind: .goodwill)
        }
    }
}

extension GroupScriptWriter {
    /// On what each stands, and when a phone hands in its proof; nil where none does.
    private static let compensated: [(kind: CompensationBasis.Kind, proof: ClosedRange<Int64>?)] = [
        (.order, nil), (.order, soon), (.order, later), (.order, last), (.appleOrder, nil),
        (.appleOrder, later), (.appleOrder, last), (.goodwill, later),
    ]

    /// Of an order of Apple's Apple itself tells what was bought, whether or not a phone does.
    mutating func writeCompensated() {
        for (kind, proof) in Self.compensated {
            let order = order(.coins)
            let payment = proof == nil && kind != .appleOrder ? nil : buy(.order(order), .coins)
            script.compensations.append(
                GroupCompensation(
                    plan: script.plans,
                    kind: kind,
                    order: order,
                    payment: payment,
                    buyer: own,
                    delay: random.within(Self.soon)
                )
            )
            if let payment, let proof { submit(payment, by: own, after: proof) }
        }
    }
}

/// The operators: one proposes, another one confirms, and some or both take back what no proof has replaced.
extension GroupSimulation {
    static let proposer = OperatorID(unchecked: "o00000000000a")
    private static let confirmer = OperatorID(unchecked: "o00000000000b")

    func compensate(_ number: Int) {
        let compensation = script.compensations[number]
        guard let order = script.orders[compensation.order].id else { return }
        let request = CompensationProposeV1(
            proposalId: compensation.id(number),
            bundleId: GroupWorld.app,
            buyerId: compensation.buyer,
            environment: GroupOrder.environment,
            productId: script.orders[compensation.order].product.id,
            quantity: 1,
            basis: compensation.basis(number, order),
            reason: "ticket \(number)",
            operatorId: Self.proposer
        )
        ask(request, of: partition(.entitlements, of: compensation.buyer)) {
            $0.compensate(number)
        } conflicted: { simulation, _ in
            // The proof was first.
            simulation.log("\(number) needs no compensation")
        } answered: { simulation, answer in
            guard answer.state == .proposed else { return }
            simulation.schedule(after: simulation.random.within(1...900)) { $0.decide(.confirm, number) }
            guard simulation.random.happens(perMille: 300) else { return }
            simulation.schedule(after: simulation.random.within(1...3_000)) { $0.decide(.reverse, number) }
        }
    }

    /// Confirms it, or takes it back; either may be asked more than once.
    private func decide(_ decision: CompensationDecideV1.Decision, _ number: Int) {
        let compensation = script.compensations[number]
        let request = CompensationDecideV1(
            proposalId: compensation.id(number),
            decision: decision,
            reason: decision == .reverse ? "no proof has come" : nil,
            operatorId: Self.confirmer
        )
        ask(request, of: partition(.entitlements, of: compensation.buyer)) {
            $0.decide(decision, number)
        } conflicted: { simulation, refusal in
            simulation.log("\(number) is not confirmed: \(refusal.reason ?? "")")
        } answered: { simulation, _ in
            guard simulation.hasFaults, simulation.random.happens(perMille: 200) else { return }
            simulation.schedule(after: simulation.random.within(1...900)) { $0.decide(decision, number) }
        }
    }

    /// Takes back what no proof has replaced; what was matched stays as it is.
    func reverseCompensations() {
        attempt("the compensations cannot be read", else: ()) {
            let known = Set(
                try rows(.entitlements, "SELECT proposal_id FROM compensation").map {
                    try $0["proposal_id"] as ProposalID
                }
            )
            for number in script.compensations.indices
            where known.contains(script.compensations[number].id(number)) { decide(.reverse, number) }
        }
    }

    /// What was bought under an order of Apple's.
    func payments(of order: AppleOrderID) -> [Int] {
        script.compensations.indices.filter {
            script.compensations[$0].kind == .appleOrder && GroupCompensation.appleOrder($0) == order
        }
        .compactMap { script.compensations[$0].payment }
    }
}

extension GroupChecker {
    /// A buyer has what an order gives once: from its purchase, or from what makes up for it.
    func checkCompensations() throws {
        var stored: [ProposalID: CompensationV1] = [:]
        for row in try simulation.rows(.entitlements, "SELECT document FROM compensation") {
            let content: CompensationV1 = try JSONColumn.value(of: row["document"])
            stored[content.proposalId] = content
        }
        for (number, compensation) in simulation.script.compensations.enumerated() {
            guard let content = stored[compensation.id(number)] else { continue }
            let payment = compensation.payment.map { simulation.script.transactions[$0].key }
            check(content, payment)
        }
    }

    private func check(_ content: CompensationV1, _ payment: GroupKey?) {
        let name = PurchaseID(unchecked: "compensation.\(content.proposalId)")
        let own = ledger.entries.filter { $0.purchase?.id == name }
        let grant = ledger.entries.first { $0.purchase == payment && payment != nil && $0.kind == "grant" }
        let sum = own.reduce(0) { $0 + $1.change }
        switch content.state {
        case .proposed: fail("\(content) was not withdrawn", .comesToRest)
        case .granted: fail("\(content) was not taken back", .comesToRest)
        case .void:
            if !own.isEmpty { fail("\(content) was given", .nothingTwice) }
        case .reversed: simulation.counts.count(GroupDeal.madeUpFor)
        case .matched:
            simulation.counts.count(content.basis.kind == .order ? GroupDeal.lateProof : .lateAppleOrder)
            if grant == nil { fail("\(content) has gone for nothing", .nothingLost) }
            if content.basis.kind == .goodwill { fail("\(content) was goodwill", .nothingLost) }
        }
        if sum != 0 { fail("\(content) left \(sum)", .ledgerBalances) }
        guard let grant, content.basis.kind != .goodwill else { return }
        checkPlace(of: own, beside: grant, content)
    }

    /// From the transaction of its purchase's grant on the buyer has the purchase alone.
    ///
    /// Only Apple's word what an order of its own has may come later; it is what takes the compensation back then, or an
    /// operator was faster.
    private func checkPlace(
        of own: [GroupLedger.Entry],
        beside grant: GroupLedger.Entry,
        _ content: CompensationV1
    ) {
        let isNamedLater =
            content.basis.kind == .appleOrder && own.contains { $0.type == AppleOrderNamedV1.type.rawValue }
        let isTakenBack = content.basis.kind == .appleOrder && content.state == .reversed
        guard !isNamedLater, !isTakenBack else { return }
        let until = own.filter { $0.number < grant.number || $0.event == grant.event }
        let held = until.reduce(0) { $0 + $1.change }
        if held != 0 { fail("\(content) stood with \(held) beside \(grant)", .nothingTwice) }
        if content.basis.kind == .order, until.count < own.count {
            fail("\(content) was given after \(grant)", .nothingTwice)
        }
    }
}
