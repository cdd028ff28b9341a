package import FoundationEssentials

/// One request to the App Store Server API; each endpoint has its own type.
package protocol AppStoreServerRequest: Sendable {
    associatedtype Response: Decodable & Sendable

    static var endpoint: Endpoint { get }
    /// Empty if the path has none.
    var id: String { get }
    /// In order; a name may occur more than once.
    var query: [URLQueryItem] { get }
    /// Nil for none.
    func body() throws -> [UInt8]?
}

extension AppStoreServerRequest {
    package var id: String { "" }
    package var query: [URLQueryItem] { [] }
    package func body() -> [UInt8]? { nil }

    var pathAndQuery: String {
        let query = query.compactMap { item in item.value.map { "\(item.name)=\($0.percentEncoded)" } }
        return Self.endpoint.path(id) + (query.isEmpty ? "" : "?\(query.joined(separator: "&"))")
    }
}

extension AppStoreServerRequest where Self: Encodable {
    package func body() throws -> [UInt8]? { try RequestBody.json(self) }
}

/// The response of an endpoint of which only the HTTP status counts.
package struct NoResponse: Decodable, Hashable, Sendable {}

/// Keys are sorted, so that the same request has the same bytes.
enum RequestBody {
    static func json(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return [UInt8](try encoder.encode(value))
    }
}
