import Foundation
import NIOHTTP1

/// The App Store simulator, as a benchmark commands it.
struct PlayedAppStore: Sendable {
    /// Purchases that the simulator remembers, with some to spare.
    static let maximumSales = 45_000
    /// Purchases that are made at once, by one Apple Account for as many buyers.
    static let salesAtOnce = 25
    /// Where the App Store Server API says what a transaction is.
    static let transactionInfo = "/production/inApps/v1/transactions/{transactionId}"

    private static let startPatience = Duration.seconds(20)
    private static let glance = Duration.milliseconds(50)

    let port: Int
    private let exchange = HTTPExchange()

    init(port: Int) { self.port = port }

    var url: String { "http://127.0.0.1:\(port)" }

    /// Starts it with the certificates that the group's home trusts.
    func start(beside group: BenchmarkGroup) async throws {
        try group.accompany(
            SiblingProgram("counterfoil-appstore"),
            ["--listen", "127.0.0.1:\(port)", "--state", group.appstoreState]
        )
        let end = ContinuousClock.now + Self.startPatience
        while await !answers() {
            guard ContinuousClock.now < end else {
                throw SiblingProgram.Failure(description: "the App Store simulator does not answer")
            }
            try await Task.sleep(for: Self.glance)
        }
    }

    private func answers() async -> Bool {
        do { return try await exchange.send(.GET, url + "/livez").status == 200 } catch { return false }
    }

    private func control(_ path: String) -> String { "\(url)/_control/\(path)" }

    // MARK: Keys and sales

    /// A key to the App Store Server API.
    struct Key: Decodable {
        let keyId: String
        let issuerId: String
        let privateKey: String
    }

    /// Registers a new key; from now on a call needs its signature.
    func newKey() async throws -> Key {
        try await exchange.post(control("keys"), [String: String]()).json(Key.self)
    }

    private struct Wanted: Encodable {
        let bundleId: String
        let productId = OutageApp.productID
        let type = "Consumable"
        let count: Int
        let notify = false
        let transactionReceipt: Bool
    }

    private struct Sold: Decodable {
        struct Transaction: Decodable {
            let transactionId: String
            let signedTransaction: String
            let transactionReceipt: String?
        }

        let transactions: [Transaction]
    }

    /// Sells so many of a kind, each to a buyer of its own.
    func sell(_ count: Int, of kind: OutageKind) async throws -> [OutagePurchase] {
        var purchases: [OutagePurchase] = []
        while purchases.count < count {
            let wanted = Wanted(
                bundleId: kind.bundleID,
                count: min(Self.salesAtOnce, count - purchases.count),
                transactionReceipt: kind != .signedTransaction
            )
            let sold = try await exchange.post(control("purchases"), wanted).json(Sold.self)
            for transaction in sold.transactions {
                let purchase = OutagePurchase(
                    kind: kind,
                    buyer: "\(kind)-\(purchases.count)",
                    transactionId: transaction.transactionId,
                    proof: transaction.transactionReceipt ?? transaction.signedTransaction
                )
                purchases.append(purchase)
            }
        }
        return purchases
    }

    // MARK: The outage

    private struct Fault: Encodable {
        let path: String
        let kind: String
        var status: Int?
        var probability: Double?
        var milliseconds: Int?
    }

    /// What goes wrong: of several faults at a path the first that strikes.
    private static let faults = [
        Fault(path: "/production/verifyReceipt", kind: "reset", probability: 1 / 3),
        Fault(path: "/production/verifyReceipt", kind: "status", status: 503, probability: 1 / 2),
        Fault(path: "/production/verifyReceipt", kind: "receiptStatus", status: 21_005),
        Fault(path: "/production/inApps", kind: "reset", probability: 1 / 2),
        Fault(path: "/production/inApps", kind: "status", status: 503),
    ]

    /// What goes wrong instead where there is to be silence; an hour is longer than anybody waits.
    private static let silence = Fault(path: "/production", kind: "delay", milliseconds: 3_600_000)

    /// Lets everything that Apple can be asked fail, or be without an answer.
    func breakDown(silently: Bool) async throws {
        for fault in silently ? [Self.silence] : Self.faults {
            let answer = try await exchange.post(control("faults"), fault)
            guard answer.status == 201 else {
                throw SiblingProgram.Failure(description: "a fault was answered with \(answer.status)")
            }
        }
    }

    /// Ends all faults.
    func heal() async throws { _ = try await exchange.send(.DELETE, control("faults")) }

    /// Answers of one kind within one second.
    struct Calls: Decodable {
        /// Seconds since 1970.
        let second: Int64
        let path: String
        let status: Int
        let count: Int
    }

    /// How Apple's side was asked, second by second.
    func calls() async throws -> [Calls] {
        struct Content: Decodable { let calls: [Calls] }
        return try await exchange.send(.GET, control("calls")).json(Content.self).calls
    }
}
