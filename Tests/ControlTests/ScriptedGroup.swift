import Contracts
import Delivery

@testable import Control

/// A group that answers from a script, and remembers what it was asked.
actor ScriptedGroup: GroupConversation {
    /// What was asked of whom.
    struct Heard {
        let address: PartitionAddress
        let question: any Request
        let patience: Int64
    }

    nonisolated let partitions = 4
    private(set) var heard: [Heard] = []
    private(set) var pauses = 0

    /// What Apple answers, by what is asked.
    private var apple: @Sendable (AppleAskV1) -> AppleAnswerV1
    /// How claims stand; one that is handed in goes through what `fates` says, a step at each pause.
    private var claims: [TransactionID: ClaimsV1.Claim] = [:]
    private var fates: [TransactionID: [ClaimsV1.Claim?]] = [:]
    private var handedIn: Set<TransactionID> = []
    private var knownNotifications: Set<String> = []
    private var ledger: [Environment: [TransactionID]] = [:]
    private var parked: [PartitionAddress: [[RetryPage.Item]]] = [:]
    private var silent: @Sendable (any Request) -> Bool = { _ in false }
    private var refusing: @Sendable (any Request) -> Bool = { _ in false }

    init(apple: @escaping @Sendable (AppleAskV1) -> AppleAnswerV1) { self.apple = apple }

    /// A group to which Apple tells these pages, named by their numbers, whatever is asked.
    init(pages: [AppleAnswerV1]) {
        self.init { question in
            let number = question.page.flatMap(Int.init) ?? 0
            var page = pages[number]
            if number + 1 < pages.count, page.problem == nil { page.next = String(number + 1) }
            return page
        }
    }

    func stand(_ claims: [ClaimsV1.Claim]) {
        for claim in claims { self.claims[claim.transactionId] = claim }
    }

    func expect(_ fate: [ClaimsV1.Claim?], of transaction: TransactionID) { fates[transaction] = fate }

    /// The same of a transaction that is here already.
    func expectNow(_ fate: [ClaimsV1.Claim?], of transaction: TransactionID) {
        fates[transaction] = fate
        handedIn.insert(transaction)
    }

    func know(notifications: Set<String>) { knownNotifications = notifications }

    func enter(_ transactions: [TransactionID], in environment: Environment) {
        ledger[environment] = transactions
    }

    /// What a partition answers when it is asked to judge again, page by page.
    func park(_ pages: [[RetryPage.Item]], at address: PartitionAddress) { parked[address] = pages }

    func silence(_ isSilent: @escaping @Sendable (any Request) -> Bool) { silent = isSilent }

    func refuse(_ isRefused: @escaping @Sendable (any Request) -> Bool) { refusing = isRefused }

    /// The questions of one kind, in order.
    func questions<Question: Request>(_ kind: Question.Type) -> [Question] {
        heard.compactMap { $0.question as? Question }
    }

    /// Who was asked questions of one kind, in order.
    func addressees<Question: Request>(_ kind: Question.Type) -> [PartitionAddress] {
        heard.filter { $0.question is Question }.map(\.address)
    }

    func pause() {
        pauses += 1
        for transaction in handedIn {
            guard let fate = fates[transaction], let next = fate.first else { continue }
            claims[transaction] = next
            fates[transaction] = Array(fate.dropFirst())
        }
    }

    func ask<Question: Request>(
        _ question: Question,
        of address: PartitionAddress,
        within milliseconds: Int64
    ) throws -> Question.Reply {
        heard.append(Heard(address: address, question: question, patience: milliseconds))
        if silent(question) {
            throw CommandFailure(description: "\(address) does not answer", isSilence: true)
        }
        if refusing(question) { throw CommandFailure(description: "\(address) refuses: too much in hand") }
        guard let reply = reply(to: question, at: address) as? Question.Reply else {
            throw CommandFailure(description: "the script has no answer to \(Question.type)")
        }
        return reply
    }

    private func reply(to question: any Request, at address: PartitionAddress) -> (any Sendable)? {
        switch question {
        case is PartitionStatusV1: Self.status(of: address)
        case let question as AppleAskV1: apple(question)
        case let question as ClaimsGetV1: ClaimsV1(claims: question.transactionIds.compactMap { claims[$0] })
        case let question as LedgerGetV1: page(of: question)
        case let question as GrantRetryV1: page(after: question.after, at: address)
        case let question as ReceiptRetryV1: page(after: question.after, at: address)
        case let question as NotificationDeliverV1: deliver(question)
        case let question as TransactionDeliverV1: deliver(question.signedTransaction)
        default: nil
        }
    }

    /// A notification's payload and a transaction's JWS are the transaction's id here.
    private func deliver(_ notification: NotificationDeliverV1) -> NotificationDeliveredV1 {
        let isKnown = !knownNotifications.insert(notification.identifier).inserted
        if !isKnown { _ = deliver(notification.signedPayload) }
        return NotificationDeliveredV1(notificationUUID: notification.identifier, isRepeated: isKnown)
    }

    private func deliver(_ signed: String) -> TransactionDeliveredV1 {
        let transaction = TransactionID(unchecked: signed)
        handedIn.insert(transaction)
        return TransactionDeliveredV1(transactionId: transaction)
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

    private static func status(of address: PartitionAddress) -> PartitionStatus {
        PartitionStatus(
            service: address.service,
            partition: address.partition,
            pid: 1,
            replica: 0,
            epoch: 1,
            outbox: 0,
            oldestUnsettledMs: 0,
            held: 0,
            deadLetters: 0,
            quarantinedLinks: 0,
            gauges: [:]
        )
    }
}
