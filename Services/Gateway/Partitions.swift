import Contracts
import Delivery
import Domain
import Foundation

/// Which partition a request goes to, and how long its answer is waited for.
struct Partitions: Sendable {
    /// How long an answer is waited for, in ms; longer than it takes to kill and replace a stopped owner.
    static let answerMilliseconds: Int64 = 10_000
    /// What a wait may take beyond the time it was asked for, in ms.
    static let waitMarginMilliseconds: Int64 = 1_000
    /// How long a partition may take to say how it is, in ms.
    static let statusMilliseconds: Int64 = 1_000

    private static let decoder = JSONDecoder()

    let count: Int
    private let caller: any PartitionCaller
    private let crash: CrashSwitch

    /// The partitions of every service, `count` of each.
    init(count: Int, caller: any PartitionCaller, crash: CrashSwitch = .off) {
        self.count = count
        self.caller = caller
        self.crash = crash
    }

    /// Every partition of every service.
    var all: [PartitionAddress] {
        ServiceName.allCases.flatMap { service in (0..<count).map { PartitionAddress(service, $0) } }
    }

    /// Makes an order, or finds the one that the same key made before; the JSON of an `OrderV1`.
    func issue(_ request: OrderIssueV1) async throws(Problem) -> Data {
        try await ask(request)
    }

    /// How far an order has come; the JSON of an `OrderV1`.
    func order(_ order: OrderID, of bundleID: BundleID) async throws(Problem) -> Data {
        try await ask(OrderGetV1(bundleId: bundleID, orderId: order))
    }

    /// The order with this reference in one partition of Orders; nil when there is none.
    func order(reference: String, of bundleID: BundleID, in partition: Int) async throws(Problem) -> OrderV1?
    {
        let question = OrderGetV1(bundleId: bundleID, reference: reference)
        do throws(PartitionFault) {
            return try Self.decode(
                question,
                try await call(question, of: PartitionAddress(.orders, partition), subject: bundleID.rawValue)
            )
        } catch {
            if case .refused(let refusal) = error, refusal.code == .notFound { return nil }
            throw Problem(error)
        }
    }

    /// Gives an unpaid order up; the JSON of an `OrderV1`.
    func close(_ request: OrderCloseV1) async throws(Problem) -> Data {
        try await ask(request)
    }

    /// Hands a proof in.
    func submit(_ request: ReceiptSubmitV1) async throws(Problem) -> ReceiptSubmittedV1 {
        try read(request, try await ask(request))
    }

    /// Keeps what Apple says; the JSON of a `NotificationDeliveredV1`.
    func deliver(_ request: NotificationDeliverV1) async throws(Problem) -> Data {
        try await ask(request)
    }

    /// Passes on that something happened to a purchase.
    func hint(_ request: NotificationHintV1) async throws(Problem) -> NotificationHintedV1 {
        try read(request, try await ask(request))
    }

    /// The verdict on a submission, waited for as long as the request says.
    func verdict(_ request: VerdictWaitV1) async throws(Problem) -> ReceiptVerdictV1 {
        let reply = try await ask(
            request,
            within: Int64(request.wait) + Self.waitMarginMilliseconds
        )
        return try read(request, reply)
    }

    /// What a buyer holds; the JSON of an `EntitlementsV1`.
    func entitlements(_ request: EntitlementsGetV1) async throws(Problem) -> Data {
        try await ask(request)
    }

    /// A page of a buyer's ledger; the JSON of a `LedgerV1`.
    func ledger(_ request: LedgerGetV1) async throws(Problem) -> Data {
        try await ask(request)
    }

    /// How a partition is; nil when it does not say in time.
    func status(of partition: PartitionAddress) async -> PartitionStatus? {
        let question = PartitionStatusV1()
        do throws(PartitionFault) {
            let reply = try await caller.ask(
                question,
                of: partition,
                subject: partition.description,
                within: Self.statusMilliseconds
            )
            return try Self.decode(question, reply)
        } catch {
            return nil
        }
    }

    private func ask(
        _ request: some Request & Routed,
        within milliseconds: Int64 = Self.answerMilliseconds
    ) async throws(Problem) -> Data {
        guard let partition = request.owner(of: count) else { throw .internalFault }
        do throws(PartitionFault) {
            return try await call(request, of: partition, subject: request.subject, within: milliseconds)
        } catch {
            throw Problem(error)
        }
    }

    private func call(
        _ request: some Request,
        of partition: PartitionAddress,
        subject: String,
        within milliseconds: Int64 = Self.answerMilliseconds
    ) async throws(PartitionFault) -> Data {
        crash.reach(.beforeRequest)
        let reply = try await caller.ask(request, of: partition, subject: subject, within: milliseconds)
        crash.reach(.afterRequest)
        return reply
    }

    private func read<R: Request>(_ request: R, _ reply: Data) throws(Problem) -> R.Reply {
        do throws(PartitionFault) {
            return try Self.decode(request, reply)
        } catch {
            throw Problem(error)
        }
    }

    private static func decode<R: Request>(_ request: R, _ reply: Data) throws(PartitionFault) -> R.Reply {
        do {
            return try decoder.decode(R.Reply.self, from: reply)
        } catch {
            throw .unanswered
        }
    }
}
