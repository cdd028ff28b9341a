/// An error code of the App Store Server API, known or not.
package struct ServerAPIErrorCode: RawRepresentable, Hashable, Sendable {
    /// Three digits of HTTP status, then four more.
    package let rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }

    /// What to do with a refused request.
    package enum Kind: Hashable, Sendable {
        case retryable, notFound, permanent
    }

    /// Unknown to this server; the other one may know it.
    package static let transactionIdNotFound = ServerAPIErrorCode(rawValue: 4_040_010)
    package static let originalTransactionIdNotFound = ServerAPIErrorCode(rawValue: 4_040_005)
    /// Apple asks to try again, besides HTTP 5xx (App Store Server API 1.22, "Error codes").
    private static let retryable: Set<Int64> = [4_040_002, 4_040_004, 4_040_006]

    /// Whether the other server may know what this one does not.
    package var asksForOtherServer: Bool {
        self == .transactionIdNotFound || self == .originalTransactionIdNotFound
    }

    /// Whether Apple itself has failed, by the HTTP class in the number.
    var isServerFault: Bool { rawValue / 1_000_000 == 5 }

    /// What to do, by code, or for an unknown code by the class of HTTP `status`.
    package func kind(status: Int) -> Kind {
        if Self.retryable.contains(rawValue) || (500...599).contains(status) { return .retryable }
        if status == 408 || status == 429 { return .retryable }
        return rawValue / 10_000 == 404 ? .notFound : .permanent
    }

    init?(errorBody body: [UInt8]) {
        guard let error = JSONBody.read(ErrorObject.self, from: body) else { return nil }
        rawValue = error.errorCode
    }

    private struct ErrorObject: Decodable {
        let errorCode: Int64
    }
}
