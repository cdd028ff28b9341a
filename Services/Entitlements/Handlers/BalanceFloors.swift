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
        let floored = catalog.flooredEntitlements
        guard !floored.isEmpty, grant.mayTakeBack(facts) else { return [:] }
        let balances = try HoldingStore(connection: connection).balances(
            EntitlementsGetV1(facts, of: grant.buyerId)
        )
        return Dictionary(uniqueKeysWithValues: floored.map { ($0, balances[$0] ?? 0) })
    }
}

extension Catalog {
    fileprivate var flooredEntitlements: [String] {
        entitlements.keys.filter { balance(of: $0) == .floor }
    }
}

extension [String: Int64] {
    /// Floored balances after the amounts that some lines give.
    func adding(_ lines: [Grant.Line]) -> Self {
        lines.reduce(into: self) { balances, line in
            guard line.kind == .grant, !line.isPossession, let balance = balances[line.entitlement] else {
                return
            }
            balances[line.entitlement] = balance + line.amount
        }
    }
}
