import TestKit
import AsyncHTTPClient
import Contracts
import Foundation
import NIOCore
import NIOHTTP1

/// The App Store simulator, which plays Apple's servers and does what a test tells it.
final class PlayedAppStore: Sendable {
    private let process: ChildProcess
    private let client: HTTPClient
    let url: String

    private init(_ process: ChildProcess) async throws {
        self.process = process
        let marker = "listening on "
        let url = try await eventually("the simulator listens", detail: { process.errors }) {
            process.output.split(separator: "\n").first { $0.hasPrefix(marker) }?.dropFirst(marker.count)
        }
        self.url = String(url)
        client = HTTPClient(eventLoopGroupProvider: .singleton)
    }

    /// Runs a simulator in a folder of its own while `body` does.
    static func use<Value>(_ body: (PlayedAppStore) async throws -> Value) async throws -> Value {
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
        let store = try await PlayedAppStore(process)
        do {
            let value = try await body(store)
            try await store.client.shutdown()
            return value
        } catch {
            try await store.client.shutdown()
            throw error
        }
    }

    // MARK: Requests

    /// `/_control/…`; answers with its body, which must come with a 2xx.
    @discardableResult
    private func control(
        _ method: HTTPMethod,
        _ path: String,
        _ body: [String: JSONValue]? = nil
    ) async throws -> Data {
        var request = HTTPClientRequest(url: "\(url)/_control/\(path)")
        request.method = method
        if let body {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(ByteBuffer(bytes: try JSONEncoder().encode(JSONValue.object(body))))
        }
        let response = try await client.execute(request, timeout: .seconds(20))
        let content = Data(try await response.body.collect(upTo: 16 << 20).readableBytesView)
        guard (200..<300).contains(response.status.code) else {
            let text = String(decoding: content, as: UTF8.self)
            throw HarnessFault("\(path) is answered with \(response.status.code) \(text)")
        }
        return content
    }

    private func control<Answer: Decodable>(
        _ path: String,
        _ body: [String: JSONValue],
        as type: Answer.Type
    ) async throws -> Answer {
        try JSONDecoder().decode(type, from: try await control(.POST, path, body))
    }

    /// The DER of the root certificate that a home has to trust.
    func root() async throws -> [UInt8] { Array(try await control(.GET, "root.der")) }

    // MARK: Apps

    /// A key to the App Store Server API.
    struct Key: Decodable {
        let keyId: String
        let issuerId: String
        let privateKey: String
    }

    /// Registers a new key; from then on a call needs its signature.
    func newKey() async throws -> Key { try await control("keys", [:], as: Key.self) }

    /// Sends an app's notifications to nowhere: each is tried, fails and stands in the history.
    func loseNotifications(of bundleID: String) async throws {
        let nowhere = "http://127.0.0.1:9/nowhere"
        let wanted: [String: JSONValue] = [
            "bundleId": .string(bundleID), "environment": .string("Production"), "url": .string(nowhere),
        ]
        try await control(.POST, "notifications", wanted)
    }

    // MARK: Sales

    /// What was sold, with every proof of it.
    struct Sold: Decodable {
        struct Transaction: Decodable {
            private enum Proofs: String, CodingKey {
                case signedTransaction, transactionReceipt, customerOrderNumber
            }

            let facts: SignedTransaction
            let signedTransaction: String
            let transactionReceipt: String?
            /// The order's number on the buyer's e-mail.
            let customerOrderNumber: String?

            init(from decoder: any Decoder) throws {
                facts = try SignedTransaction(from: decoder)
                let proofs = try decoder.container(keyedBy: Proofs.self)
                signedTransaction = try proofs.decode(String.self, forKey: .signedTransaction)
                transactionReceipt = try proofs.decodeIfPresent(String.self, forKey: .transactionReceipt)
                customerOrderNumber = try proofs.decodeIfPresent(String.self, forKey: .customerOrderNumber)
            }

            var transactionId: String { facts.transactionId }
        }

        let transactions: [Transaction]
        let appReceipt: String?
    }

    /// A sale of coins; `account` is the Apple Account, one that buys nothing else if absent.
    func sell(
        to bundleID: String,
        token: String? = nil,
        account: String? = nil,
        notify: Bool = false
    ) async throws -> (transaction: Sold.Transaction, appReceipt: String) {
        var wanted: [String: JSONValue] = [
            "bundleId": .string(bundleID), "productId": .string(TestHome.coins),
            "type": .string("Consumable"), "notify": .bool(notify), "transactionReceipt": .bool(true),
            "appReceipt": .bool(true),
        ]
        wanted["appAccountToken"] = token.map { .string($0) }
        wanted["account"] = account.map { .string($0) }
        let sold = try await control("purchases", wanted, as: Sold.self)
        guard let transaction = sold.transactions.first, let receipt = sold.appReceipt else {
            throw HarnessFault("nothing was sold")
        }
        return (transaction, receipt)
    }

    /// Gives the money back.
    func refund(_ transactionID: String, notify: Bool = false) async throws {
        let event: [String: JSONValue] = [
            "event": .string("refund"), "transactionId": .string(transactionID), "notify": .bool(notify),
        ]
        try await control(.POST, "events", event)
    }

    // MARK: Faults

    private struct Entry: Decodable {
        let faultId: Int
        let struck: Int
    }

    private struct Entries: Decodable { let faults: [Entry] }

    /// Lets something go wrong at a path until it is healed; the number by which that is done.
    func fault(at path: String, _ members: [String: JSONValue]) async throws -> Int {
        try await control(
            "faults",
            members.merging(["path": .string(path)]) { $1 },
            as: Entry.self
        ).faultId
    }

    /// Whether a fault has struck; one that strikes a number of times is gone after the last.
    func hasStruck(_ fault: Int) async throws -> Bool {
        let entries = try JSONDecoder().decode(Entries.self, from: try await control(.GET, "faults")).faults
        return entries.first { $0.faultId == fault }.map { $0.struck > 0 } ?? true
    }

    /// Ends all faults.
    func heal() async throws { try await control(.DELETE, "faults") }
}
