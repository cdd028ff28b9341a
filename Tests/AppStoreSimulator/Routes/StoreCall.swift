import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// One request to the simulator, and what its handlers need.
struct StoreCall: Sendable {
    /// Bytes of the longest body, receipts aside.
    static let maximumBytes = 64 * 1_024

    let store: SimulatedStore
    /// That of Apple's host; the control interface has none.
    var environment = StoreEnvironment.production
    let request: Request
    let context: SimulatorContext

    var quality: SignatureQuality { context.signature }
    var now: Timestamp { store.now() }

    func parameter(_ name: String) throws -> String { try context.parameters.require(name) }

    func sale(_ id: String) async throws -> Sale {
        guard let sale = await store.sales.sale(id) else { throw UnknownTransaction() }
        return sale
    }

    // MARK: App Store Server API

    /// The sale that the path names, if the caller's app made it in this environment.
    func sale(invalid: APIError = .invalidTransactionId) async throws -> Sale {
        let id = try parameter("transactionId")
        guard !id.isEmpty, id.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            throw invalid
        }
        guard let sale = await store.sales.sale(id), isOfCaller(sale) else {
            let isOriginal = invalid == .invalidOriginalTransactionId
            throw isOriginal ? APIError.originalTransactionIdNotFound : .transactionIdNotFound
        }
        return sale
    }

    func isOfCaller(_ sale: Sale) -> Bool {
        sale.transaction.bundleId == context.callerBundleId
            && sale.transaction.environment == environment.rawValue
    }

    /// The members of an answer about an app; only production has its number.
    func app(of sale: Sale) async -> [String: JSONValue] {
        let bundleId = sale.transaction.bundleId
        var members: [String: JSONValue] = [
            "bundleId": .string(bundleId), "environment": .string(environment.rawValue),
        ]
        if environment == .production {
            members["appAppleId"] = .integer(await store.apps.appAppleId(of: bundleId))
        }
        return members
    }

    func apiBody<Content: Decodable>() async throws -> Content {
        do { return try await body() } catch is Problem { throw APIError.generalBadRequest }
    }

    func query(_ name: String) -> String? { request.uri.queryParameters[Substring(name)].map(String.init) }

    func queries(_ name: String) -> [String] {
        request.uri.queryParameters[values: Substring(name)].map(String.init)
    }

    // MARK: Control interface

    /// A body of JSON for the control interface.
    ///
    /// - Throws: `Problem` that names the member that is wrong.
    func body<Content: Decodable>() async throws -> Content {
        let buffer = try await request.body.collect(upTo: Self.maximumBytes)
        do {
            return try JSONDecoder().decode(Content.self, from: Data(buffer.readableBytesView))
        } catch let error as DecodingError {
            do throws(JSONText.Fault) {
                _ = try JSONText(buffer.readableBytesView)
            } catch {
                throw Problem("the body is not JSON: \(error)")
            }
            throw Problem(decoding: error)
        }
    }
}

extension Response {
    /// JSON with its members in alphabetical order.
    static func json(
        _ content: some Encodable,
        status: HTTPResponse.Status = .ok,
        type: String = "application/json"
    ) throws -> Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return .bytes(try encoder.encode(content), type: type, status: status)
    }

    static func bytes(
        _ bytes: some Sequence<UInt8>,
        type: String,
        status: HTTPResponse.Status = .ok
    ) -> Response {
        Response(
            status: status,
            headers: [.contentType: type],
            body: .init(byteBuffer: ByteBuffer(bytes: bytes))
        )
    }

    static var done: Response { Response(status: .noContent) }
}
