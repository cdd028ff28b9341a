import Foundation

/// A request that has arrived whole.
struct HTTPCall: Sendable {
    let method: String
    let path: String
    let query: [String: String]
    let headers: [String: String]
    let body: Data

    init(method: String, uri: String, headers: [(String, String)], body: Data) {
        let parts = URLComponents(string: uri)
        self.method = method
        path = parts?.path ?? uri
        query = Dictionary(
            (parts?.queryItems ?? []).map { ($0.name, $0.value ?? "") },
            uniquingKeysWith: { first, _ in first }
        )
        self.headers = Dictionary(
            headers.map { ($0.0.lowercased(), $0.1) },
            uniquingKeysWith: { first, _ in first }
        )
        self.body = body
    }

    /// What follows `Bearer `.
    var token: String? {
        guard let field = headers["authorization"], field.lowercased().hasPrefix("bearer ") else {
            return nil
        }
        return String(field.dropFirst("bearer ".count))
    }

    /// The members of the body; nil if it is no JSON object.
    var members: [String: Any]? {
        do {
            return try JSONSerialization.jsonObject(with: body) as? [String: Any]
        } catch {
            return nil
        }
    }
}
