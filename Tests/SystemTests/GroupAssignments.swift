import Contracts
import Database
import Domain
import TestKit

@testable import Delivery

/// A purchase of which Apple alone has told, and that an operator gives to a buyer.
struct GroupAssignment {
    let plan: Int
    let transaction: Int
    let buyer: BuyerID
    /// When it is given, in ms after everything was made ready.
    let delay: Int64
    /// Whether an operator has asked for it.
    var isAsked = false
    /// Whether that was what gave it to its buyer.
    var isDone = false
}

extension GroupScriptWriter {
    /// Nothing names the buyer of any; a phone may hand one in before it is given to somebody, or after.
    mutating func writeAssignments() {
        for number in 0..<3 {
            let payment = buy(.none, .coins)
            state(payment)
            script.assignments.append(
                GroupAssignment(
                    plan: script.plans,
                    transaction: payment,
                    buyer: eitherBuyer(),
                    delay: random.within(Self.later)
                )
            )
            if number == 0 { submit(payment, by: eitherBuyer(), after: Self.last) }
        }
    }
}

extension GroupSimulation {
    /// Gives it to its buyer, once it is known and as long as nobody holds it.
    func assign(_ number: Int) {
        let (assignment, transaction) = (
            script.assignments[number], script.transactions[script.assignments[number].transaction]
        )
        let purchase = transaction.purchase
        let isKnown = attempt("the claims cannot be read", else: false) {
            try !rows(.receipts, "SELECT 1 FROM claim WHERE purchase_id = \(purchase)").isEmpty
        }
        guard isKnown else { return schedule(after: 500) { $0.assign(number) } }
        script.assignments[number].isAsked = true
        let request = ClaimReassignV1(
            purchaseId: purchase,
            bundleId: GroupWorld.app,
            environment: transaction.environment,
            buyerId: assignment.buyer,
            reason: "ticket \(number)",
            decidedBy: Self.proposer,
            isDryRun: false,
            onlyOrphan: true
        )
        let chain = PartitionKey.chain(transaction.original, of: GroupWorld.app)
        ask(request, of: chain.address(in: .receipts, of: GroupWorld.partitions)) {
            $0.assign(number)
        } conflicted: { simulation, refusal in
            guard refusal.reason != "held" else { return simulation.log("\(purchase) is held") }
            // It is being decided whose it is.
            simulation.schedule(after: simulation.random.within(200...900)) { $0.assign(number) }
        } answered: { simulation, answer in
            // On its way: the answer of before was lost.
            if answer.effect == .proposed || answer.effect == .underWay {
                simulation.script.assignments[number].isDone = true
            }
        }
    }
}

extension GroupChecker {
    /// What an operator gave has one holder, as every purchase: its buyer, or whose phone was first.
    func checkAssignments() {
        for assignment in simulation.script.assignments where assignment.isDone {
            let key = simulation.script.transactions[assignment.transaction].key
            guard claims[key]?.state == "held", grants[key]?.state == "granted" else {
                fail("\(key) was assigned, and is \(String(describing: claims[key]))", .nothingLost)
                continue
            }
            simulation.counts.count(GroupDeal.assignment)
        }
    }
}
