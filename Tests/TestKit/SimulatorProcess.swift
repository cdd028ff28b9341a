package import Contracts
import Foundation
import NIOCore
import NIOHTTP1

/// The App Store simulator as a process: it plays Apple's servers and does what a test tells it.
package final class SimulatorProcess: Sendable {
    /// Purchases that one Apple Account makes at a time.
    private static let salesAtOnce = 25
    /// Where the App Store Server API says what a transaction is.
    package static let transactionInfo = "/production/inApps/v1/transactions/{transactionId}"

    package let url: String
    private let connections: HTTPConnections

    private init(_ process: ChildProcess) async throws {
        let marker = "listening on "
        let url = try await eventually("the simulator listens", detail: { process.errors }) {
            process.output.split(separator: "\n").first { $0.hasPrefix(marker) }?.dropFirst(marker.count)
        }
        let address = String(url)
        self.url = address
        connections = try HTTPConnections(to: address)
    }

    /// Runs a simulator in a folder of its own while `body` does.
    package static func use<Value>(_ body: (SimulatorProcess) async throws -> Value) async throws -> Value {
        let folder = "/tmp/ca" + UUID().uuidString.prefix(8).lowercased()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let process = try ChildProcess(
            try Executables.path("appstore"),
            ["--listen", "127.0.0.1:0", "--state", folder + "/state"],
            folder: folder
        )
        defer {
            process.destroy()
            do { try FileManager.default.removeItem(atPath: folder) } catch { print("left: \(folder)") }
        }
        return try await body(try await SimulatorProcess(process))
    }

    // MARK: Requests

    /// `/_control/…`; answers with its body, which must come with a 2xx.
    @discardableResult
    private func control(
        _ method: HTTPMethod,
        _ path: String,
        _ body: [String: JSONValue]? = nil
    ) async throws -> HTTPReply {
        let bytes = try body.map { ByteBuffer(bytes: try JSONEncoder().encode(JSONValue.object($0))) }
        let reply = try await connections.send(method, "/_control/\(path)", body: bytes)
        guard reply.isPositive else {
            throw HarnessFault("\(path) is answered with \(reply.status) \(reply.text)")
        }
        return reply
    }

    /// The DER of the root certificate that a home has to trust.
    package func root() async throws -> [UInt8] {
        Array(try await control(.GET, "root.der").body.readableBytesView)
    }

    // MARK: Apps

    package struct Key: Decodable, Sendable {
        package let keyId: String
        package let issuerId: String
        package let privateKey: String
    }

    package func newKey() async throws -> Key { try await control(.POST, "keys", [:]).json() }

    /// Sends an app's notifications to nowhere: each is tried, fails and stands in the history.
    package func loseServerNotifications(of bundleID: String) async throws {
        try await sendServerNotifications(of: bundleID, to: "http://127.0.0.1:9")
    }

    /// Sends an app's notifications to a gateway.
    package func sendServerNotifications(of bundleID: String, to gateway: String) async throws {
        let members: [String: JSONValue] = [
            "bundleId": .string(bundleID), "environment": .string("Production"),
            "url": .string(gateway + "/v1/apple/server-notifications"),
        ]
        try await control(.POST, "server-notifications", members)
    }

    // MARK: Sales

    /// What was sold, with every proof of it.
    package struct Sold: Decodable, Sendable {
        package struct Transaction: Decodable, Sendable {
            private enum Proofs: String, CodingKey {
                case signedTransaction, transactionReceipt, customerOrderNumber
            }

            package let facts: SignedTransaction
            package let signedTransaction: String
            package let transactionReceipt: String?
            /// The order's number on the buyer's e-mail.
            package let customerOrderNumber: String?

            package init(from decoder: any Decoder) throws {
                facts = try SignedTransaction(from: decoder)
                let proofs = try decoder.container(keyedBy: Proofs.self)
                signedTransaction = try proofs.decode(String.self, forKey: .signedTransaction)
                transactionReceipt = try proofs.decodeIfPresent(String.self, forKey: .transactionReceipt)
                customerOrderNumber = try proofs.decodeIfPresent(String.self, forKey: .customerOrderNumber)
            }

            package var transactionId: String { facts.transactionId }
        }

        package let transactions: [Transaction]
        package let appReceipt: String?
    }

    /// A sale of coins; `account` is the Apple Account, one that buys nothing else if absent.
    package func sell(
        to bundleID: String,
        token: String? = nil,
        account: String? = nil,
        notify: Bool = false
    ) async throws -> (transaction: Sold.Transaction, appReceipt: String) {
        var wanted = Self.sale(to: bundleID, notify: notify)
        wanted["transactionReceipt"] = .bool(true)
        wanted["appReceipt"] = .bool(true)
        wanted["appAccountToken"] = token.map { .string($0) }
        wanted["account"] = account.map { .string($0) }
        let sold = try await control(.POST, "purchases", wanted).json(Sold.self)
        guard let transaction = sold.transactions.first, let receipt = sold.appReceipt else {
            throw HarnessFault("nothing was sold")
        }
        return (transaction, receipt)
    }

    package func sell(
        _ count: Int,
        to bundleID: String,
        withReceipts: Bool
    ) async throws -> [Sold.Transaction] {
        var sold: [Sold.Transaction] = []
        while sold.count < count {
            var wanted = Self.sale(to: bundleID)
            wanted["count"] = .integer(Int64(min(Self.salesAtOnce, count - sold.count)))
            wanted["transactionReceipt"] = .bool(withReceipts)
            sold += try await control(.POST, "purchases", wanted).json(Sold.self).transactions
        }
        return sold
    }

    private static func sale(
        of product: String = TestHome.coins,
        type: String = "Consumable",
        to bundleID: String,
        notify: Bool = false
    ) -> [String: JSONValue] {
        [
            "bundleId": .string(bundleID), "productId": .string(product),
            "type": .string(type), "notify": .bool(notify),
        ]
    }

    /// Sells a period of a month that began so many ms ago.
    package func sellMonth(
        _ product: String,
        to bundleID: String,
        before milliseconds: Int64
    ) async throws -> Sold.Transaction {
        var wanted = Self.sale(of: product, type: "Auto-Renewable Subscription", to: bundleID)
        wanted["purchaseDate"] = .integer(Timestamp.now().milliseconds - milliseconds)
        wanted["period"] = .string("P30D")
        let sold = try await control(.POST, "purchases", wanted).json(Sold.self)
        guard let transaction = sold.transactions.first else { throw HarnessFault("nothing was sold") }
        return transaction
    }

    package func refund(_ transactionID: String, notify: Bool = false) async throws {
        try await event("refund", transactionID, notify: notify)
    }

    /// Lets something happen to a purchase.
    package func event(
        _ name: String,
        _ transactionID: String,
        notify: Bool = true,
        _ members: [String: JSONValue] = [:]
    ) async throws {
        let event: [String: JSONValue] = [
            "event": .string(name), "transactionId": .string(transactionID), "notify": .bool(notify),
        ]
        try await control(.POST, "events", event.merging(members) { $1 })
    }

    /// What Apple was told of the use of a purchase.
    package struct ConsumptionAnswer: Decodable, Sendable {
        package struct Content: Decodable, Sendable {
            package let customerConsented: Bool
            package let deliveryStatus: String
            package let consumptionPercentage: Int?
        }

        package let content: Content
    }

    private struct ConsumptionAnswers: Decodable { let answers: [ConsumptionAnswer] }

    package func consumption(of transactionID: String) async throws -> [ConsumptionAnswer] {
        try await control(.GET, "consumption?transactionId=\(transactionID)")
            .json(ConsumptionAnswers.self).answers
    }

    // MARK: Faults

    private struct Entry: Decodable {
        let faultId: Int
        let struck: Int
    }

    private struct Entries: Decodable { let faults: [Entry] }

    /// Lets something go wrong at a path until it is healed; the number by which that is done.
    @discardableResult
    package func fault(at path: String, _ members: [String: JSONValue]) async throws -> Int {
        try await control(.POST, "faults", members.merging(["path": .string(path)]) { $1 })
            .json(Entry.self).faultId
    }

    /// Whether a fault has struck; one that strikes a number of times is gone after the last.
    package func hasStruck(_ fault: Int) async throws -> Bool {
        let entries = try await control(.GET, "faults").json(Entries.self).faults
        return entries.first { $0.faultId == fault }.map { $0.struck > 0 } ?? true
    }

    package func heal() async throws { try await control(.DELETE, "faults") }

    /// Answers of one kind within one second.
    package struct Calls: Decodable, Sendable {
        /// Seconds since 1970.
        package let second: Int64
        package let path: String
        package let status: Int
        package let count: Int
    }

    private struct CallsAnswer: Decodable { let calls: [Calls] }

    /// How Apple's side was asked, second by second.
    package func calls() async throws -> [Calls] {
        try await control(.GET, "calls").json(CallsAnswer.self).calls
    }
}
