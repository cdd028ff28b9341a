package import Contracts
package import Foundation

/// What a server comes to believe that follows the README and asks nothing.
///
/// Of possessions the last word holds, amounts are added up by their entries. What is for real is apart from what
/// testers hold.
package struct FollowingServer: Sendable {
    /// Whose goods they are, and whether for real.
    package struct Account: Hashable, Sendable {
        package let buyer: BuyerID
        package let environment: Environment

        package init(buyer: BuyerID, environment: Environment) {
            (self.buyer, self.environment) = (buyer, environment)
        }
    }

    /// What a message says that was not here before.
    package enum News: Sendable {
        case entitlement(EntitlementChangedV1)
        case holding(HoldingChangedV1)
        case externalPurchase(ExternalPurchaseNotifiedV1)
        /// Something else, by its type.
        case other(String)
    }

    private struct Envelope: Decodable {
        let id: String
        let type: String
    }

    private struct Webhook<Content: Decodable>: Decodable {
        let data: Content
    }

    private let isAmount: @Sendable (String) -> Bool
    private var seen: Set<String> = []
    /// What is held, and until when in ms since 1970; nil is for ever.
    private var held: [Account: [String: Int64?]] = [:]
    private var amounts: [Account: [String: Int64]] = [:]

    /// `isAmount`: whether the catalog grants an entitlement in amounts; others are possessions.
    package init(isAmount: @escaping @Sendable (String) -> Bool) { self.isAmount = isAmount }

    /// Takes the body of a webhook; nil if it was here before, and then it has no effect.
    ///
    /// - Throws: `DecodingError`.
    @discardableResult
    package mutating func take(_ body: Data) throws -> News? {
        let envelope = try JSONDecoder().decode(Envelope.self, from: body)
        guard seen.insert(envelope.id).inserted else { return nil }
        switch envelope.type {
        case EntitlementChangedV1.type.rawValue:
            let change: EntitlementChangedV1 = try Self.content(of: body)
            note(change)
            return .entitlement(change)
        case HoldingChangedV1.type.rawValue:
            let change: HoldingChangedV1 = try Self.content(of: body)
            note(change)
            return .holding(change)
        case ExternalPurchaseNotifiedV1.type.rawValue:
            return .externalPurchase(try Self.content(of: body))
        default: return .other(envelope.type)
        }
    }

    private static func content<Content: Decodable>(of body: Data) throws -> Content {
        try JSONDecoder().decode(Webhook<Content>.self, from: body).data
    }

    private mutating func note(_ change: EntitlementChangedV1) {
        let account = Account(buyer: change.buyerId, environment: change.environment)
        for entry in change.entries where isAmount(entry.entitlement) {
            amounts[account, default: [:]][entry.entitlement, default: 0] += entry.change
        }
    }

    private mutating func note(_ change: HoldingChangedV1) {
        let account = Account(buyer: change.buyerId, environment: change.environment)
        held[account, default: [:]][change.entitlement] =
            change.held ? .some(change.expires?.milliseconds) : nil
    }

    /// What the server believes that a buyer holds, each with its end in ms since 1970; nil is for ever.
    package func holdings(of account: Account) -> [String: Int64?] { held[account, default: [:]] }

    /// What it has added up, where it is not 0.
    package func amounts(of account: Account) -> [String: Int64] {
        amounts[account, default: [:]].filter { $0.value != 0 }
    }
}
