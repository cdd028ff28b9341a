import Contracts
import Database
import Domain
import TestKit

@testable import Delivery
@testable import Entitlements

/// An order for which operators make up, though its proof may still come.
struct GroupCompensation {
    let plan: Int
    let order: Int
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
}

extension GroupScriptWriter {
    /// Of four orders one is never proven.
    mutating func writeCompensated() {
        for number in 0..<4 {
            let order = order(.coins)
            script.compensations.append(
                GroupCompensation(
                    plan: script.plans,
                    order: order,
                    buyer: own,
                    delay: random.within(Self.soon)
                )
            )
            guard number > 0 else { continue }
            submit(buy(.order(order), .coins), by: own, after: number == 1 ? Self.soon : Self.last)
        }
    }
}

/// The operators: one proposes, another one confirms, and in the end takes back what no proof has replaced.
extension GroupSimulation {
    private static let proposer = OperatorID(unchecked: "o00000000000a")
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
            basis: CompensationBasis(kind: .order, orderId: order),
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
            simulation.schedule(after: simulation.random.within(1...600)) { $0.decide(.confirm, number) }
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
}

extension GroupChecker {
    /// A buyer has what an order gives once: from its purchase, or from what makes up for it.
    func checkCompensations() throws {
        for row in try simulation.rows(.entitlements, "SELECT document FROM compensation") {
            let content: CompensationV1 = try JSONColumn.value(of: row["document"])
            let name = PurchaseID(unchecked: "compensation.\(content.proposalId)")
            let own = ledger.entries.filter { $0.purchase?.id == name }
            let sum = own.reduce(0) { $0 + $1.change }
            let payment = paid.first { $0.value.order == content.basis.orderId }
            let isGranted = payment.flatMap { grants[$0.key] }?.state == "granted"
            switch content.state {
            case .proposed, .void:
                if !own.isEmpty { fail("\(content) was given", .nothingTwice) }
            case .granted: fail("\(content) was not taken back", .comesToRest)
            case .reversed:
                simulation.counts.count(GroupDeal.madeUpFor)
                if sum != 0 { fail("\(content) left \(sum)", .ledgerBalances) }
                if isGranted { fail("\(content) stood beside the goods of its order", .nothingTwice) }
            case .matched:
                simulation.counts.count(GroupDeal.lateProof)
                if sum != 0 { fail("\(content) left \(sum)", .ledgerBalances) }
                if !isGranted { fail("\(content) has gone for nothing", .nothingLost) }
            }
        }
    }
}
