import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import TestKit

/// The gateway's listener for operations, as operators with keys of their own use it.
struct OperatorDesk: Sendable {
    /// What a request came to.
    enum Outcome<Value: Sendable>: Sendable {
        case done(Value)
        /// 409: what the operator wanted is not needed, not possible any more, or too much for a day.
        case refused
        /// What it is about is not known, or not decided, yet.
        case early
    }

    private static let timeout = TimeAmount.seconds(6)

    private let keys: [String]
    private let addressFile: String
    private let known = NIOLockedValueBox<(url: String, connections: HTTPConnections)?>(nil)

    /// `keysFile` has a key on each line; `addressFile` is the one in which the gateway says where operators ask.
    ///
    /// - Throws: `WrongUse` with fewer than two keys.
    init(keysFile: String, addressFile: String) throws(WrongUse) {
        guard let bytes = FileManager.default.contents(atPath: keysFile) else {
            throw WrongUse(description: "there is no \(keysFile); --operator-keys names a file of keys")
        }
        keys = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace).map(String.init)
        guard keys.count > 1 else {
            throw WrongUse(description: "\(keysFile) must have two keys or more: nobody confirms their own")
        }
        self.addressFile = addressFile
    }

    /// Sends what an operator wants; `acting` is any number, equal ones are the same operator.
    func post<Value: Decodable & Sendable>(
        _ path: String,
        _ body: [String: String],
        by acting: Int,
        key: String
    ) async -> Reply<Outcome<Value>> {
        let reply = await Reply<Value>.of {
            let headers = [
                ("Authorization", "Bearer \(keys[acting % keys.count])"), ("Idempotency-Key", key),
            ]
            return try await connections().send(
                .POST,
                "/v1/admin" + path,
                headers: headers,
                body: ByteBuffer(bytes: try JSONEncoder().encode(body)),
                within: Self.timeout
            )
        }
        return switch reply {
        case .answered(let value): .answered(.done(value))
        case .rejected(let reason) where reason.hasPrefix("404 ") || reason.contains("being decided"):
            .answered(.early)
        case .rejected(let reason) where reason.hasPrefix("409 "): .answered(.refused)
        case .rejected(let reason): .rejected(reason)
        case .failed(let reason): .failed(reason)
        }
    }

    /// A gateway that starts anew may listen elsewhere.
    private func connections() throws -> HTTPConnections {
        let bytes = FileManager.default.contents(atPath: addressFile) ?? Data()
        let url = String(String(decoding: bytes, as: UTF8.self).prefix { !$0.isWhitespace })
        return try known.withLockedValue { known in
            if let known, known.url == url { return known.connections }
            let connections = try HTTPConnections(to: url)
            known = (url, connections)
            return connections
        }
    }
}
