import AppStoreSigning
import Contracts
import LoadVerdict
import NIOConcurrencyHelpers
import TestKit

/// What all phones of one run share.
struct LoadContext: Sendable {
    private static let firstPause = Duration.milliseconds(25)
    private static let longestPause = Duration.seconds(1)

    let client: GatewayClient
    let signer: AppStoreSigner
    /// The simulator that the group asks; nil where no phone needs it.
    let appStore: AppStoreClient?
    let journal: Journal
    let audit: NIOLockedValueBox<Audit>
    let schedule: Schedule
    let buyers: [String]
    let assortment: Assortment
    /// All of the assortment, by number.
    let products: [Product]
    let scripts: ScriptGenerator
    /// Phones that are processes of their own; nil where phones are played here.
    var kit: KitPhones?
    /// Where operators act; nil where none does.
    var desk: OperatorDesk?

    func note<Value>(_ body: (inout Audit) throws -> Value) rethrows -> Value {
        try audit.withLockedValue(body)
    }

    /// Asks until there is a 2xx, with pauses that grow; nil after a 4xx, or when the run is over.
    func retry<Value: Sendable>(_ request: () async -> Reply<Value>) async throws -> Value? {
        var pause = Self.firstPause
        while !schedule.isOver {
            switch await request() {
            case .answered(let value): return value
            case .rejected(let reason):
                note { $0.noteRejection(reason) }
                return nil
            case .failed(let reason): note { $0.noteError(reason) }
            }
            try await Task.sleep(for: pause * Double.random(in: 0.5...1.5))
            pause = min(pause * 2, Self.longestPause)
        }
        return nil
    }

    /// Reads what was not read of a buyer's ledger before, to wherever it has come.
    func readLedger(of buyer: Int) async -> Reply<Void> {
        let (number, name) = (Int32(buyer), buyers[buyer])
        while true {
            let start = note { $0.lastEntries[number] }
            let reply = await Reply<LedgerPage>.of { try await client.ledger(of: name, after: start) }
            switch reply {
            case .rejected(let reason): return .rejected(reason)
            case .failed(let reason): return .failed(reason)
            case .answered(let page):
                let isTaken = note { $0.note(page, of: number, after: start) }
                if isTaken, page.next == nil { return .answered(()) }
            }
        }
    }

    /// Reads what a buyer holds and may use.
    func readHoldings(of buyer: Int) async -> Reply<HoldingsReading> {
        let path = "/v1/buyers/\(buyers[buyer])"
        let asked = WallClock.microseconds / 1_000
        let entitlements = await Reply<EntitlementsV1>.of { try await client.get("\(path)/entitlements") }
        let subscriptions = await Reply<SubscriptionsV1>.of { try await client.get("\(path)/subscriptions") }
        switch (entitlements, subscriptions) {
        case (.answered(let entitlements), .answered(let subscriptions)):
            return .answered(
                HoldingsReading(
                    entitlements: entitlements,
                    subscriptions: subscriptions,
                    asked: asked,
                    answered: WallClock.microseconds / 1_000
                )
            )
        case (.rejected(let reason), _), (_, .rejected(let reason)): return .rejected(reason)
        case (.failed(let reason), _), (_, .failed(let reason)): return .failed(reason)
        }
    }
}
