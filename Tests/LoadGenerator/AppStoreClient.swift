import Contracts
import Foundation
import NIOCore
import NIOHTTP1
import TestKit

/// The App Store simulator that the group asks, as a customer's phone and an operator use it.
struct AppStoreClient: Sendable {
    private struct CallsAnswer: Decodable { let calls: [SimulatorProcess.Calls] }

    private let connections: HTTPConnections
    private let bundleID: String

    /// A client of the simulator at `http://host:port`.
    ///
    /// - Throws: `WrongUse` when the URL is none of that kind.
    init(url: String, bundleID: String) throws(WrongUse) {
        do {
            connections = try HTTPConnections(to: url)
        } catch {
            throw WrongUse(description: "--app-store must be http://host:port")
        }
        self.bundleID = bundleID
    }

    /// Sells to an Apple Account that buys nothing else; the answer has the device's app receipt, too.
    func sell(_ product: Product, quantity: Int, token: String? = nil) async throws -> HTTPReply {
        var sale: [String: JSONValue] = [
            "bundleId": .string(bundleID), "productId": .string(product.id),
            "type": .string(product.kind.signedName), "quantity": .integer(Int64(quantity)),
            // The phone is the only one who tells.
            "notify": .bool(false), "appReceipt": .bool(true),
        ]
        sale["appAccountToken"] = token.map { .string($0) }
        let body = ByteBuffer(bytes: try JSONEncoder().encode(sale))
        return try await connections.send(.POST, "/_control/purchases", body: body)
    }

    /// How many questions for a customer's history it has answered since then, in seconds since 1970.
    func historyAnswers(since second: Int64) async throws -> Int {
        let reply = try await connections.send(.GET, "/_control/calls")
        let calls = try reply.json(CallsAnswer.self).calls
        let answered = calls.filter { call in
            call.second >= second && call.status == 200 && call.path.contains("/v2/history/")
        }
        return answered.reduce(0) { $0 + $1.count }
    }
}
