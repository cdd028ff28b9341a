import Contracts
import Delivery
import Domain

extension HandlerContext {
    /// The balances of a grant's buyer that must not fall below zero; none where `facts` take nothing back.
    func floors(
        of grant: Grant,
        _ facts: TransactionFacts,
        _ catalog: Catalog
    ) throws -> [String: Int64] {
        guard grant.mayTakeBack(facts) else { return [:] }
        return try floors(of: EntitlementsGetV1(facts, of: grant.buyerId), catalog)
    }

    /// The balances of a buyer that must not fall below zero.
    func floors(of buyer: EntitlementsGetV1, _ catalog: Catalog) throws -> [String: Int64] {
        let floored = catalog.flooredEntitlements
        guard !floored.isEmpty else { return [:] }
        let balances = try HoldingStore(connection: connection).balances(buyer)
        return Dictionary(uniqueKeysWithValues: floored.map { ($0, balances[$0] ?? 0) })
    }
}

extension Catalog {
    fileprivate var flooredEntitlements: [String] {
        entitlements.keys.filter { balance(of: $0) == .floor }
    }
}

extension [String: Int64] {
    /// Floored balances after the amounts that some lines move.
    func adding(_ lines: [Grant.Line]) -> Self {
        lines.reduce(into: self) { balances, line in
            guard !line.isPossession, let balance = balances[line.entitlement] else { return }
            balances[line.entitlement] = balance + (line.kind.isForBuyer ? line.amount : -line.amount)
        }
    }
}
