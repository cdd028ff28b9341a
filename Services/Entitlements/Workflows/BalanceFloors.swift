import Contracts
import Delivery
import Domain

/// The balances that must not fall below zero.
struct BalanceFloors {
    private let context: HandlerContext

    init(_ context: HandlerContext) { self.context = context }

    /// Those of a grant's buyer; none where `facts` take nothing back.
    func needed(by grant: Grant, _ facts: TransactionFacts, _ catalog: Catalog) throws -> [String: Int64] {
        guard grant.mayTakeBack(facts) else { return [:] }
        return try all(of: BuyerKey(facts, of: grant.buyerId), catalog)
    }

    /// Those of a buyer.
    func all(of buyer: BuyerKey, _ catalog: Catalog) throws -> [String: Int64] {
        let floored = catalog.flooredEntitlements
        guard !floored.isEmpty else { return [:] }
        let balances = try HoldingStore(connection: context.connection).balances(buyer)
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
