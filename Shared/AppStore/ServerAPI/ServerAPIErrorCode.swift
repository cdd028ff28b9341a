import Foundation

/// An error code of the App Store Server API; its number is kept, known or not.
package struct ServerAPIErrorCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// Apple's number: three digits of HTTP status, four of its own.
    package let rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }

    /// What to do with a request that was answered so.
    package enum Advice: Hashable, Sendable {
        /// Ask again.
        case retry
        /// Apple does not know what was asked for.
        case notFound
        /// Asking again is in vain.
        case final
    }

    /// No such transaction on the server that was asked; the other one may know it.
    package static let transactionIdNotFound = ServerAPIErrorCode(rawValue: 4_040_010)
    /// No such original transaction on the server that was asked; the other one may know it.
    package static let originalTransactionIdNotFound = ServerAPIErrorCode(rawValue: 4_040_005)

    /// Whether the other server may know what this one does not.
    package var asksForOtherServer: Bool {
        self == .transactionIdNotFound || self == .originalTransactionIdNotFound
    }

    /// Whether it says that Apple itself has failed, by the HTTP class in its number.
    package var isServerFault: Bool { rawValue / 1_000_000 == 5 }

    /// Apple's name for it; nil when it is none of those known.
    package var name: String? { ServerAPIErrorTable.names[rawValue] }

    /// What to do, by Apple's word on this code and, for an unknown one, by the class of HTTP `status`.
    package func advice(status: Int) -> Advice {
        if ServerAPIErrorTable.retryable.contains(rawValue) || (500...599).contains(status) { return .retry }
        if name == nil, status == 408 || status == 429 { return .retry }
        return rawValue / 10_000 == 404 ? .notFound : .final
    }

    /// Number and name.
    package var description: String { name.map { "\(rawValue) \($0)" } ?? "\(rawValue)" }

    /// The code in Apple's error object; nil when `body` is none.
    init?(errorBody body: [UInt8]) {
        guard JSONBody.looksLikeAnObject(body) else { return nil }
        do {
            rawValue = try JSONDecoder().decode(ErrorObject.self, from: Data(body)).errorCode
        } catch {
            return nil
        }
    }

    private struct ErrorObject: Decodable {
        let errorCode: Int64
    }
}
