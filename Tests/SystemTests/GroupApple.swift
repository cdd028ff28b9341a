import Contracts
import Delivery
import Foundation
import TestKit

@testable import Receipts

/// Apple as the services of a simulated group meet it: what it knows, what it has said, and when it says nothing.
struct GroupApple {
    /// What the text of a receipt begins with that Apple, asked often enough, calls none of its own.
    static let refused = "refused"
    private static let pageSize = 2

    /// When Apple answers nobody, in ms of the run.
    var outage: ClosedRange<Int64>?
    private(set) var judged: Set<String> = []
    /// The transactions of which it has said that it does not know them, for good.
    private(set) var unknown: Set<String> = []
    /// The numbers of transactions that it has named for orders of its own.
    private(set) var named: Set<Int> = []
    /// How often each job met with doubt.
    private var doubts: [String: Int] = [:]
    /// The statements that Apple has made, and when, in ms of the run.
    private var statements: [(number: Int, time: Timestamp)] = []

    /// Notes that Apple states something, whether or not it arrives.
    mutating func list(_ number: Int, at time: Timestamp) {
        if !statements.contains(where: { $0.number == number }) { statements.append((number, time)) }
    }

    /// Notes what Apple says of a receipt, if it is final.
    mutating func check(_ job: AppleJob, _ report: AppleJobResult) {
        guard report.outcome == .found || report.outcome == .refused, case .proof = job.kind else {
            return
        }
        judged.insert(job.id)
    }

    /// Notes that it knows none of these for good.
    mutating func disown(_ identifiers: [TransactionID]) { unknown.formUnion(identifiers.map(\.rawValue)) }

    /// Notes that it has said what was bought under an order of its own.
    mutating func name(_ payments: [Int]) { named.formUnion(payments) }

    func hasJudged(_ receipt: ReceiptID) -> Bool { judged.contains("proof/\(receipt.rawValue)") }

    /// Whether a job may be answered with doubt once more; the pauses grow longer than a simulated run.
    mutating func mayDoubt(_ job: AppleJob) -> Bool {
        doubts[job.id, default: 0] += 1
        return doubts[job.id, default: 0] <= 2
    }

    /// What is on a page of Apple's list, and the place of the next one.
    func page(_ span: HistoryCursor.Span) -> (numbers: [Int], next: String?) {
        let listed = statements.filter { $0.time >= span.from && $0.time <= span.to }.map(\.number)
        let start = span.page.flatMap { Int($0) } ?? 0
        let end = min(start + Self.pageSize, listed.count)
        return (start < end ? Array(listed[start..<end]) : [], end < listed.count ? "\(end)" : nil)
    }

    var stated: [Int] { statements.map(\.number) }
}

enum GroupAnswer: String, CaseIterable, Sendable {
    case found, contradicted, unknown, refused, doubted, unavailable, unauthorized
}

// MARK: Answering

extension GroupSimulation {
    func report(on job: AppleJob) throws -> AppleJobResult {
        if let trouble = trouble() { return trouble }
        switch job.kind {
        case .proof(let proof):
            if let doubt = doubt(job) { return doubt }
            guard !proof.text.hasPrefix(GroupApple.refused) else { return .refused(.refusedByApple) }
            return .found(ProofContents(transactions: try known(in: proof.text)))
        case .evidence(_, let identifiers, _):
            guard hasFaults, random.happens(perMille: 450) else {
                return .found(known(identifiers.map(\.rawValue)))
            }
            apple.disown(identifiers)
            return AppleJobResult(.contradicted)
        case .claimEvidence(_, let identifier): return .found(known([identifier.rawValue]))
        case .serverNotifications(let environment, let span): return notifications(environment, span)
        // A period's renewal is asked for by a clock that was ahead.
        case .history, .renewalCheck: return AppleJobResult(.found)
        case .order(let order):
            if hasFaults, random.flip() {
                let until = moment.now.advanced(by: random.within(300...2_500))
                return AppleJobResult(.unavailable, until: until, problem: "no answer")
            }
            let payments = payments(of: order)
            apple.name(payments)
            return .found(known(payments.map { script.transactions[$0].id.rawValue }))
        case .reconciliation, .consumption:
            fail("nobody asked for \(job.id)")
            return AppleJobResult(.unknown)
        }
    }

    /// What keeps Apple from answering anything.
    private func trouble() -> AppleJobResult? {
        guard hasFaults else { return nil }
        if apple.outage?.contains(now) == true || random.happens(perMille: 40) {
            let until = random.flip() ? nil : moment.now.advanced(by: random.within(1...1_500))
            return AppleJobResult(.unavailable, until: until, problem: "no answer")
        }
        guard random.happens(perMille: 60) else { return nil }
        let until = moment.now.advanced(by: random.within(100...2_000))
        return AppleJobResult(.unauthorized, until: until, problem: "Apple does not take the key")
    }

    /// What Apple says of a receipt now and will not say for ever.
    private func doubt(_ job: AppleJob) -> AppleJobResult? {
        guard hasFaults, random.happens(perMille: 450), apple.mayDoubt(job) else { return nil }
        switch random.below(3) {
        case 0: return AppleJobResult(.unknown, problem: "4040010")
        case 1: return AppleJobResult(.contradicted)
        default:
            let until = moment.now.advanced(by: random.within(50...2_500))
            return AppleJobResult(.doubted, until: until, problem: "verifyReceipt says 21002")
        }
    }

    /// The purchases in a receipt, each as Apple stated it last.
    private func known(in text: String) throws -> [SignedTransaction] {
        try JSONDecoder().decode([SignedTransaction].self, from: Data(text.utf8)).map { signed in
            guard let last = lastStatement(of: signed.transactionId) else { return signed }
            let restated = self.signed(last.transaction, last.facts)
            return restated.signedDate > signed.signedDate ? restated : signed
        }
    }

    /// What Apple knows of some transactions, each as it stated it last.
    private func known(_ identifiers: [String]) -> ProofContents {
        let numbers = script.transactions.indices.filter {
            identifiers.contains(script.transactions[$0].id.rawValue)
        }
        let transactions = numbers.map { number in
            let last = lastStatement(of: script.transactions[number].id.rawValue)
            return signed(number, last?.facts ?? .purchase)
        }
        return ProofContents(transactions: transactions)
    }

    /// What Apple has stated last of a transaction; nil if it has stated nothing.
    private func lastStatement(of identifier: String) -> GroupStatement? {
        apple.stated.map { script.statements[$0] }
            .filter { script.transactions[$0.transaction].id.rawValue == identifier }
            .max { $0.facts.signed < $1.facts.signed }
    }

    private func notifications(_ environment: Environment, _ span: HistoryCursor.Span) -> AppleJobResult {
        if hasFaults, span.page != nil, random.happens(perMille: 200) {
            return AppleJobResult(.unknown, problem: "4000006")
        }
        guard environment == .production else { return AppleJobResult(.found) }
        let page = apple.page(span)
        var report = AppleJobResult(.found)
        report.findings = page.numbers.map(notification)
        report.next = page.next
        return report
    }

    private func notification(_ number: Int) -> AppleFinding {
        let statement = script.statements[number]
        let text = GroupServerNotification(
            notificationUUID: "notice-\(number)",
            transaction: signed(statement.transaction, statement.facts),
            renewal: statement.renewal
        )
        return AppleFinding(
            signedPayload: String(decoding: bytes(text), as: UTF8.self),
            notificationUUID: text.notificationUUID
        )
    }
}
