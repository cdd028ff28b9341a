import Contracts
import Hummingbird

extension StoreCall {
    /// `POST /_control/purchases`: somebody buys something.
    func buy() async throws -> Response {
        let wanted: PurchaseRequest = try await body()
        let type = try wanted.type ?? catalogType(of: wanted)
        let order = try wanted.order(type: type, at: now, chance: store.chance)
        if wanted.askToBuy == true {
            return try .json(SalesAnswer(pendingId: try await store.sales.ask(order)), status: .accepted)
        }
        let changes = try await store.sales.sell(order, count: wanted.count ?? 1, at: now)
        var answer = try await SalesAnswer(changes, of: self, silent: wanted.notify == false)
        if wanted.appReceipt == true, let sale = changes.sales.last {
            answer.appReceipt = try await store.appReceipt(for: sale, quality)
        }
        if wanted.transactionReceipt == true {
            for index in answer.transactions.indices {
                answer.transactions[index].other.transactionReceipt =
                    try store.transactionReceipt(of: answer.transactions[index].one, quality)
            }
        }
        return try .json(answer)
    }

    private func catalogType(of wanted: PurchaseRequest) throws(Problem) -> String {
        guard let catalog = store.catalog else {
            let known = PurchaseRequest.types.joined(separator: ", ")
            throw Problem("type is missing; give one of \(known), or start the simulator with --catalog")
        }
        return try catalog.type(of: wanted.productId, bundleId: wanted.bundleId)
    }

    /// `POST /_control/refunds`: Apple pays a buyer back.
    func refund() async throws -> Response {
        struct Wanted: Decodable {
            let transactionId: String
            let reason: Int?
        }
        let wanted: Wanted = try await body()
        let event = PurchaseEvent.refund(reason: try Problem.refundReason(wanted.reason), percentage: nil)
        return try .json(
            await SalesAnswer(store.sales.perform(event, on: wanted.transactionId, at: now), of: self)
        )
    }

    /// `POST /_control/receipts`: an app refreshes its receipt, even an empty one.
    func refreshReceipt() async throws -> Response {
        struct Wanted: Decodable {
            /// Any purchase of the buyer's; absent for a buyer who has bought nothing.
            let transactionId: String?
            let bundleId: BundleID?
            let environment: StoreEnvironment?
        }
        let wanted: Wanted = try await body()
        if let id = wanted.transactionId {
            let sale = try await sale(id)
            return try .json([
                "appReceipt": await store.appReceipt(for: sale, quality),
                "transactionReceipt": store.transactionReceipt(of: sale.transaction, quality),
            ])
        }
        guard let bundleId = wanted.bundleId else { throw Problem("transactionId or bundleId is missing") }
        let environment = (wanted.environment ?? .production).rawValue
        return try .json([
            "appReceipt": store.appReceipt(
                bundleId: bundleId.rawValue,
                environment: environment,
                of: [],
                quality
            )
        ])
    }
}

/// The answer to whatever sells or changes: the transactions as they are now, and the notifications about them.
struct SalesAnswer: Encodable {
    var transactions: [SoldTransaction] = []
    var notifications: [ServerNotificationRecord]?
    var appReceipt: String?
    var pendingId: String?
}

extension SalesAnswer {
    /// Signs the changes and, unless `silent`, notifies the app's server.
    init(_ changes: SaleChanges, of call: StoreCall, silent: Bool = false) async throws {
        transactions = try changes.sales.map { try call.store.sold($0, call.quality) }
        let sent = silent ? [] : try await call.store.notify(changes, call.quality)
        notifications = sent.isEmpty ? nil : sent
    }
}

extension Problem {
    /// Apple's reason of a refund: 1 for an issue with the app, 0 for another.
    static func refundReason(_ reason: Int?) throws(Problem) -> Int {
        guard (0...1).contains(reason ?? 0) else { throw Problem("reason is neither 0 nor 1") }
        return reason ?? 0
    }
}
