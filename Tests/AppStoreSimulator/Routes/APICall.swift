import Contracts
import Foundation
import HTTPTypes
import Hummingbird

/// What the endpoints of the App Store Server API have in common.
struct APICall: Sendable {
    let store: SimulatedStore
    let environment: StoreEnvironment
    let request: Request
    let context: SimulatorContext

    var quality: SignatureQuality { context.signature }

    /// The sale that a path names, if the caller's app made it in this environment.
    func sale(_ parameter: String, invalid: APIError = .invalidTransactionId) async throws -> Sale {
        let id = try context.parameters.require(parameter)
        guard !id.isEmpty, id.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            throw invalid
        }
        guard let sale = await store.register.sale(id), isOfCaller(sale) else {
            let isOriginal = invalid == .invalidOriginalTransactionId
            throw isOriginal ? APIError.originalTransactionIdNotFound : .transactionIdNotFound
        }
        return sale
    }

    /// Whether a sale is the caller's to ask about.
    func isOfCaller(_ sale: Sale) -> Bool {
        sale.transaction.bundleId == context.callerBundleId
            && sale.transaction.environment == environment.rawValue
    }

    /// A body of JSON.
    func body<Content: Decodable>() async throws -> Content {
        let buffer = try await request.body.collect(upTo: JSONBody.maximumBytes)
        do {
            return try JSONDecoder().decode(Content.self, from: Data(buffer.readableBytesView))
        } catch is DecodingError {
            throw APIError.generalBadRequest
        }
    }

    /// A parameter of the query.
    func query(_ name: String) -> String? {
        request.uri.queryParameters[Substring(name)].map(String.init)
    }

    /// A parameter of the query that may be repeated.
    func queries(_ name: String) -> [String] {
        request.uri.queryParameters[values: Substring(name)].map(String.init)
    }

    /// A date of the query, in milliseconds since 1970.
    func date(_ name: String, invalid: APIError) throws(APIError) -> Int64? {
        guard let text = query(name) else { return nil }
        guard let date = Int64(text), date >= 0 else { throw invalid }
        return date
    }
}
