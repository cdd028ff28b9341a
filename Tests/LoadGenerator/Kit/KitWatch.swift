import Foundation
import TestKit

/// What a phone with a client of its own was told and did: judges what it finishes, and says when it dies.
///
/// It dies at points: when a request of the phone arrives, when the answer is on its way back, after a line. Each of
/// its lives has one death at most; after the last planned one it lives on.
struct KitWatch: Sendable {
    /// When a life ends.
    enum Death: Equatable, Sendable {
        /// As it sends a proof for the first time.
        case sending
        /// At its point of this number.
        case atPoint(Int)
        /// So long after it began.
        case after(milliseconds: Int)
    }

    /// What a finish was.
    enum Finish: Equatable, Sendable {
        case right(UInt64)
        /// No answer had said so before.
        case tooEarly(UInt64)
        /// Of a transaction that nobody paid.
        case unknown
    }

    private var deaths: [Death]
    private var points = 0
    /// Payments by their proofs, and by the receipts of answers.
    private var proofs: [String: UInt64] = [:]
    private var receipts: [String: UInt64] = [:]
    private var mayFinish: Set<UInt64> = []
    private(set) var paid: Set<UInt64> = []
    /// Those whose proof the phone has sent: it must have kept them, and StoreKit says nothing more of them.
    private(set) var sent: Set<UInt64> = []
    private(set) var acknowledged: Set<UInt64> = []
    private(set) var finished: Set<UInt64> = []

    /// A phone whose first lives end so.
    init(deaths: [Death]) { self.deaths = deaths }

    /// Whether everything that was paid is finished, and the gateway has allowed it.
    var isDone: Bool { !paid.isEmpty && paid.isSubset(of: finished) && paid.isSubset(of: mayFinish) }

    /// Paid, and never finished.
    var unfinished: Set<UInt64> { paid.subtracting(finished) }

    /// How the life that begins now will end; nil if it is not planned.
    mutating func beginLife() -> Death? {
        points = 0
        return deaths.first
    }

    /// The phone is dead.
    mutating func endLife() { deaths = Array(deaths.dropFirst()) }

    /// Counts a point; whether the phone dies here.
    mutating func dies(isSending: Bool = false) -> Bool {
        points += 1
        return deaths.first == .atPoint(points) || (isSending && deaths.first == .sending)
    }

    /// StoreKit has a payment.
    mutating func pay(_ payment: UInt64, proof: String) {
        proofs[proof] = payment
        paid.insert(payment)
    }

    /// Which payment a request of the phone is about; nil if about none.
    mutating func request(_ path: String, _ body: Data) -> UInt64? {
        struct Submission: Decodable { let signedTransaction: String }

        let parts = path.prefix { $0 != "?" }.split(separator: "/")
        guard parts.count > 1, parts[1] == "receipts" else { return nil }
        if parts.count > 2 { return receipts[String(parts[2])] }
        do {
            let proof = try JSONDecoder().decode(Submission.self, from: body).signedTransaction
            if let payment = proofs[proof] { sent.insert(payment) }
            return proofs[proof]
        } catch {
            return nil
        }
    }

    /// The phone is told this about a payment; whether it is the first acknowledgement.
    mutating func answer(_ answer: VerdictAnswer, status: Int, of payment: UInt64) -> Bool {
        receipts[answer.receiptId] = payment
        if status == 200, answer.finish { mayFinish.insert(payment) }
        return acknowledged.insert(payment).inserted
    }

    /// The phone has finished a transaction.
    mutating func finish(_ transactionID: String) -> Finish {
        guard let payment = UInt64(transactionID), paid.contains(payment) else { return .unknown }
        finished.insert(payment)
        return mayFinish.contains(payment) ? .right(payment) : .tooEarly(payment)
    }
}
