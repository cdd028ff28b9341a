// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase
// What the adapter uses of StoreKit, as Apple declares it: bodies do nothing, because it is only type-checked.
public import Foundation

public struct Transaction: Sendable {
    public let id: UInt64
    public let productID: String
    public let appAccountToken: UUID?
    public let environmentStringRepresentation: String

    public func finish() async {}

    public static var updates: Transactions { Transactions() }
    public static var unfinished: Transactions { Transactions() }
    public static var currentEntitlements: Transactions { Transactions() }

    public struct Transactions: AsyncSequence, Sendable {
        public typealias Element = VerificationResult<Transaction>

        public struct AsyncIterator: AsyncIteratorProtocol {
            public mutating func next() async -> VerificationResult<Transaction>? { nil }
        }

        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
    }
}

public enum VerificationResult<SignedType: Sendable>: Sendable {
    case unverified(SignedType, VerificationError)
    case verified(SignedType)

    public enum VerificationError: Error { case invalidSignature }

    public var unsafePayloadValue: SignedType {
        switch self {
        case .unverified(let value, _), .verified(let value): value
        }
    }
}

extension VerificationResult where SignedType == Transaction {
    public var jwsRepresentation: String { "" }
}

public struct Product: Sendable {
    public let id: String
    public let displayName: String
    public let displayPrice: String

    public struct PurchaseOption: Hashable, Sendable {
        public static func appAccountToken(_ token: UUID) -> PurchaseOption { PurchaseOption() }
    }

    public enum PurchaseResult: Sendable {
        case success(VerificationResult<Transaction>)
        case userCancelled
        case pending
    }

    public static func products<Identifiers: Collection>(
        for identifiers: Identifiers
    ) async throws -> [Product] where Identifiers.Element == String { [] }

    @MainActor public func purchase(options: Set<PurchaseOption> = []) async throws -> PurchaseResult {
        .userCancelled
    }
}

public enum StoreKitError: Error {
    case unknown, userCancelled, systemError(any Error), notAvailableInStorefront
}

public enum AppStore {
    public static var canMakePayments: Bool { true }

    public static func sync() async throws {}
}

open class SKRequest: NSObject {
    public weak var delegate: (any SKRequestDelegate)?

    open func start() {}
}

public protocol SKRequestDelegate: NSObjectProtocol {
    func requestDidFinish(_ request: SKRequest)
    func request(_ request: SKRequest, didFailWithError error: any Error)
}

public final class SKReceiptRefreshRequest: SKRequest {
    public init(receiptProperties properties: [String: Any]?) {}
}
