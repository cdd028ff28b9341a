import Foundation
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

    private let group: AppStoreGroup
    private let box = NIOLockedValueBox(Tally())

    init(_ group: AppStoreGroup) { self.group = group }

    var tally: Tally { box.withLockedValue { $0 } }

    /// Forgets the verdicts of a warm-up.
    func forgetVerdicts() { box.withLockedValue { $0.verdicts = [:] } }

    /// Hands a proof in, again and again until it is acknowledged.
    ///
    /// - Throws: `HarnessFault` when it is rejected.
    func handIn(_ purchase: OutagePurchase) async throws {
        while try await !isAcknowledged(purchase) {
            try await Task.sleep(for: .seconds(Double.random(in: Self.pauses)))
        }
    }

    private func isAcknowledged(_ purchase: OutagePurchase) async throws -> Bool {
        let kind = purchase.kind
        let gateway = kind.gateway(of: group)
        let reply = try await reply {
            try await gateway.submit(purchase.buyer, proof: purchase.proof, kind: kind.member, wait: 0)
        }
        guard let reply else { return false }
        switch reply.status {
        case 200..<300:
            note(try reply.json(), kind)
            return true
        case 400..<500 where reply.status != 408 && reply.status != 429:
            throw HarnessFault("\(kind) is rejected: \(reply.status) \(reply.text)")
        default:
            note(error: "\(reply.status)")
            return false
        }
    }

    /// What comes back; nil when there is no answer just now.
    private func reply(_ request: () async throws -> HTTPReply) async throws -> HTTPReply? {
        do {
            return try await request()
        } catch let error as CancellationError {
            throw error
        } catch {
            note(error: "\(error)")
            return nil
        }
    }

    private func note(error: String) { box.withLockedValue { $0.errors[error, default: 0] += 1 } }

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
        guard let reply = try await reply({ try await gateway.ledger(of: purchase.buyer, after: nil) }) else {
            return nil
        }
        guard reply.status < 500 else {
            note(error: "ledger \(reply.status)")
            return nil
        }
        return try reply.json()
    }
}
