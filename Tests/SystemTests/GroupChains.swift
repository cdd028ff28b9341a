import Contracts
import Database
import Domain
import TestKit

@testable import Delivery

/// Dealings in payments that two chains state.
extension GroupScriptWriter {
    mutating func writeChains(_ workload: GroupWorkload) {
        for _ in 0..<2 {
            if workload == .merged { writeMerged() } else { writeRestated() }
        }
    }

    /// Apple states a period in another chain from now on; what was signed before comes sooner or later.
    private mutating func writeMerged() {
        let token: GroupToken = random.flip() ? .order(order(.club)) : .none
        let isFirst = random.flip()
        let begins: Int64 = isFirst ? -10 : -5
        let unheard = isFirst ? nil : sell(.club, .none, from: -15, to: -5)
        let period = sell(.club, token, from: begins, to: 20, after: unheard)
        script.transactions[period].period?.hasLineItem = true
        let (before, since) = pickDelays()
        // A receipt says no owner, so that of a first period it has no name.
        let kind: ProofKind = !isFirst && random.happens(perMille: 300) ? .appReceipt : .signedTransaction
        submit(period, by: own, sold(period).first, kind: kind, after: before)
        let merged = sold(period).again.inAnotherChain
        if random.flip() {
            submit(period, by: eitherBuyer(), merged, after: since)
        } else {
            state(period, merged, after: since)
        }
        guard random.happens(perMille: 300) else { return }
        state(period, sold(period).refunded(100_000).inAnotherChain, after: Self.afterwards)
    }

    /// Two phones have a transaction each of one payment, whose chains differ.
    private mutating func writeRestated() {
        let token: GroupToken = random.flip() ? .order(order(.club)) : .none
        let first = sell(.club, token, from: -10, to: 20)
        script.transactions[first].period?.hasLineItem = true
        let again = sell(.club, token, from: -10, to: 20, after: first)
        script.transactions[again].restores = first
        script.transactions[again].isElsewhere = true
        let delays = pickDelays()
        submit(first, by: own, sold(first).first, after: delays.0)
        submit(again, by: other, sold(again).again, after: delays.1)
        guard random.happens(perMille: 300) else { return }
        state(random.flip() ? first : again, sold(first).refunded(100_000), after: Self.afterwards)
    }

    private mutating func pickDelays() -> (ClosedRange<Int64>, ClosedRange<Int64>) {
        random.pick([(Self.soon, Self.later), (Self.later, Self.soon), (Self.soon, Self.soon)])
    }
}

extension GroupFacts {
    /// The same as Apple states it in another chain.
    fileprivate var inAnotherChain: GroupFacts {
        var facts = self
        facts.isElsewhere = true
        return facts
    }
}

/// Of a payment that two chains state either may be the home; the script knows the one in which it began.
extension TextIdentifier {
    private static var prefixes: (home: String, elsewhere: String) { ("2000", "3000") }

    /// The id in the chain in which a payment began.
    var atHome: Self { replacing(Self.prefixes.elsewhere, with: Self.prefixes.home) }
    /// The id in the other chain that states it.
    var elsewhere: Self { replacing(Self.prefixes.home, with: Self.prefixes.elsewhere) }

    private func replacing(_ prefix: String, with other: String) -> Self {
        rawValue.hasPrefix(prefix) ? Self(unchecked: other + rawValue.dropFirst(prefix.count)) : self
    }
}

extension GroupChecker {
    /// No two chains hold purchases with one name; what is assigned has the line item of whoever paid.
    func checkPayments() throws {
        for _ in try simulation.rows(.receipts, "SELECT 1 FROM chain_alias") {
            simulation.counts.count(GroupDeal.alias)
        }
        let sql: SQL = """
            SELECT original_transaction_id, signed_transaction FROM claim
            WHERE state = 'held' AND revoked = 0 AND assigned = 0
            """
        var chains: [String: Set<String>] = [:]
        for row in try simulation.rows(.receipts, sql) {
            let signed: SignedTransaction = try JSONColumn.value(of: row["signed_transaction"])
            let chain: String = try row["original_transaction_id"]
            for name in signed.statedNames {
                chains["\(signed.environment)/\(signed.bundleId)/\(name)", default: []].insert(chain)
            }
        }
        for (name, chains) in chains.sorted(by: { $0.key < $1.key }) where chains.count > 1 {
            fail("\(name) is held in the chains \(chains.sorted())", .paymentIsHeldOnce)
        }
    }
}

extension SignedTransaction {
    /// What belongs to one payment.
    fileprivate var statedNames: [String] {
        let isBought = inAppOwnershipType == Ownership.purchased && !isAddition
        let lineItem = isBought ? lineItem.map { "lineItem/\($0)" } : nil
        return ["transaction/\(transactionId)"] + [lineItem].compactMap(\.self)
    }
}

extension GroupSimulation {
    /// The answer about a line item, for a chain that takes it for its own; the same event is always spoiled alike.
    func misnamed(_ event: [UInt8]) -> [UInt8] {
        let text = String(decoding: event, as: UTF8.self)
        guard text.contains(#""\#(NameHeldV1.type)""#), text.contains(#""webOrderLineItemId""#),
            let chain = text.firstMatch(of: /"originalTransactionId":"([^"]*)"/)?.1
        else { return event }
        return Array(text.replacing(/"homeId":"[^"]*"/, with: #""homeId":"\#(chain)""#).utf8)
    }
}
