import Contracts
import Delivery

@testable import Control

/// A group that answers from a script, and remembers what it was asked.
actor ScriptedGroup: PartitionClient {
    nonisolated let partitions = 4
    private var received: [(address: PartitionAddress, question: any RequestContract)] = []
    private(set) var pauses = 0

    /// How far a reconciliation is, a step at each pause; the last one stays.
    private var progress: [ReconciliationV1.Progress] = []
    /// What it found, by the transaction; each goes through its steps, one at each pause, once Apple was asked.
    private var found: [[ReconciliationV1.Transaction]] = []
    /// The status of claims, a step at each pause; the last one stays.
    private var claims: [TransactionID: [ClaimsV1.Claim]] = [:]
    private var ledger: [Environment: [TransactionID]] = [:]
    private var parked: [PartitionAddress: [[RetryPage.Item]]] = [:]
    private var silent: @Sendable (any RequestContract) -> Bool = { _ in false }
    private var refusing: @Sendable (any RequestContract) -> Bool = { _ in false }

    /// What a reconciliation says of itself, and of each of its transactions.
    func reconcile(_ progress: [ReconciliationV1.Progress], _ found: [ReconciliationV1.Transaction]...) {
        (self.progress, self.found) = (progress, found)
    }

    /// What becomes of the claims of some transactions.
    func scheduleClaims(_ claims: ClaimsV1.Claim...) {
        self.claims = Dictionary(grouping: claims, by: \.transactionId)
    }

    func enter(_ transactions: [TransactionID], in environment: Environment) {
        ledger[environment] = transactions
    }

    /// What a partition answers when it is asked to judge again, page by page.
    func park(_ pages: [[RetryPage.Item]], at address: PartitionAddress) { parked[address] = pages }

    func silence(_ isSilent: @escaping @Sendable (any RequestContract) -> Bool) { silent = isSilent }

    func refuse(_ isRefused: @escaping @Sendable (any RequestContract) -> Bool) { refusing = isRefused }

    /// The questions of one kind, in order.
    func questions<Question: RequestContract>(_ kind: Question.Type) -> [Question] {
        received.compactMap { $0.question as? Question }
    }

    /// Who was asked questions of one kind, in order.
    func addressees<Question: RequestContract>(_ kind: Question.Type) -> [PartitionAddress] {
        received.filter { $0.question is Question }.map(\.address)
    }

    func pause() {
        pauses += 1
        claims = claims.mapValues(Self.afterPause)
        if progress.count > 1 {
            progress.removeFirst()
        } else {
            found = found.map(Self.afterPause)
        }
    }

    private static func afterPause<Step>(_ steps: [Step]) -> [Step] {
        steps.count > 1 ? Array(steps.dropFirst()) : steps
    }

    func ask<Question: RequestContract>(
        _ question: Question,
        of address: PartitionAddress,
        within milliseconds: Int64
    ) throws -> Question.Reply {
        received.append((address, question))
        if silent(question) {
            throw CommandFailure(description: "\(address) does not answer", isSilence: true)
        }
        if refusing(question) { throw CommandFailure(description: "\(address) refuses: too much in hand") }
        guard let reply = reply(to: question, at: address) as? Question.Reply else {
            throw CommandFailure(description: "the script has no answer to \(Question.type)")
        }
        return reply
    }

    private func reply(to question: any RequestContract, at address: PartitionAddress) -> (any Sendable)? {
        switch question {
        case is ReconciliationStartV1: ReconciliationV1(progress: progress.first)
        case let question as ReconciliationGetV1: page(of: question, at: address)
        case let question as ClaimsGetV1:
            ClaimsV1(claims: question.transactionIds.compactMap { claims[$0]?.first })
        case let question as LedgerGetV1: page(of: question)
        case let question as GrantRetryV1: page(after: question.after, at: address)
        case let question as ReceiptRetryV1: page(after: question.after, at: address)
        default: nil
        }
    }

    /// One transaction a page, named by the number of the next; all are the first partition's.
    private func page(of question: ReconciliationGetV1, at address: PartitionAddress) -> ReconciliationV1 {
        var reply = ReconciliationV1(progress: progress.first)
        let index = question.after?.first.flatMap(Int.init) ?? 0
        guard question.part != .progress, address.partition == 0, index < found.count else { return reply }
        let transaction = found[index][0]
        (reply.count, reply.received) = (1, 1)
        reply.unknown = transaction.before.state == "unknown" ? 1 : 0
        reply.transactions = [transaction]
        reply.next = index + 1 < found.count ? [String(index + 1)] : nil
        return reply
    }

    /// Pages are named by their numbers.
    private func page(after: [String]?, at address: PartitionAddress) -> RetryPage {
        let pages = parked[address] ?? []
        let number = after?.first.flatMap(Int.init) ?? 0
        guard number < pages.count else { return RetryPage([]) }
        return RetryPage(pages[number], next: number + 1 < pages.count ? [String(number + 1)] : nil)
    }

    /// One entry a page, named by the number of the next.
    private func page(of question: LedgerGetV1) -> LedgerV1 {
        let entries = question.environment.flatMap { ledger[$0] } ?? []
        let index = question.after.flatMap(Int.init) ?? 0
        guard index < entries.count else { return LedgerV1(entries: []) }
        let entry = LedgerEntry(
            entryId: String(index + 1),
            kind: .grant,
            entitlement: "coins",
            amount: 1,
            transactionId: entries[index],
            productId: ProductID(unchecked: "coins.120"),
            order: OrderTerms(orderId: OrderID(unchecked: "order")),
            environment: question.environment ?? .production,
            time: Timestamp(milliseconds: 0)
        )
        return LedgerV1(entries: [entry], next: index + 1 < entries.count ? String(index + 1) : nil)
    }
}
