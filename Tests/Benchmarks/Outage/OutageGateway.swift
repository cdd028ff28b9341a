import Foundation
import NIOConcurrencyHelpers
import NIOHTTP1

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

    let url: String
    let secrets: [OutageKind: String]
    private let exchange = HTTPExchange()
    private let box = NIOLockedValueBox(Tally())

    init(url: String, secrets: [OutageKind: String]) {
        self.url = url
        self.secrets = secrets
    }

    var tally: Tally { box.withLockedValue { $0 } }

    /// Forgets the verdicts of a warm-up.
    func forgetVerdicts() { box.withLockedValue { $0.verdicts = [:] } }

    // MARK: Phones

    private struct Verdict: Decodable {
        let verdict: String
        let reason: String?
        let finish: Bool
    }

    /// Hands a proof in, again and again until it is acknowledged.
    ///
    /// - Throws: `SiblingProgram.Failure` when it is rejected.
    func handIn(_ purchase: OutagePurchase) async throws {
        let kind = purchase.kind
        let body = [
            "bundleId": kind.bundleID, "buyerId": purchase.buyer, kind.member: purchase.proof,
        ]
        while try await !isAcknowledged(body, kind) {
            try await Task.sleep(for: .seconds(Double.random(in: Self.pauses)))
        }
    }

    private func isAcknowledged(_ body: [String: String], _ kind: OutageKind) async throws -> Bool {
        let answer: HTTPExchange.Answer
        do {
            answer = try await exchange.post(url + "/v1/receipts?wait=0", body, key: secrets[kind])
        } catch let error as CancellationError {
            throw error
        } catch {
            note(error: "\(type(of: error))")
            return false
        }
        switch answer.status {
        case 200..<300:
            note(try answer.json(Verdict.self), kind)
            return true
        case 400..<500 where answer.status != 408 && answer.status != 429:
            let text = String(decoding: answer.body, as: UTF8.self)
            throw SiblingProgram.Failure(description: "\(kind) is rejected: \(answer.status) \(text)")
        default:
            note(error: "\(answer.status)")
            return false
        }
    }

    private func note(error: String) { box.withLockedValue { $0.errors[error, default: 0] += 1 } }

    private func note(_ verdict: Verdict, _ kind: OutageKind) {
        let word = [kind.rawValue, verdict.verdict, verdict.reason].compactMap(\.self).joined(separator: " ")
        let isGranted = verdict.verdict == "granted"
        box.withLockedValue { tally in
            tally.verdicts[word, default: 0] += 1
            if verdict.finish, !isGranted { tally.finishTooEarly += 1 }
        }
    }

    // MARK: Ledgers

    /// A ledger, which of so few purchases is one page.
    struct Page: Decodable {
        struct Entry: Decodable {
            let kind: String
            let transactionId: String
            /// Milliseconds since 1970.
            let time: Int64
        }

        let entries: [Entry]
    }

    /// The ledger of a purchase's buyer; nil when there is no answer just now.
    func ledger(of purchase: OutagePurchase) async throws -> Page? {
        let path = "\(url)/v1/buyers/\(purchase.buyer)/ledger"
        let answer: HTTPExchange.Answer
        do {
            answer = try await exchange.send(.GET, path, key: secrets[purchase.kind])
        } catch let error as CancellationError {
            throw error
        } catch {
            note(error: "ledger \(type(of: error))")
            return nil
        }
        guard answer.status < 500 else {
            note(error: "ledger \(answer.status)")
            return nil
        }
        return try answer.json(Page.self)
    }
}
