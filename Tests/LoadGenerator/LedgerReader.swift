import NIOConcurrencyHelpers
import TestKit

/// The ledger of one buyer, read once from its beginning to wherever it has come.
actor LedgerReader {
    private let number: Int32
    private let name: String
    private let client: GatewayClient
    private let audit: NIOLockedValueBox<Audit>
    private var last: String?

    init(of number: Int, _ name: String, _ client: GatewayClient, _ audit: NIOLockedValueBox<Audit>) {
        self.number = Int32(number)
        self.name = name
        self.client = client
        self.audit = audit
    }

    /// Reads what was not read before; another reader may come in between, and then what it has read is passed over.
    func readOn() async -> Reply<Void> {
        while true {
            let start = last
            switch await Reply<LedgerAnswer>.of({ try await client.ledger(of: name, after: start) }) {
            case .rejected(let reason): return .rejected(reason)
            case .failed(let reason): return .failed(reason)
            case .answered(let page):
                guard last == start else { continue }
                audit.withLockedValue { for entry in page.entries { $0.note(entry, of: number) } }
                last = page.entries.last?.entryId ?? last
                if page.next == nil { return .answered(()) }
            }
        }
    }
}
