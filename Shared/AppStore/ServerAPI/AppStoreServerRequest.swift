import Foundation

/// One question to, or order for, the App Store Server API; each endpoint has its own type.
package protocol AppStoreServerRequest: Sendable {
    /// What Apple answers.
    associatedtype Answer: Decodable & Sendable

    /// Where it goes.
    static var endpoint: Endpoint { get }
    /// The id in the endpoint's path; empty where there is none.
    var id: String { get }
    /// What follows the path, in order; a name may stand there more than once.
    var query: [QueryItem] { get }

    /// The JSON that is sent; nil for none.
    func body() throws -> [UInt8]?
}

extension AppStoreServerRequest {
    package var id: String { "" }
    package var query: [QueryItem] { [] }

    /// No JSON.
    package func body() -> [UInt8]? { nil }

    /// Path and query.
    var pathAndQuery: String {
        let query = query.map { "\($0.name)=\(PercentEncoding.of($0.value))" }.joined(separator: "&")
        return Self.endpoint.path(id) + (query.isEmpty ? "" : "?\(query)")
    }
}

/// A name of the API's and a value.
package struct QueryItem: Hashable, Sendable {
    package let name: String
    package let value: String

    init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// One item for a value that there may be.
    static func optional(_ name: String, _ value: String?) -> [QueryItem] {
        value.map { [QueryItem(name, $0)] } ?? []
    }
}

/// A question whose answer comes in pages.
package protocol PagedServerRequest: AppStoreServerRequest {
    /// The question for the page after `answer`; nil when that was the last.
    ///
    /// To be kept with the answer in one transaction: a process that dies between two pages goes on from there.
    ///
    /// - Throws: `malformedAnswer` when Apple says that there is more, and not where; as the last page it would
    ///   be a loss.
    func next(after answer: Answer) throws(AppStoreServerError) -> Self?
}

extension PagedServerRequest {
    /// Where the next page is; nil when there is none.
    func place(
        _ next: String?,
        hasMore: Bool,
        after current: String?
    ) throws(AppStoreServerError) -> String? {
        guard hasMore else { return nil }
        guard let next, !next.isEmpty, next != current else {
            throw .malformedAnswer("there is another page, but not said where")
        }
        return next
    }
}

/// An answer of which only the status counts.
package struct NoAnswer: Decodable, Hashable, Sendable {
    package init() {}
}

/// Bodies are written with sorted keys, so that the same request has the same bytes.
enum RequestBody {
    static func json(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return [UInt8](try encoder.encode(value))
    }
}
