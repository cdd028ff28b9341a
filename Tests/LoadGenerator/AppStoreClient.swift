import Foundation
import NIOCore
import NIOHTTP1
import TestKit

/// The App Store simulator that the group asks, as a customer's phone and an operator use it.
struct AppStoreClient: Sendable {
    /// `POST /_control/purchases`.
    private struct Sale: Encodable {
        let bundleId: String
        let productId: String
        let type: String
        let quantity: Int
        let appAccountToken: String?
        /// The phone is the only one who tells.
        let notify = false
        let appReceipt = true
    }

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
        let sale = Sale(
            bundleId: bundleID,
            productId: product.id,
            type: product.kind.signedName,
            quantity: quantity,
            appAccountToken: token
        )
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
