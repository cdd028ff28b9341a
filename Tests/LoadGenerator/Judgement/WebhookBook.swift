import Contracts
import Foundation

/// What a server comes to believe that follows the README and asks nothing: of possessions the last word holds, amounts
/// are added up by their entries.
struct WebhookBook: Sendable {
    private struct Envelope: Decodable {
        let id: String
        let type: String
    }

    private struct Message<Content: Decodable>: Decodable {
        let data: Content
    }

    /// The entitlements that the catalog grants in amounts.
    private let counted: Set<String>
    private var seen: Set<String> = []
    /// By buyer; when it ends in ms since 1970, nil if never.
    private var held: [String: [String: Int64?]] = [:]
    private var amounts: [String: [String: Int64]] = [:]

    init(_ products: [Product]) { counted = Set(products.flatMap(\.amounts.keys)) }

    /// Takes the body of a webhook; one that was here before has no effect.
    mutating func note(_ body: Data) throws {
        let envelope = try JSONDecoder().decode(Envelope.self, from: body)
        guard seen.insert(envelope.id).inserted else { return }
        switch envelope.type {
        case HoldingChangedV1.type.rawValue:
            note(try JSONDecoder().decode(Message<HoldingChangedV1>.self, from: body).data)
        case EntitlementChangedV1.type.rawValue:
            note(try JSONDecoder().decode(Message<EntitlementChangedV1>.self, from: body).data)
        default: break
        }
    }

    private mutating func note(_ change: HoldingChangedV1) {
        held[change.buyerId.rawValue, default: [:]][change.entitlement] =
            change.held ? .some(change.expires?.milliseconds) : nil
    }

    private mutating func note(_ change: EntitlementChangedV1) {
        for entry in change.entries where counted.contains(entry.entitlement) {
            amounts[change.buyerId.rawValue, default: [:]][entry.entitlement, default: 0] += entry.change
        }
    }

    /// Whether the server believes what the gateway answers; `own` is what it spent and credited itself.
    func agrees(with answer: EntitlementsV1, own: [String: Int64]) -> Bool {
        let buyer = answer.buyerId.rawValue
        let possessions = answer.entitlements.map { ($0.entitlement, $0.expires?.milliseconds) }
        guard held[buyer, default: [:]] == Dictionary(possessions, uniquingKeysWith: { first, _ in first })
        else {
            return false
        }
        let balances = amounts[buyer, default: [:]].merging(own, uniquingKeysWith: +)
        return balances.filter { $0.value != 0 } == answer.balances.filter { $0.value != 0 }
    }
}
