import TestKit

/// The ledgers of all buyers, each read once from its beginning to wherever it has come.
struct Ledgers: Sendable {
    private let readers: [LedgerReader]

    init(_ buyers: Buyers, client: GatewayClient, results: LoadResults) {
        readers = buyers.names.enumerated().map { LedgerReader(Int32($0), $1, client, results) }
    }

    /// Reads what a buyer's ledger has beyond what was read before.
    func readOn(_ buyer: Int) async -> Reply<Void> { await readers[buyer].readOn() }
}

/// One ledger, and how far it has been read.
private actor LedgerReader {
    private let number: Int32
    private let name: String
    private let client: GatewayClient
    private let results: LoadResults
    /// The last entry that was read.
    private var last: String?

    init(_ number: Int32, _ name: String, _ client: GatewayClient, _ results: LoadResults) {
        self.number = number
        self.name = name
        self.client = client
        self.results = results
    }

    /// Reads to the end; another reader may come in between, and then what it has read is passed over.
    func readOn() async -> Reply<Void> {
        while true {
            let start = last
            switch await Reply<LedgerAnswer>.of({ try await client.ledger(of: name, after: start) }) {
            case .rejected(let reason): return .rejected(reason)
            case .failed(let reason): return .failed(reason)
            case .answered(let page):
                guard last == start else { continue }
                results.note(page.entries, of: number)
                last = page.entries.last?.entryId ?? last
                if page.next == nil { return .answered(()) }
            }
        }
    }
}
