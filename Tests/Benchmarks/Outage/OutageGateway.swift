import NIOConcurrencyHelpers
import TestKit

/// The gateway as phones hand proofs in, and as the ledgers are read.
struct OutageGateway: Sendable {
    /// What came back to the phones.
    struct Tally: Sendable {
        /// Requests that had no 2xx, by status or kind of error.
        var errors: [String: Int] = [:]
        /// First answers, by verdict and reason.
        var verdicts: [String: Int] = [:]
        var finishTooEarly = 0
    }

    private static let pauses = 0.05...0.5

    let group: AppStoreGroup
    private let box = NIOLockedValueBox(Tally())

    init(_ group: AppStoreGroup) { self.group = group }

    var tally: Tally { box.withLockedValue { $0 } }

    /// Forgets the verdicts of a warm-up.
    func forgetVerdicts() { box.withLockedValue { $0.verdicts = [:] } }

    /// Hands a proof in, again and again until it is acknowledged.
    ///
    /// - Throws: `HarnessFault` when it is rejected.
    func handIn(_ purchase: OutagePurchase) async throws {
        let kind = purchase.kind
        let gateway = kind.gateway(of: group)
        while true {
            let verdict: VerdictAnswer? = try await answer {
                try await gateway.submit(purchase.buyer, proof: purchase.proof, kind: kind.member, wait: 0)
            }
            if let verdict { return note(verdict, kind) }
            try await Task.sleep(for: .seconds(Double.random(in: Self.pauses)))
        }
    }

    private func note(_ verdict: VerdictAnswer, _ kind: OutageKind) {
        let name = [kind.rawValue, verdict.verdict, verdict.reason].compactMap(\.self).joined(separator: " ")
        box.withLockedValue { tally in
            tally.verdicts[name, default: 0] += 1
            if verdict.finish, !verdict.isGranted { tally.finishTooEarly += 1 }
        }
    }

    /// The ledger of a purchase's buyer, which is one page; nil when there is no answer just now.
    func ledger(of purchase: OutagePurchase) async throws -> LedgerAnswer? {
        let gateway = purchase.kind.gateway(of: group)
        return try await answer { try await gateway.ledger(of: purchase.buyer, after: nil) }
    }

    /// What is answered; nil when there is no answer just now.
    private func answer<Value>(_ request: () async throws -> HTTPReply) async throws -> Value?
    where Value: Decodable & Sendable {
        switch await Reply<Value>.of(request) {
        case .answered(let value): return value
        case .rejected(let reason): throw HarnessFault("the gateway rejects a request: \(reason)")
        case .failed(let reason):
            box.withLockedValue { $0.errors[reason, default: 0] += 1 }
            return nil
        }
    }
}
