@testable import CounterfoilClient

/// StoreKit, as the tests want it.
actor FakeSource: TransactionSource {
    private var waiting: [SeenTransaction]?
    private let result: Result<SeenTransaction, PurchaseOutcome>
    private let restoring: [SeenTransaction]
    private(set) var purchases = 0
    let finished: AsyncStream<String>
    private let finish: AsyncStream<String>.Continuation

    /// Without `unfinished` StoreKit hangs when it is to list that.
    init(
        unfinished: [SeenTransaction]? = [],
        result: Result<SeenTransaction, PurchaseOutcome> = .failure(.cancelled),
        restored: [SeenTransaction] = []
    ) {
        (waiting, self.result, restoring) = (unfinished, result, restored)
        (finished, finish) = AsyncStream.makeStream()
    }

    func observe(_ seen: @escaping @Sendable (SeenTransaction) -> Void) {}
    func unfinished() async -> [SeenTransaction] {
        if waiting == nil { await Never.comes() }
        return waiting ?? []
    }
    /// StoreKit hangs no more when it is asked again.
    func list(_ transactions: [SeenTransaction]) { waiting = transactions }
    func purchase(productID: String, appAccountToken: String) throws(PurchaseOutcome) -> SeenTransaction {
        purchases += 1
        return try result.get()
    }
    func restored() -> [SeenTransaction] { restoring }
    func finish(transactionID: String) { finish.yield(transactionID) }
    func refreshedReceipt() -> SeenTransaction? { nil }
    func canMakePayments() -> Bool { true }
    func prices(of productIDs: [String]) -> [StorePrice]? {
        productIDs.map { StorePrice(productID: $0, displayName: $0, displayPrice: "1 €") }
    }
}

/// A gateway that answers in turn; the last answer stays.
actor FakeBackend: PurchaseBackend {
    private var answers: [DeliveryAnswer]
    private(set) var submissions: [Submission] = []
    let logs: AsyncStream<[StepLog.Step]>
    private let take: AsyncStream<[StepLog.Step]>.Continuation

    init(_ answers: [DeliveryAnswer] = [.granted]) {
        self.answers = answers
        (logs, take) = AsyncStream.makeStream()
    }

    func products(buyer: String) -> [CatalogProduct]? {
        [CatalogProduct(productId: "coins", type: "consumable")]
    }
    func order(productID: String, buyer: String, key: String) -> OrderAnswer { .issued(orderID: "order-1") }
    func report(orderID: String, buyer: String, _ outcome: PurchaseOutcome) -> String? { "\(outcome)" }
    func submit(_ submission: Submission) -> DeliveryAnswer {
        submissions.append(submission)
        return answers.count > 1 ? answers.removeFirst() : answers[0]
    }
    func log(orderID: String, buyer: String, _ entries: [StepLog.Entry]) { take.yield(entries.map(\.step)) }
}

/// Time that passes as soon as somebody waits for it.
actor FakeClock: PurchaseClock {
    private(set) var slept: [Int64] = []
    private let isStoreKitSlow: Bool

    /// With `isStoreKitSlow` the time is over in which StoreKit has to list what is unfinished.
    init(isStoreKitSlow: Bool = false) { self.isStoreKitSlow = isStoreKitSlow }

    nonisolated func now() -> Int64 { 1_000 }
    func pause(milliseconds: Int64) async {
        if milliseconds == PurchaseClient.listingMilliseconds, !isStoreKitSlow { return await Never.comes() }
        slept.append(milliseconds)
    }
}

extension Never {
    /// Returns when the task is cancelled.
    fileprivate static func comes() async {
        let (never, end) = AsyncStream<Never>.makeStream()
        for await _ in never {}
        end.finish()
    }
}

/// A store that refuses at first, as a keychain before the first unlock, or on a full disk.
actor LockedStore: ProofStore {
    struct Locked: Error {}

    private var loads: Int
    private var keeps: Int
    private var records: [String: KeptRecord] = [:]

    /// How many calls are refused.
    init(loads: Int, keeps: Int = 0) { (self.loads, self.keeps) = (loads, keeps) }

    func load() throws -> [KeptRecord] {
        try Self.refuse(&loads)
        return Array(records.values)
    }
    func keep(_ record: KeptRecord) throws {
        try Self.refuse(&keeps)
        records[record.key] = record
    }
    func forget(key: String) { records[key] = nil }
    func open() { (loads, keeps) = (0, 0) }

    private static func refuse(_ refusals: inout Int) throws {
        guard refusals > 0 else { return }
        refusals -= 1
        throw Locked()
    }
}
