import Contracts
import Domain

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
    private var audits: [PartitionAddress: [[LedgerAuditV1: LedgerAuditPage]]] = [:]
    private var purchases: [PartitionAddress: [[PurchasesAuditPage.Purchase]]] = [:]
    private var purchaseNotes: [PartitionAddress: PurchasesAuditPage] = [:]
    private var names: [PartitionAddress: NamesAuditPage] = [:]
    private var statuses: [PartitionAddress: [PartitionStatus]] = [:]
    private var delayed: [PartitionAddress: [DelayedEvent]] = [:]
    private var letters: [PartitionAddress: [DeadLetter]] = [:]
    private var webhooks: [PartitionAddress: [WebhooksPage.Webhook]] = [:]
    private var taken: Set<String> = []
    private var silent: @Sendable (any RequestContract) -> Bool = { _ in false }
    private var refusing: @Sendable (any RequestContract) -> Bool = { _ in false }
    private var garbling: @Sendable (any RequestContract) -> Bool = { _ in false }

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

    /// Answers what nobody can read.
    func garble(_ isGarbled: @escaping @Sendable (any RequestContract) -> Bool) { garbling = isGarbled }

    /// What a partition answers to questions of an audit of its ledger, a step at each pause; the last one stays.
    func audit(_ pages: [LedgerAuditV1: LedgerAuditPage]..., at address: PartitionAddress) {
        audits[address] = pages
    }

    /// The purchases that a partition has, a step at each pause; the last one stays.
    func audit(_ purchases: [PurchasesAuditPage.Purchase]..., at address: PartitionAddress) {
        self.purchases[address] = purchases
    }

    /// What every page of a partition's purchases says beside them.
    func note(_ page: PurchasesAuditPage, at address: PartitionAddress) { purchaseNotes[address] = page }

    /// The names that a partition of Receipts knows, and the claims that state them.
    func audit(
        names rows: [NamesAuditPage.Row] = [],
        claims: [NamesAuditPage.Claim] = [],
        at address: PartitionAddress
    ) {
        names[address] = NamesAuditPage(rows: rows, claims: claims)
    }

    /// How long a partition's oldest event is under way, ms, and which are delayed.
    func audit(unsettledMs: Int64, delayed: [DelayedEvent] = [], at address: PartitionAddress) {
        self.delayed[address] = delayed
        underWay([unsettledMs], at: address)
    }

    /// How long a partition's oldest event is under way, ms, a step at each pause; the last one stays.
    func underWay(_ ages: [Int64], at address: PartitionAddress) {
        let delayed = delayed[address] ?? []
        statuses[address] = ages.map { age in
            var status = Self.status(of: address)
            status.oldestUnsettledMs = age
            status.delayed = delayed.count { $0.kind == .event }
            status.parkedWork = delayed.count - status.delayed
            return status
        }
    }

    static func status(of address: PartitionAddress) -> PartitionStatus {
        PartitionStatus(
            service: address.service,
            partition: address.partition,
            pid: 1,
            replica: 0,
            epoch: 1,
            outbox: 0,
            oldestUnsettledMs: 0,
            delayed: 0,
            parkedWork: 0,
            deadLetters: 0,
            quarantinedLinks: 0,
            gauges: [:],
            logPosition: nil
        )
    }

    /// The dead letters that a partition lists; it has `count` of them, if not only those.
    func keep(_ letters: [DeadLetter], of count: Int? = nil, at address: PartitionAddress) {
        self.letters[address] = letters
        var status = Self.status(of: address)
        status.deadLetters = count ?? letters.count
        statuses[address] = [status]
    }

    /// Somebody else has decided about a dead letter, which is listed all the same.
    func take(_ letter: String) { taken.insert(letter) }

    /// The webhooks that a partition has written.
    func write(_ webhooks: [WebhooksPage.Webhook], at address: PartitionAddress) {
        self.webhooks[address, default: []] += webhooks
    }

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
        audits = audits.mapValues(Self.afterPause)
        purchases = purchases.mapValues(Self.afterPause)
        statuses = statuses.mapValues(Self.afterPause)
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
        if let retry = question as? DeadLetterRetryV1, taken.contains(retry.letterId) {
            let refusal = RequestRefusal(.notFound, "no such dead letter")
            throw CommandFailure(description: "gone", refusal: refusal)
        }
        if let release = question as? DelayedEventReleaseV1, isBehind(release.eventId, at: address) {
            let refusal = RequestRefusal(.conflict, "waits behind an earlier delayed event")
            throw CommandFailure(description: "behind", refusal: refusal)
        }
        if refusing(question) {
            let refusal = RequestRefusal(.busy, "too much in hand")
            throw CommandFailure(description: "\(address) refuses: too much in hand", refusal: refusal)
        }
        if garbling(question) { throw CommandFailure(description: "\(address): the answer is no JSON") }
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
        case let question as LedgerAuditV1: audits[address]?.first?[question]
        case let question as PurchasesAuditV1: page(of: question, at: address)
        case let question as NamesAuditV1: page(of: question, at: address)
        case is PartitionStatusV1: statuses[address]?.first ?? Self.status(of: address)
        case is DelayedEventsListV1: delayed[address] ?? []
        case is DeadLettersListV1: letters[address] ?? []
        case let question as DelayedEventReleaseV1:
            delayed[address]?.first { $0.eventId == question.eventId }
        case let question as DeadLetterRetryV1: retry(question.letterId, at: address)
        case let question as WebhooksListenV1: page(of: question, at: address)
        case let question as GrantRetryV1: page(after: question.after, at: address)
        case let question as ReceiptRetryV1: page(after: question.after, at: address)
        default: nil
        }
    }

    /// Whether an earlier one of its subject is delayed.
    private func isBehind(_ event: String, at address: PartitionAddress) -> Bool {
        let known = delayed[address] ?? []
        guard let found = known.first(where: { $0.eventId == event }), let subject = found.subject else {
            return false
        }
        return known.first { $0.subject == subject }?.eventId != event
    }

    private func retry(_ letter: String, at address: PartitionAddress) -> DeadLetter? {
        let found = letters[address]?.first { $0.letterId == letter }
        letters[address]?.removeAll { $0.letterId == letter }
        return found
    }

    /// One item a page; a page is named by its number.
    private static func page<Item>(of items: [Item], after: String?) -> (item: Item?, next: String?) {
        let index = after.flatMap(Int.init) ?? 0
        guard index < items.count else { return (nil, nil) }
        return (items[index], index + 1 < items.count ? String(index + 1) : nil)
    }

    /// All transactions are the first partition's.
    private func page(of question: ReconciliationGetV1, at address: PartitionAddress) -> ReconciliationV1 {
        var reply = ReconciliationV1(progress: progress.first)
        guard question.part != .progress, address.partition == 0 else { return reply }
        let (steps, next) = Self.page(of: found, after: question.after?.first)
        guard let transaction = steps?.first else { return reply }
        (reply.count, reply.received) = (1, 1)
        reply.unknown = transaction.before.state == "unknown" ? 1 : 0
        (reply.transactions, reply.next) = ([transaction], next.map { [$0] })
        return reply
    }

    /// Two purchases a page.
    private func page(of question: PurchasesAuditV1, at address: PartitionAddress) -> PurchasesAuditPage {
        let all = (purchases[address]?.first ?? []).sorted { $0.purchaseId < $1.purchaseId }
        let asked = all.filter { purchase in
            let id = purchase.purchaseId
            if let only = question.purchaseIds { return only.contains(id) }
            return id > question.after ?? PurchaseID(unchecked: "")
                && (question.upTo.map { id <= $0 } ?? true)
        }
        let isWhole = asked.count <= 2 || question.purchaseIds != nil
        let rows = isWhole ? asked : Array(asked.prefix(2))
        var page = PurchasesAuditPage(rows, for: question, next: isWhole ? nil : rows.last?.purchaseId)
        if let note = purchaseNotes[address] {
            (page.outstanding, page.orphans) = (note.outstanding, note.orphans)
            page.differences = note.differences
        }
        return page
    }

    /// Two webhooks a page.
    private func page(of question: WebhooksListenV1, at address: PartitionAddress) -> WebhooksPage {
        let all = webhooks[address] ?? []
        let last = all.last?.position ?? 0
        guard let after = question.after else { return WebhooksPage(webhooks: [], last: last) }
        let page = Array(all.filter { $0.position > after }.prefix(2))
        return WebhooksPage(webhooks: page, last: page.last?.position ?? last)
    }

    /// One name a page.
    private func page(of question: NamesAuditV1, at address: PartitionAddress) -> NamesAuditPage {
        let all = names[address] ?? NamesAuditPage(rows: [], claims: [])
        let stated = Set(all.claims.map(\.name)).filter { $0 > question.after ?? "" }.sorted()
        let asked = Set(question.names ?? Array(stated.prefix(1)))
        return NamesAuditPage(
            rows: all.rows.filter { asked.contains($0.name) },
            claims: all.claims.filter { asked.contains($0.name) },
            next: question.names == nil && stated.count > 1 ? stated.first : nil
        )
    }

    private func page(after: [String]?, at address: PartitionAddress) -> RetryPage {
        let (items, next) = Self.page(of: parked[address] ?? [], after: after?.first)
        return RetryPage(items ?? [], next: next.map { [$0] })
    }

    private func page(of question: LedgerGetV1) -> LedgerV1 {
        let held = question.environment.flatMap { ledger[$0] } ?? []
        let (transaction, next) = Self.page(of: held, after: question.after)
        let entry = transaction.map { transaction in
            var entry = LedgerEntry(
                entryId: next ?? "last",
                kind: .grant,
                entitlement: "coins",
                amount: 1,
                of: question.buyerId,
                with: .apple(ProductID(unchecked: "coins.120")),
                environment: question.environment ?? .production,
                time: Timestamp(milliseconds: 0)
            )
            entry.transactionId = transaction
            return entry
        }
        return LedgerV1(entries: [entry].compactMap(\.self), next: next)
    }
}
